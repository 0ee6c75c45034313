//! This CPU's instruction-based sampling, over the instructions.

use core::convert::Infallible;

use super::{Hardware, rdmsr, wrmsr};
use crate::arch::x86::amd::ibs::Register;
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This CPU's instruction-based sampling, accessed by RDMSR and WRMSR.
#[derive(Clone, Copy, Debug)]
pub struct Ibs<K = OneCpu> {
    of_cpu: Hardware<K>,
}

impl<K: Kernel> Ibs<K> {
    /// Claims this CPU's sampling for `kernel`.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in ring 0, and CPUID announces sampling (Fn8000_0001_ECX, bit 10) to the driver that has it;
    /// - nobody else programs this CPU's sampling;
    /// - the interrupt that its entry of the local APIC raises, unless it is masked, has a gate whose handler may run between any
    ///   two instructions, as [`Hardware::claim`] says.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        // SAFETY: of the unit, the interrupt flag and the clock alone are used.
        Self { of_cpu: unsafe { Hardware::claim(kernel) } }
    }
}

impl<K: Kernel> Registers for Ibs<K> {
    type Address = Register;
    type Index = Infallible;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.of_cpu.kernel()
    }

    #[inline(always)]
    fn read(&self, at: Register) -> u64 {
        // SAFETY: claim() promised ring 0 and that the register exists; reading it has no effect.
        unsafe { rdmsr(at.address()) }
    }

    #[inline(always)]
    fn write(&self, at: Register, value: u64) {
        // SAFETY: claim() promised ring 0 and that the sampling is ours; none of its registers reaches memory.
        unsafe { wrmsr(at.address(), value) };
    }

    #[inline(always)]
    fn read_counter(&self, index: Infallible) -> u64 {
        match index {}
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        self.of_cpu.ticks()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        self.of_cpu.mask()
    }

    #[inline(always)]
    fn unmask(&self, before: Masked) {
        self.of_cpu.unmask(before);
    }

    #[inline(always)]
    fn fence(&self) {
        self.of_cpu.fence();
    }
}
