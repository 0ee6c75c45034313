//! Access to the unit's real registers, and what a kernel promises for it.
//!
//! The instructions are in `access/instructions.rs`.
//!
//! # The interrupt
//!
//! There is no entry for it: exceptions and interrupts arrive at EENTRY, which is the kernel's. The overflow interrupt is
//! number 10 of ESTAT\[IS\] and ECFG\[LIE\], with a vector of its own if ECFG\[VS\] is not 0
//! ([`INTERRUPT`](super::la64::Capabilities::INTERRUPT)). The kernel enables it, and its handler calls
//! [`Unit::on_overflow`](crate::Unit::on_overflow) with the address in ERA and the level in PRMD\[PPLV\].
//!
//! Callers of a sample are found from $fp, the interrupted register 22, by
//! [`Frames::below_pointers`](crate::samples::chain::Frames::below_pointers): with `-C force-frame-pointers=yes` it holds what
//! the stack pointer was when the function was called, and the return address and the caller's $fp are the two words below
//! (Linux' struct stack_frame, arch/loongarch/include/asm/stacktrace.h; so the compiler's output).
//!
//! # The clock
//!
//! [`Registers::ticks`] is the stable counter (RDTIME.D), which has 64 bits and a constant rate.
//!
//! # The driver
//!
//! `pmu::arch::detect` returns a [`La64`](super::la64::La64) over [`Hardware`], and requires what [`Hardware::claim`] does.

pub(in crate::arch) mod door;
mod instructions;

use super::Register;
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This CPU's unit, accessed by CSRRD, CSRWR and CPUCFG.
///
/// Its size is that of the kernel's value `K`, usually 0.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu>(K);

impl<K: Kernel> Hardware<K> {
    /// Claims this CPU's unit for `kernel`.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in PLV0, or a hypervisor carries out its instructions;
    /// - nobody else programs this CPU's unit;
    /// - the unit's interrupt has a handler that may run between any two instructions while it is unmasked, and that
    ///   returns with every register as it was.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }
}

/// Hardware keeps accesses to control and status registers in order ("LoongArch Reference Manual, volume 1", "Conflicts
/// caused by control and status registers"), so that no barrier follows them.
impl<K: Kernel> Registers for Hardware<K> {
    type Address = Register;
    type Index = Register;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn read(&self, at: Register) -> u64 {
        if at.is_word() { instructions::word(at.number()) } else { instructions::read(at) }
    }

    #[inline(always)]
    fn write(&self, at: Register, value: u64) {
        if !at.is_word() {
            instructions::write(at, value);
        }
    }

    #[inline(always)]
    fn read_counter(&self, index: Register) -> u64 {
        instructions::read_counter(index)
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        instructions::time()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        instructions::mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        instructions::unmask(before);
    }
}
