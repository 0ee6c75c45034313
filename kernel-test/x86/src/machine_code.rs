//! The processor's instructions that Rust has no words for.

use core::arch::asm;

#[cfg(target_pointer_width = "32")]
pub use core::arch::x86::{__cpuid, __cpuid_count, _rdtsc, CpuidResult};
#[cfg(target_pointer_width = "64")]
pub use core::arch::x86_64::{__cpuid, __cpuid_count, _rdtsc, CpuidResult};

/// `in`, of a byte.
///
/// # Safety
/// A device is at this port, and reading it does nothing to memory.
pub unsafe fn input(port: u16) -> u8 {
    let value;
    // SAFETY: the caller's promise.
    unsafe { asm!("in al, dx", in("dx") port, out("al") value, options(nomem, nostack, preserves_flags)) };
    value
}

/// `out`, of a byte.
///
/// # Safety
/// A device is at this port, and this byte does nothing to memory.
pub unsafe fn output(port: u16, value: u8) {
    // SAFETY: the caller's promise.
    unsafe { asm!("out dx, al", in("dx") port, in("al") value, options(nomem, nostack, preserves_flags)) };
}

/// `rdmsr`
///
/// # Safety
/// The processor has the register.
pub unsafe fn read_msr(register: u32) -> u64 {
    let (low, high): (u32, u32);
    // SAFETY: the caller's promise.
    unsafe { asm!("rdmsr", in("ecx") register, out("eax") low, out("edx") high, options(nomem, nostack)) };
    u64::from(high) << 32 | u64::from(low)
}

/// `wrmsr`
///
/// # Safety
/// The processor has the register, which may be given this value.
pub unsafe fn write_msr(register: u32, value: u64) {
    let (low, high) = (value as u32, (value >> 32) as u32);
    // SAFETY: the caller's promise.
    unsafe { asm!("wrmsr", in("ecx") register, in("eax") low, in("edx") high, options(nostack)) };
}

macro_rules! control_registers {
    ($($name:ident $move:literal)*) => {$(
        /// A control register.
        pub fn $name() -> u64 {
            let value: usize;
            // SAFETY: all that reads it is in ring 0, where it changes nothing.
            unsafe { asm!($move, out(reg) value, options(nomem, nostack)) };
            value as u64
        }
    )*};
}

control_registers! {
    cr0 "mov {}, cr0"
    cr3 "mov {}, cr3"
    cr4 "mov {}, cr4"
}

/// `sti`
pub fn enable_interrupts() {
    // SAFETY: every interrupt has its handler.
    unsafe { asm!("sti", options(nostack)) };
}

/// `cli`
pub fn disable_interrupts() {
    // SAFETY: whoever waits for an interrupt enables it.
    unsafe { asm!("cli", options(nostack)) };
}

/// `nop`
pub fn nop() {
    // SAFETY: nothing happens.
    unsafe { asm!("nop", options(nomem, nostack, preserves_flags)) };
}

/// `hlt`
pub fn halt() {
    // SAFETY: the processor waits for an interrupt.
    unsafe { asm!("hlt", options(nomem, nostack)) };
}

/// What `lgdt` and `lidt` read.
#[repr(C, packed)]
pub struct TablePointer {
    /// The offset of the table's last byte.
    pub limit: u16,
    /// The address of its first.
    pub base: usize,
}

impl TablePointer {
    /// `lgdt`
    ///
    /// # Safety
    /// The table is complete and lives for ever; the segments in use are at the same places in it as in the last one.
    pub unsafe fn load_segments(&self) {
        // SAFETY: the caller's promise.
        unsafe { asm!("lgdt [{}]", in(reg) self, options(readonly, nostack)) };
    }

    /// `lidt`
    ///
    /// # Safety
    /// The table is complete and lives for ever, or what comes to grief without it may.
    pub unsafe fn load_interrupts(&self) {
        // SAFETY: the caller's promise.
        unsafe { asm!("lidt [{}]", in(reg) self, options(readonly, nostack)) };
    }
}

/// `ltr`
///
/// # Safety
/// It selects the descriptor of a task state segment which lives for ever.
pub unsafe fn load_task(selector: u16) {
    // SAFETY: the caller's promise.
    unsafe { asm!("ltr {:x}", in(reg) selector, options(nostack)) };
}
