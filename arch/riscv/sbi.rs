//! The calls to the firmware, as the registers that they are made with, and the firmware's answers.
//!
//! Source: "RISC-V Supervisor Binary Interface Specification", chapters "Binary Encoding", "Base Extension", "Performance
//! Monitoring Unit Extension" and "Supervisor Software Events Extension". OpenSBI's include/sbi/sbi_ecall_interface.h and
//! torvalds/linux arch/riscv/include/asm/sbi.h have the same numbers.

use core::fmt;

use crate::arch::riscv::Csr;
use crate::event::{CounterId, CounterSet};

/// The base extension.
pub(in crate::arch::riscv) const BASE: u64 = 0x10;
/// The PMU extension.
pub(in crate::arch::riscv) const PMU: u64 = 0x50_4D55;
/// The extension of software events.
pub(in crate::arch::riscv) const SSE: u64 = 0x53_5345;
/// The software event of a counter's overflow, to the hart that it happens on.
pub(in crate::arch::riscv) const LOCAL_PMU: u64 = 0x1_0000;

/// Start: preset the counters to the value.
pub(in crate::arch::riscv) const SET_INITIAL_VALUE: u64 = 1 << 0;
/// Start: preset the counters to their values in the snapshot memory.
pub(in crate::arch::riscv) const FROM_SNAPSHOT: u64 = 1 << 1;
/// Stop: the counters lose their events.
pub(in crate::arch::riscv) const RESET: u64 = 1 << 0;
/// Stop: write the counters to the snapshot memory.
pub(in crate::arch::riscv) const TAKE_SNAPSHOT: u64 = 1 << 1;
/// Configure: the counters are configured already.
pub(in crate::arch::riscv) const SKIP_MATCH: u64 = 1 << 0;
/// Configure: set the counter to 0.
pub(in crate::arch::riscv) const CLEAR_VALUE: u64 = 1 << 1;
/// Configure: start the counter.
pub(in crate::arch::riscv) const AUTO_START: u64 = 1 << 2;
/// Configure: the first of the five bits that keep the counter from a mode: VU, VS, U, S and M.
pub(in crate::arch::riscv) const FILTER_SHIFT: u32 = 3;

/// An access to a unit that the firmware has: a register that the supervisor has itself, or a call.
///
/// A call is read: its value is the firmware's answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Address {
    /// A register.
    Csr(Csr),
    /// A call.
    Call(Call),
}

/// A call to the firmware. None of them can change memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Call {
    /// Is there a PMU extension? Not 0 if there is.
    Probe,
    /// Are there software events? Not 0 if there are.
    ProbeEvents,
    /// mvendorid.
    Vendor,
    /// marchid.
    Architecture,
    /// mimpid.
    Implementation,
    /// The number of counters.
    Count,
    /// What a counter is.
    Describe(CounterId),
    /// Gives one of these counters an event.
    Configure {
        /// The counters.
        counters: CounterSet,
        /// The modes that are not counted, from bit 0 on: VU, VS, U, S and M.
        filters: u8,
        /// The index of the event.
        event: u32,
        /// What the index is not enough for.
        data: u64,
    },
    /// Starts these counters from where they are.
    Start(CounterSet),
    /// Starts these counters from a value.
    StartAt(CounterSet, u64),
    /// Stops these counters.
    Stop(CounterSet),
    /// Stops these counters, which lose their events.
    Reset(CounterSet),
    /// Reads a counter of the firmware.
    Read(CounterId),
    /// Reads the upper half of a counter of the firmware, where registers have 32 bits.
    ReadHigh(CounterId),
    /// Lets overflows interrupt by the software event, whose handler is registered.
    EnableEvent,
    /// Lets them interrupt by LCOFI again.
    DisableEvent,
}

/// A call in registers: a7, a6, and from a0 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::arch::riscv) struct Frame {
    pub(in crate::arch::riscv) extension: u64,
    pub(in crate::arch::riscv) function: u64,
    pub(in crate::arch::riscv) arguments: [u64; 6],
}

impl Call {
    /// Returns the call in registers. Where these have 32 bits, a value of 64 takes two of them.
    #[inline(always)]
    pub(in crate::arch::riscv) const fn frame(self, is_narrow: bool) -> Frame {
        match self {
            Self::Probe => frame(BASE, 3, [PMU, 0, 0, 0, 0, 0]),
            Self::ProbeEvents => frame(BASE, 3, [SSE, 0, 0, 0, 0, 0]),
            Self::Vendor => frame(BASE, 4, [0; 6]),
            Self::Architecture => frame(BASE, 5, [0; 6]),
            Self::Implementation => frame(BASE, 6, [0; 6]),
            Self::Count => frame(PMU, 0, [0; 6]),
            Self::Describe(counter) => frame(PMU, 1, [counter.number() as u64, 0, 0, 0, 0, 0]),
            Self::Configure { counters, filters, event, data } => {
                let (low, high) = halves(data, is_narrow);
                frame(PMU, 2, [0, counters.bits(), (filters as u64) << FILTER_SHIFT, event as u64, low, high])
            }
            Self::Start(counters) => frame(PMU, 3, [0, counters.bits(), 0, 0, 0, 0]),
            Self::StartAt(counters, value) => {
                let (low, high) = halves(value, is_narrow);
                frame(PMU, 3, [0, counters.bits(), SET_INITIAL_VALUE, low, high, 0])
            }
            Self::Stop(counters) => frame(PMU, 4, [0, counters.bits(), 0, 0, 0, 0]),
            Self::Reset(counters) => frame(PMU, 4, [0, counters.bits(), RESET, 0, 0, 0]),
            Self::Read(counter) => frame(PMU, 5, [counter.number() as u64, 0, 0, 0, 0, 0]),
            Self::ReadHigh(counter) => frame(PMU, 6, [counter.number() as u64, 0, 0, 0, 0, 0]),
            Self::EnableEvent => frame(SSE, 4, [LOCAL_PMU, 0, 0, 0, 0, 0]),
            Self::DisableEvent => frame(SSE, 5, [LOCAL_PMU, 0, 0, 0, 0, 0]),
        }
    }
}

#[inline(always)]
const fn frame(extension: u64, function: u64, arguments: [u64; 6]) -> Frame {
    Frame { extension, function, arguments }
}

#[inline(always)]
const fn halves(value: u64, is_narrow: bool) -> (u64, u64) {
    if is_narrow { (value & 0xFFFF_FFFF, value >> 32) } else { (value, 0) }
}

/// An error that the firmware answers with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum SbiError {
    /// -1: failed.
    Failed,
    /// -2: not supported.
    NotSupported,
    /// -3: an invalid parameter.
    InvalidParameter,
    /// -4: denied.
    Denied,
    /// -5: an invalid address.
    InvalidAddress,
    /// -6: already available.
    AlreadyAvailable,
    /// -7: of the counters some count already. The others are started.
    AlreadyStarted,
    /// -8: of the counters some are stopped already. The others are stopped.
    AlreadyStopped,
    /// -9: there is no shared memory.
    NoSharedMemory,
    /// Another error of the specification.
    Other(i8),
}

/// The least number of an error. The specification has them down to -14.
const LEAST: i64 = -64;

impl SbiError {
    /// Returns the error with this number.
    #[must_use]
    pub const fn of(number: i8) -> Self {
        match number {
            -1 => Self::Failed,
            -2 => Self::NotSupported,
            -3 => Self::InvalidParameter,
            -4 => Self::Denied,
            -5 => Self::InvalidAddress,
            -6 => Self::AlreadyAvailable,
            -7 => Self::AlreadyStarted,
            -8 => Self::AlreadyStopped,
            -9 => Self::NoSharedMemory,
            other => Self::Other(other),
        }
    }

    /// Returns its number.
    #[must_use]
    pub const fn number(self) -> i8 {
        match self {
            Self::Failed => -1,
            Self::NotSupported => -2,
            Self::InvalidParameter => -3,
            Self::Denied => -4,
            Self::InvalidAddress => -5,
            Self::AlreadyAvailable => -6,
            Self::AlreadyStarted => -7,
            Self::AlreadyStopped => -8,
            Self::NoSharedMemory => -9,
            Self::Other(number) => number,
        }
    }

    /// Returns an answer as a read of a call shows it: the value, or the error as a negative number. No value that the
    /// extension answers with is among the largest 64.
    #[inline(always)]
    #[must_use]
    pub const fn pack(answer: Result<u64, Self>) -> u64 {
        match answer {
            Ok(value) => value,
            Err(error) => (error.number() as i64).cast_unsigned(),
        }
    }

    /// Returns the answer that a read of a call shows.
    ///
    /// # Errors
    /// The firmware's error.
    #[inline(always)]
    pub const fn unpack(read: u64) -> Result<u64, Self> {
        match read.cast_signed() {
            error @ LEAST..0 => Err(Self::of(error as i8)),
            _ => Ok(read),
        }
    }
}

impl fmt::Display for SbiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Failed => "failed",
            Self::NotSupported => "not supported",
            Self::InvalidParameter => "invalid parameter",
            Self::Denied => "denied",
            Self::InvalidAddress => "invalid address",
            Self::AlreadyAvailable => "already available",
            Self::AlreadyStarted => "already started",
            Self::AlreadyStopped => "already stopped",
            Self::NoSharedMemory => "no shared memory",
            Self::Other(number) => return write!(f, "error {number}"),
        })
    }
}

impl core::error::Error for SbiError {}

/// A call by its name and its arguments.
impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let call = match self {
            Self::Csr(csr) => return csr.fmt(f),
            Self::Call(call) => call,
        };
        match *call {
            Call::Configure { counters, filters, event, data } => {
                let (mask, flags) = (counters.bits(), u64::from(filters) << FILTER_SHIFT);
                write!(f, "counter_config_matching(0, {mask:#x}, {flags:#x}, {event:#x}, {data:#x})")
            }
            Call::Start(counters) => write!(f, "counter_start(0, {:#x}, 0)", counters.bits()),
            Call::StartAt(counters, value) => write!(f, "counter_start(0, {:#x}, 1, {value:#x})", counters.bits()),
            Call::Stop(counters) => write!(f, "counter_stop(0, {:#x}, 0)", counters.bits()),
            Call::Reset(counters) => write!(f, "counter_stop(0, {:#x}, 1)", counters.bits()),
            Call::Describe(counter) => write!(f, "counter_get_info({counter})"),
            Call::Read(counter) => write!(f, "counter_fw_read({counter})"),
            Call::ReadHigh(counter) => write!(f, "counter_fw_read_hi({counter})"),
            Call::Probe => f.write_str("probe_extension(PMU)"),
            Call::ProbeEvents => f.write_str("probe_extension(SSE)"),
            Call::Vendor => f.write_str("get_mvendorid"),
            Call::Architecture => f.write_str("get_marchid"),
            Call::Implementation => f.write_str("get_mimpid"),
            Call::Count => f.write_str("num_counters"),
            Call::EnableEvent => f.write_str("sse_enable(0x10000)"),
            Call::DisableEvent => f.write_str("sse_disable(0x10000)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_64_bits_takes_two_registers_of_32() {
        let call = Call::StartAt(CounterSet::from_bits(8), 0x1234_5678_9ABC_DEF0);
        assert_eq!(call.frame(false).arguments, [0, 8, 1, 0x1234_5678_9ABC_DEF0, 0, 0]);
        assert_eq!(call.frame(true).arguments, [0, 8, 1, 0x9ABC_DEF0, 0x1234_5678, 0]);
    }

    #[test]
    fn an_answer_is_a_value_or_an_error() {
        for answer in [Ok(0), Ok(1 << 63), Err(SbiError::AlreadyStarted), Err(SbiError::Other(-12))] {
            assert_eq!(SbiError::unpack(SbiError::pack(answer)), answer);
        }
        assert!((-14..0).all(|number| SbiError::of(number).number() == number));
    }
}
