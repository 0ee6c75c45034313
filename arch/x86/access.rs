//! Access to the unit's real registers, by instructions.
//!
//! They are the same with registers of 64 bits and of 32: a 64-bit value goes in two halves, EDX and EAX.

#[cfg(target_has_atomic = "64")]
mod debug_store;
pub(in crate::arch) mod door;
mod ibs;

use core::arch::asm;

#[cfg(target_has_atomic = "64")]
pub use debug_store::DebugStore;
pub use ibs::Ibs;

use super::{Index, LineRegister, Lvtpc, Msr};
use crate::contract::{Kernel, Masked, OneCpu, Registers};

use raw_cpuid::{CpuIdReader, CpuIdResult};

/// CPUID, the instruction.
///
/// The 386 and the first 486s do not have it, and no unit either. A kernel that may run on one finds out by EFLAGS.ID
/// (SDM vol. 1, "Identification of Earlier IA-32 Processors") before it has a unit detected.
#[derive(Clone, Copy, Debug)]
pub struct Cpuid;

impl CpuIdReader for Cpuid {
    #[allow(unused_unsafe, reason = "newer compilers know that it is safe")]
    fn cpuid2(&self, eax: u32, ecx: u32) -> CpuIdResult {
        #[cfg(target_pointer_width = "32")]
        use core::arch::x86::__cpuid_count;
        #[cfg(target_pointer_width = "64")]
        use core::arch::x86_64::__cpuid_count;

        // SAFETY: every processor that has a unit has the instruction, which has no effect.
        let leaf = unsafe { __cpuid_count(eax, ecx) };
        CpuIdResult { eax: leaf.eax, ebx: leaf.ebx, ecx: leaf.ecx, edx: leaf.edx }
    }
}

/// This CPU's unit, accessed by RDMSR, WRMSR and RDPMC.
///
/// It has no size if the kernel's value `K` has none.
#[derive(Clone, Copy, Debug)]
pub struct Hardware<K = OneCpu>(K);

impl<K: Kernel> Hardware<K> {
    /// Claims this CPU's unit for `kernel`. This is the last `unsafe` that a kernel writes.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in ring 0;
    /// - nobody else programs this CPU's unit, nor its APIC's entry for counters if that is accessed
    ///   through it ([`super::Apic::x2apic`]), and then the APIC is in x2APIC mode;
    /// - the interrupt that the entry raises has a gate whose handler may run between any two
    ///   instructions that count: for [`Lvtpc::NMI`] the gate of vector 2, whatever stack
    ///   and mode the processor is in then; for [`Lvtpc::vector`] the gate of that vector, for an
    ///   interrupt without an error code, whose handler signals the end of interrupt to the
    ///   APIC. Either handler returns with every register as it was.
    #[must_use]
    pub const unsafe fn claim(kernel: K) -> Self {
        Self(kernel)
    }

    /// Lets user programs read counters by RDPMC (CR4.PCE): all counters, whoever uses them. See
    /// [`crate::Pmu::show_only`] for hiding counters from a program.
    ///
    /// CR4 is read, changed and written. A kernel that keeps a copy of CR4 and writes it sets PCE in the copy
    /// instead. No interrupt that changes CR4 may come between reading and writing.
    pub fn open_user_reads(&self) {
        self.write_cr4(self.read_cr4() | Self::USER_READS);
    }

    /// Makes RDPMC fault in user programs. Changes CR4 like [`Hardware::open_user_reads`]. A kernel calls it in its
    /// [`Kernel::close_user_reads`].
    pub fn close_user_reads(&self) {
        self.write_cr4(self.read_cr4() & !Self::USER_READS);
    }

    /// PCE (SDM vol. 3, "Control Registers", CR4 bit 8). A move to or from a control register
    /// leaves the flags undefined (vol. 2, "MOV - Move to/from Control Registers").
    const USER_READS: usize = 1 << 8;

    fn read_cr4(&self) -> usize {
        let value;
        // SAFETY: claim() promised ring 0, where reading CR4 has no effect.
        unsafe { asm!("mov {}, cr4", out(reg) value, options(nomem, nostack)) };
        value
    }

    fn write_cr4(&self, value: usize) {
        // SAFETY: claim() promised ring 0; callers change only PCE, which touches no memory.
        unsafe { asm!("mov cr4, {}", in(reg) value, options(nostack)) };
    }
}

/// Pushes a whole register's width, which `pop` expects.
#[cfg(target_pointer_width = "64")]
macro_rules! push_flags {
    () => {
        "pushfq"
    };
}
#[cfg(target_pointer_width = "32")]
macro_rules! push_flags {
    () => {
        "pushfd"
    };
}

/// EFLAGS.IF (SDM vol. 1, figure "EFLAGS Register").
const INTERRUPT_FLAG: u64 = 1 << 9;

impl<K: Kernel> Registers for Hardware<K> {
    type Address = Msr;
    type Index = Index;
    type Kernel = K;

    #[inline(always)]
    fn kernel(&self) -> K {
        self.0
    }

    #[inline(always)]
    fn read(&self, at: Msr) -> u64 {
        // SAFETY: claim() promised ring 0; an `Msr` is a register of the unit, and reading those
        // has no effect.
        unsafe { rdmsr(at.address()) }
    }

    #[inline(always)]
    fn write(&self, at: Msr, value: u64) {
        // SAFETY: claim() promised ring 0 and that the unit is ours; no `Msr` reaches memory.
        unsafe { wrmsr(at.address(), value) };
    }

    #[inline(always)]
    fn read_counter(&self, index: Index) -> u64 {
        rdpmc(index)
    }

    #[inline(always)]
    fn ticks(&self) -> u64 {
        rdtsc()
    }

    #[inline(always)]
    fn mask(&self) -> Masked {
        let flags: usize;
        // SAFETY: claim() promised ring 0; the stack is used and left as it was.
        unsafe { asm!(push_flags!(), "pop {}", "cli", out(reg) flags, options(preserves_flags)) };
        Masked::from_bits(flags as u64)
    }

    /// Uses STI and not POPF, which would also restore other flags from a value that any safe program can make.
    #[inline(always)]
    fn unmask(&self, before: Masked) {
        if before.bits() & INTERRUPT_FLAG != 0 {
            // SAFETY: claim() promised ring 0, and that interrupts have their handlers.
            unsafe { asm!("sti", options(nostack, preserves_flags)) };
        }
    }
}

impl<K: Kernel> LineRegister for Hardware<K> {
    #[inline(always)]
    fn read_line(&self) -> u32 {
        // SAFETY: claim() promised ring 0 and x2APIC mode, in which reading the entry has no effect.
        unsafe { rdmsr(X2APIC_LINE) as u32 }
    }

    #[inline(always)]
    fn write_line(&self, entry: Lvtpc) {
        // SAFETY: claim() promised ring 0, x2APIC mode, that the entry is ours, and a handler for
        // what an `Lvtpc` can raise.
        unsafe { wrmsr(X2APIC_LINE, entry.bits().into()) };
    }
}

/// The local APIC's line from the counters, in x2APIC mode (IA32_X2APIC_LVT_PMI; SDM vol. 3, table
/// "Local APIC Register Address Map Supported by x2APIC").
const X2APIC_LINE: u32 = 0x834;

/// # Safety
/// The processor is in ring 0 and has the register, and reading it has no effect.
#[inline(always)]
unsafe fn rdmsr(address: u32) -> u64 {
    let (low, high): (usize, usize);
    // SAFETY: the caller's promise. RDMSR clears the upper halves of wider registers.
    unsafe {
        asm!("rdmsr", in("ecx") address, out("eax") low, out("edx") high, options(nostack, preserves_flags));
    }
    (high as u64) << 32 | low as u64
}

/// # Safety
/// The processor is in ring 0 and has the register, which may be given this value.
#[inline(always)]
unsafe fn wrmsr(address: u32, value: u64) {
    let (low, high) = (value as usize, (value >> 32) as usize);
    // SAFETY: the caller's promise.
    unsafe {
        asm!("wrmsr", in("ecx") address, in("eax") low, in("edx") high, options(nostack, preserves_flags));
    }
}

/// Counters as a user program reads them, without calling the kernel.
#[derive(Clone, Copy, Debug)]
pub struct User(());

impl User {
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - CR4.PCE is set ([`Hardware::open_user_reads`]), or the processor is in ring 0;
    /// - the indices that are read name counters which the processor has.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Reads a counter.
    #[inline(always)]
    #[must_use]
    pub fn read(&self, index: Index) -> u64 {
        rdpmc(index)
    }

    /// Reads the time-stamp counter.
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        rdtsc()
    }
}

#[inline(always)]
fn rdpmc(index: Index) -> u64 {
    let (low, high): (usize, usize);
    // SAFETY: both claims promised the right to read counters. RDPMC clears the upper halves of wider registers.
    // `nomem` is left out so that the compiler keeps what is measured between two readings.
    unsafe {
        asm!("rdpmc", in("ecx") index.raw(), out("eax") low, out("edx") high, options(nostack, preserves_flags));
    }
    (high as u64) << 32 | low as u64
}

#[inline(always)]
fn rdtsc() -> u64 {
    let (low, high): (usize, usize);
    // SAFETY: reads a clock. RDTSC clears the upper halves of wider registers. `nomem` is left out as for counters.
    unsafe { asm!("rdtsc", out("eax") low, out("edx") high, options(nostack, preserves_flags)) };
    (high as u64) << 32 | low as u64
}
