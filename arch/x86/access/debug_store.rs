//! This CPU's unit, its precise sampling and its debug store, over the instructions.

use super::{Hardware, rdmsr, wrmsr};
use crate::arch::x86::Index;
use crate::arch::x86::intel::pebs::Register;
use crate::contract::{Kernel, Masked, OneCpu, Registers};

/// This CPU's unit and its precise sampling, accessed by RDMSR, WRMSR and RDPMC.
#[derive(Clone, Copy, Debug)]
pub struct DebugStore<K = OneCpu> {
    of_cpu: Hardware<K>,
}

impl<K: Kernel> DebugStore<K> {
    /// Claims this CPU's precise sampling for `kernel`.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - what [`Hardware::claim`] says, of the unit and its line; a [`Unit`](crate::Unit) over the same counters has no session and
    ///   no thread while a program is started;
    /// - it is given to one [`Pebs`](crate::arch::x86::intel::pebs::Pebs) alone, and nobody else writes to it: the address that is
    ///   written to IA32_DS_AREA, and what lies there, decide where the processor writes;
    /// - the words that the driver was given are mapped at their address, and not paged out, in every address space that runs
    ///   between a start and the next stop, and no other CPU's sampling has them.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        // SAFETY: the caller's promise.
        Self { of_cpu: unsafe { Hardware::claim(kernel) } }
    }
}

impl<K: Kernel> Registers for DebugStore<K> {
    type Address = Register;
    type Index = Index;
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
        // SAFETY: claim() promised ring 0, that the unit is ours, and that the driver alone chooses where the processor writes.
        unsafe { wrmsr(at.address(), value) };
    }

    #[inline(always)]
    fn read_counter(&self, index: Index) -> u64 {
        self.of_cpu.read_counter(index)
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
