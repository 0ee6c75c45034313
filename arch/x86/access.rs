//! How the unit's real registers are reached: the instructions themselves.

use core::arch::asm;
use core::fmt;

use volatile::access::ReadWrite;
use volatile::{VolatilePtr, VolatileRef};

use super::{Index, LineRegister, Lvtpc, Msr};
use crate::registers::Registers;

pub use raw_cpuid::CpuIdReaderNative as Cpuid;

/// This CPU's unit, by RDMSR, WRMSR and RDPMC.
///
/// It has no size: a driver over it costs what the instructions cost.
#[derive(Clone, Copy, Debug)]
pub struct Hardware(());

impl Hardware {
    /// The last `unsafe` that a kernel writes.
    ///
    /// # Safety
    /// Wherever the value, or a copy of it, is used:
    /// - the processor is in ring 0;
    /// - nobody else programs this CPU's unit, nor its APIC's performance-counter entry if that
    ///   is reached through it ([`super::X2Apic`]), and then the APIC is in x2APIC mode;
    /// - whichever interrupt the line is told to raise has a gate whose handler may come between
    ///   any two instructions that count: for [`Lvtpc::NMI`] the gate of vector 2, whatever stack
    ///   and mode the processor is in then; for [`Lvtpc::vector`] that vector's gate, for an
    ///   interrupt that brings no error code, whose handler signals the end of interrupt to the
    ///   APIC. Either returns to what it interrupted with every register as it was.
    #[must_use]
    pub const unsafe fn claim() -> Self {
        Self(())
    }

    /// Lets user programs read counters by RDPMC (CR4.PCE): all counters, whoever uses them. See
    /// [`crate::Pmu::show_only`] for what a program shall not see.
    ///
    /// CR4 is read, changed and written. A kernel that keeps a copy of CR4 and writes that sets
    /// PCE in its copy instead; and no interrupt that changes CR4 may come between the two.
    pub fn open_user_reads(&self) {
        self.write_cr4(self.read_cr4() | Self::USER_READS);
    }

    /// Makes RDPMC fault in user programs; changes CR4 as [`Hardware::open_user_reads`] does.
    pub fn close_user_reads(&self) {
        self.write_cr4(self.read_cr4() & !Self::USER_READS);
    }

    /// PCE (SDM vol. 3, "Control Registers", CR4 bit 8). A move to or from a control register
    /// leaves the flags undefined (vol. 2, "MOV - Move to/from Control Registers").
    const USER_READS: u64 = 1 << 8;

    fn read_cr4(&self) -> u64 {
        let value;
        // SAFETY: claim() promised ring 0, where reading CR4 has no effect.
        unsafe { asm!("mov {}, cr4", out(reg) value, options(nomem, nostack)) };
        value
    }

    fn write_cr4(&self, value: u64) {
        // SAFETY: claim() promised ring 0; callers change PCE alone, which touches no memory.
        unsafe { asm!("mov cr4, {}", in(reg) value, options(nostack)) };
    }
}

impl Registers for Hardware {
    type Address = Msr;
    type Index = Index;

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
}

impl LineRegister for Hardware {
    #[inline(always)]
    fn read_line(&self) -> u32 {
        // SAFETY: claim() promised ring 0 and x2APIC mode, where reading the entry has no effect.
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
/// The processor is in ring 0, has the register, and reading it has no effect.
#[inline(always)]
unsafe fn rdmsr(address: u32) -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: the caller's promise. RDMSR clears the upper halves.
    unsafe {
        asm!("rdmsr", in("ecx") address, out("rax") low, out("rdx") high, options(nostack, preserves_flags));
    }
    high << 32 | low
}

/// # Safety
/// The processor is in ring 0, has the register, and may be given this value there.
#[inline(always)]
unsafe fn wrmsr(address: u32, value: u64) {
    let high = value >> 32;
    // SAFETY: the caller's promise.
    unsafe {
        asm!("wrmsr", in("ecx") address, in("rax") value, in("rdx") high, options(nostack, preserves_flags));
    }
}

/// Counters as a user program reads them, without the kernel.
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

    /// The time-stamp counter.
    #[inline(always)]
    #[must_use]
    pub fn ticks(&self) -> u64 {
        rdtsc()
    }
}

#[inline(always)]
fn rdpmc(index: Index) -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: both claims promised the right to read counters. RDPMC clears the upper halves.
    // `nomem` is left out so that the compiler keeps what is measured between two readings.
    unsafe {
        asm!("rdpmc", in("ecx") index.raw(), out("rax") low, out("rdx") high, options(nostack, preserves_flags));
    }
    high << 32 | low
}

#[inline(always)]
fn rdtsc() -> u64 {
    let (low, high): (u64, u64);
    // SAFETY: reads a clock. RDTSC clears the upper halves. `nomem` is left out as for counters.
    unsafe { asm!("rdtsc", out("rax") low, out("rdx") high, options(nostack, preserves_flags)) };
    high << 32 | low
}

/// A local APIC's LVTPC register where it is mapped: what [`super::XApic`] writes.
#[derive(Clone, Copy)]
pub struct MappedLine(VolatilePtr<'static, u32, ReadWrite>);

impl MappedLine {
    /// # Safety
    /// - `register` is LVTPC of a local APIC in xAPIC mode (its base + 340H), mapped uncached, and
    ///   at the same address on every CPU that uses the value: each CPU reaches its own there;
    /// - whatever it is told to raise has the handler that [`Hardware::claim`] asks for.
    #[must_use]
    pub unsafe fn claim(register: VolatileRef<'static, u32>) -> Self {
        Self(register.into_ptr())
    }
}

// SAFETY: claim() took the only reference and promised a register that each CPU has for itself,
// so that no access from one CPU meets one from another; an access is one instruction, which no
// interrupt divides.
unsafe impl Send for MappedLine {}
// SAFETY: as for Send.
unsafe impl Sync for MappedLine {}

impl LineRegister for MappedLine {
    #[inline(always)]
    fn read_line(&self) -> u32 {
        self.0.read()
    }

    #[inline(always)]
    fn write_line(&self, entry: Lvtpc) {
        self.0.write(entry.bits());
    }
}

impl fmt::Debug for MappedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MappedLine").field(&self.0.as_raw_ptr()).finish()
    }
}
