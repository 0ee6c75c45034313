//! Access to the unit's real registers, and what a kernel promises for it.
//!
//! MIPS assembly is unstable in Rust, so this module needs a nightly compiler and the crate's feature `nightly`. All else of
//! the family is on stable.
//!
//! The instructions that contain a register's number are in `access/cp0.rs`, those that mask interrupts in
//! `access/state.rs`.
//!
//! # The interrupt
//!
//! There is no entry for it. All interrupts and most exceptions of a MIPS processor arrive at one vector, which is the
//! kernel's: it must save registers and find the cause before anybody can be called, whoever's the interrupt is. So the
//! kernel's own handler calls [`Unit::on_overflow`](crate::Unit::on_overflow) for the line that [`Hardware::line`] names.
//! The address to pass is EPC, or EPC + 4 if Cause\[BD\] is set: the instruction in the delay slot was interrupted then.
//! If the line is the timer's too, as on most processors, the handler calls it for each interrupt of the line; it answers
//! [`Handled::NotMine`](crate::Handled::NotMine) for the timer's.
//!
//! # The clock
//!
//! [`Registers::ticks`] is CP0 Count, which has 32 bits and wraps within seconds. A kernel that measures longer times
//! overrides [`Kernel::clock`] with a clock of its own.
//!
//! # The driver
//!
//! `pmu::arch::detect` returns a [`Mipsxx`](super::mipsxx::Mipsxx) over [`Hardware`], and requires what [`Hardware::claim`]
//! does. A kernel that uses both VPEs of a multithreaded core names its own:
//! [`Mipsxx::detect_with_vpe`](super::mipsxx::Mipsxx::detect_with_vpe).

mod cp0;
pub(in crate::arch) mod door;
mod state;

use super::mipsxx::Model;
use super::{Cp0, Line, Prid};
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This CPU's unit, accessed by MFC0 and MTC0, and its counters of 64 bits by DMFC0 and DMTC0.
///
/// Its size is that of the kernel's value `K`, usually 0.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu>(K);

impl<K: Kernel> Hardware<K> {
    /// Claims this CPU's unit for `kernel`.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in kernel mode, or at least may use coprocessor 0 (Status\[CU0\]), or a hypervisor carries out its
    ///   instructions;
    /// - nobody else programs this CPU's unit;
    /// - the unit's interrupt has a handler that may run between any two instructions while it is unmasked, and that
    ///   returns with every register as it was, Status among them.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }

    /// Asks the processor for the line of the overflow interrupt.
    ///
    /// R10000 and its heirs have it on IP7, by their manual. The others say it in IntCtl, from release 2 of the
    /// architecture on.
    #[must_use]
    pub fn line(&self) -> Line {
        if is_before_config1() {
            return Line::of(None, 0);
        }
        let config = cp0::read_system::<16, 0>();
        let is_release_2 = config >> 10 & 0b111 != 0;
        let config_3 = if has_config_3(config) { cp0::read_system::<16, 3>() } else { 0 };
        Line::of(is_release_2.then(cp0::read_system::<12, 1>), config_3)
    }
}

/// The top bit of each configuration register says whether there is another one.
fn has_config_3(config: u32) -> bool {
    const MORE: u32 = 1 << 31;
    config & MORE != 0 && cp0::read_system::<16, 1>() & MORE != 0 && cp0::read_system::<16, 2>() & MORE != 0
}

/// R10000 and its heirs have no Config1.
fn is_before_config1() -> bool {
    Model::of(Prid::from_bits(cp0::read_narrow(Cp0::PRID))).is_none_or(Model::is_before_config1)
}

/// Is this a counter?
#[inline(always)]
const fn is_counter(at: Cp0) -> bool {
    at.number() == Cp0::PERFORMANCE && at.select() & 1 == 1
}

impl<K: Kernel> Registers for Hardware<K> {
    type Address = Cp0;
    type Index = Cp0;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn read(&self, at: Cp0) -> u64 {
        if is_counter(at) { self.read_counter(at) } else { cp0::read_narrow(at).into() }
    }

    /// A write takes effect before the next instruction: a barrier for hazards of coprocessor 0 follows.
    #[inline(always)]
    fn write(&self, at: Cp0, value: u64) {
        if at.is_wide() {
            cp0::write_wide(at, value);
        } else {
            cp0::write_narrow(at, value as u32);
        }
        state::barrier();
    }

    #[inline(always)]
    fn read_counter(&self, index: Cp0) -> u64 {
        cp0::read_counter(index)
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        cp0::read_system::<9, 0>().into()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        state::mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        state::unmask(before);
    }

    #[inline(always)]
    fn fence(&self) {
        state::fence();
    }
}
