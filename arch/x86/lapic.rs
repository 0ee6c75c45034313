//! The local APIC's entry for counters (LVTPC), which overflow interrupts go through: its values, and the ways to
//! access it.
//!
//! Intel's processors mask the entry when they deliver an interrupt, so that a handler must unmask it. AMD's do
//! not, and their driver does not touch it.
//!
//! Source: SDM vol. 3, "Advanced Programmable Interrupt Controller (APIC)", section "Local Vector
//! Table" and its figure.

mod access;

pub use access::MappedLine;

use crate::contract::Overflow;
use crate::event::{Refusal, Request};

/// A value of LVTPC: the interrupt that an overflow raises.
///
/// A kernel that drives its APIC itself writes [`Lvtpc::bits`]. Others pass the value to an [`Apic`]. Every
/// value raises an NMI or an interrupt that is not an exception, or is masked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lvtpc(u32);

impl Lvtpc {
    const VECTOR: u32 = 0xFF;
    const DELIVERY: u32 = 7 << 8;
    const DELIVERY_NMI: u32 = 4 << 8;
    const MASKED: u32 = 1 << 16;

    /// An overflow raises an NMI: samples are taken everywhere, interrupt handlers included.
    pub const NMI: Self = Self(Self::DELIVERY_NMI);

    /// The first vector that is not an exception (SDM vol. 3, table "Protected-Mode Exceptions and
    /// Interrupts").
    const FIRST: u32 = 32;

    /// An overflow raises the interrupt with this vector. Returns `None` for 0 to 31, which are exceptions: their
    /// handlers would mistake the interrupt for one.
    #[must_use]
    pub const fn vector(number: u8) -> Option<Self> {
        if (number as u32) < Self::FIRST { None } else { Some(Self(number as u32)) }
    }

    /// Returns the value with the entry masked.
    #[must_use]
    pub const fn masked(self) -> Self {
        Self(self.0 | Self::MASKED)
    }

    /// Returns the value with the entry unmasked.
    #[must_use]
    pub const fn unmasked(self) -> Self {
        match Self::from_bits(self.0 & !Self::MASKED) {
            Some(open) => open,
            None => self,
        }
    }

    /// Returns true if the entry is masked.
    #[must_use]
    pub const fn is_masked(self) -> bool {
        self.0 & Self::MASKED != 0
    }

    /// Returns true if it raises an NMI.
    #[must_use]
    pub const fn is_nmi(self) -> bool {
        self.0 & Self::DELIVERY == Self::DELIVERY_NMI
    }

    /// Converts the contents of the register, without the bits that it only reports. Returns `None` if the entry
    /// raises something other than a vector or an NMI.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let mask = bits & Self::MASKED;
        match (bits & Self::DELIVERY, bits & Self::VECTOR) {
            (Self::DELIVERY_NMI, _) => Some(Self(Self::DELIVERY_NMI | mask)),
            (0, vector @ Self::FIRST..) => Some(Self(vector | mask)),
            _ => None,
        }
    }

    /// Converts the contents of the register. The result is masked if they are not a valid value.
    const fn harmless(bits: u32) -> Self {
        let held = bits & (Self::DELIVERY | Self::VECTOR | Self::MASKED);
        Self(if Self::from_bits(bits).is_some() { held } else { held | Self::MASKED })
    }

    /// Returns the bits to write to the register.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }
}

/// How long after its overflow was accounted an interrupt may still come, in ticks of the time-stamp counter: a few
/// hundred milliseconds at the slowest. On a processor it is a matter of microseconds; in a virtual machine it depends
/// on the host.
pub(super) const LATE: u64 = 1 << 28;

/// The connection between the unit and the interrupt controller.
pub trait Line {
    /// Takes over the entry and unmasks it. Returns its old value.
    fn install(&self) -> u64;

    /// Unmasks the entry, which the last interrupt has masked. Called from that interrupt.
    fn rearm(&self);

    /// Restores the entry.
    fn restore(&self, before: u64);

    /// Returns a number for what the entry is and how it is reached: another line has another number.
    fn number(&self) -> u64 {
        0
    }

    /// Returns false if an overflow does not interrupt, because no line was given yet. Requests with a period are refused
    /// then.
    #[inline(always)]
    fn interrupts(&self) -> bool {
        true
    }
}

/// Refuses a period where no line was given.
#[inline(always)]
pub(super) fn check_line(line: &impl Line, request: &Request) -> Result<(), Refusal> {
    if request.sampling.is_some() && !line.interrupts() { Err(Refusal::NoLine) } else { Ok(()) }
}

/// Returns what a unit does at an overflow that does this where a line was given.
pub(super) fn overflow(line: &impl Line, given: Overflow) -> Overflow {
    if line.interrupts() { given } else { Overflow::None }
}

/// No connection that this crate drives. The kernel writes LVTPC itself, and unmasks it after each overflow, once
/// [`crate::Unit::on_overflow`] has returned. Or it polls for overflows.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unattached;

impl Line for Unattached {
    fn install(&self) -> u64 {
        0
    }

    #[inline(always)]
    fn rearm(&self) {}

    fn restore(&self, _: u64) {}
}

/// A local APIC's LVTPC as a register: in memory, 340H above the APIC's base ([`MappedLine`]), or in x2APIC mode
/// by RDMSR and WRMSR (x86's `access::Hardware`).
///
/// Only an [`Lvtpc`] can be written, so that no safe program makes an overflow reset the processor or raise an
/// exception.
pub trait LineRegister {
    /// Reads the register.
    fn read_line(&self) -> u32;

    /// Writes the register.
    fn write_line(&self, entry: Lvtpc);
}

/// The entries for counters of this machine's local APICs, in the mode that the kernel uses.
///
/// The mode is a value that a kernel finds out when it boots: one type serves all machines.
#[derive(Clone, Copy, Debug)]
pub struct Apic<R> {
    mode: Mode<R>,
    entry: Lvtpc,
}

#[derive(Clone, Copy, Debug)]
enum Mode<R> {
    Absent,
    Unattached,
    X2Apic(R),
    XApic(MappedLine),
}

impl<R: LineRegister> Apic<R> {
    /// Uses APICs in x2APIC mode, whose entry raises `entry`. `register` is the unit's `access::Hardware`.
    ///
    /// The APIC MUST be in that mode whenever the unit is claimed, interrupts, or is released. Otherwise the
    /// register faults.
    #[must_use]
    pub const fn x2apic(register: R, entry: Lvtpc) -> Self {
        Self { mode: Mode::X2Apic(register), entry: entry.unmasked() }
    }

    /// Uses APICs in xAPIC mode, whose entry raises `entry`.
    #[must_use]
    pub const fn xapic(register: MappedLine, entry: Lvtpc) -> Self {
        Self { mode: Mode::XApic(register), entry: entry.unmasked() }
    }

    /// Uses no connection, like [`Unattached`].
    #[must_use]
    pub const fn unattached() -> Self {
        Self { mode: Mode::Unattached, entry: Lvtpc::NMI.masked() }
    }

    /// No line was given yet: nothing touches LVTPC, and nothing interrupts. The unit counts, and refuses a request with a
    /// period ([`Refusal::NoLine`]).
    #[must_use]
    pub const fn absent() -> Self {
        Self { mode: Mode::Absent, entry: Lvtpc::NMI.masked() }
    }

    fn read(&self) -> u32 {
        match &self.mode {
            Mode::Absent | Mode::Unattached => 0,
            Mode::X2Apic(register) => register.read_line(),
            Mode::XApic(register) => register.read_line(),
        }
    }

    #[inline(always)]
    fn write(&self, entry: Lvtpc) {
        match &self.mode {
            Mode::Absent | Mode::Unattached => {}
            Mode::X2Apic(register) => register.write_line(entry),
            Mode::XApic(register) => register.write_line(entry),
        }
    }
}

impl<R: LineRegister> Line for Apic<R> {
    fn install(&self) -> u64 {
        let before = self.read();
        self.rearm();
        before.into()
    }

    #[inline(always)]
    fn rearm(&self) {
        self.write(self.entry);
    }

    /// Restores the entry. An unmasked entry that raised neither a vector nor an NMI is restored masked.
    fn restore(&self, before: u64) {
        self.write(Lvtpc::harmless(before as u32));
    }

    fn number(&self) -> u64 {
        let mode = match &self.mode {
            Mode::Unattached => 0,
            Mode::X2Apic(_) => 1,
            Mode::XApic(_) => 2,
            Mode::Absent => 3,
        };
        mode << 32 | u64::from(self.entry.bits())
    }

    #[inline(always)]
    fn interrupts(&self) -> bool {
        !matches!(self.mode, Mode::Absent)
    }
}

#[cfg(test)]
mod tests {
    use core::cell::Cell;

    use super::*;

    impl LineRegister for &Cell<u32> {
        fn read_line(&self) -> u32 {
            self.get()
        }

        fn write_line(&self, entry: Lvtpc) {
            self.set(entry.bits());
        }
    }

    #[test]
    fn every_entry_comes_back_from_its_bits() {
        let vectors = (32..=255).filter_map(Lvtpc::vector);
        for entry in vectors.chain([Lvtpc::NMI]).flat_map(|entry| [entry, entry.masked()]) {
            assert_eq!(Lvtpc::from_bits(entry.bits()), Some(entry));
        }
    }

    #[test]
    fn what_the_register_only_reports_is_left_out() {
        assert_eq!(Lvtpc::from_bits(Lvtpc::NMI.bits() | 1 << 12), Some(Lvtpc::NMI));
    }

    #[test]
    fn an_entry_that_is_neither_a_vector_nor_an_nmi_is_none() {
        let management = 2 << 8;
        assert_eq!([management, 31, 0].map(Lvtpc::from_bits), [None; 3]);
    }

    #[test]
    fn vectors_of_exceptions_are_refused() {
        assert_eq!((Lvtpc::vector(31), Lvtpc::vector(32).map(Lvtpc::bits)), (None, Some(32)));
    }

    #[test]
    fn a_line_that_would_reset_the_processor_or_raise_an_exception_is_given_back_masked() {
        let (management, reset, exception, after_reset) = (2 << 8, 5 << 8, 14, 1 << 16);
        let register = Cell::new(0);
        let line = Apic::x2apic(&register, Lvtpc::NMI);
        let given_back = [management, reset, exception, after_reset].map(|before| {
            line.restore(before);
            register.get()
        });
        let masked = 1 << 16;
        assert_eq!(given_back, [masked | 2 << 8, masked | 5 << 8, masked | 14, masked]);
        assert!(Lvtpc::harmless(reset as u32).unmasked().is_masked());
    }

    #[test]
    fn a_line_is_opened_after_each_interrupt_and_given_back_as_it_was() {
        let register = Cell::new(Lvtpc::NMI.masked().bits() | 0x33);
        let line = Apic::x2apic(&register, Lvtpc::NMI.masked());
        let before = line.install();
        assert_eq!(register.get(), Lvtpc::NMI.bits());
        register.set(Lvtpc::NMI.masked().bits());
        line.rearm();
        assert_eq!(register.get(), Lvtpc::NMI.bits());
        line.restore(before);
        assert_eq!(register.get(), Lvtpc::NMI.masked().bits() | 0x33);
    }
}
