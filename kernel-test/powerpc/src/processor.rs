//! The processor that the kernel itself runs on: the few of its registers that the kernel needs.

use core::arch::asm;

/// Numbers of special-purpose registers (Power ISA Book III, "Move To/From System Register
/// Instructions").
pub struct Spr;

impl Spr {
    /// DEC
    pub const DECREMENTER: u16 = 22;
    /// IVPR and IVOR35: where the performance monitor's handler is, on book E (Power ISA 2.07 Book III-E, "Interrupt
    /// Vector Prefix Register" and "Interrupt Vector Offset Registers").
    pub const VECTORS: u16 = 63;
    /// See [`Self::VECTORS`].
    pub const PERFORMANCE_MONITOR: u16 = 531;
    /// PVR: which processor it is.
    pub const VERSION: u16 = 287;
    /// HID0, of POWER8 and POWER9 (their user's manuals, "Hardware Implementation-Dependent Registers").
    #[cfg(target_pointer_width = "64")]
    pub const HARDWARE_IMPLEMENTATION: u16 = 1008;
    /// SPRG0
    pub const SOFTWARE_USE: u16 = 272;
    /// MMCR0
    #[cfg(target_pointer_width = "64")]
    pub const MONITOR_CONTROL: u16 = 795;
}

/// Reads a special-purpose register.
///
/// # Safety
/// The processor has it, and reading it has no effect.
#[inline(always)]
pub unsafe fn read_spr<const NUMBER: u16>() -> usize {
    let value;
    // SAFETY: the caller's promise.
    unsafe { asm!("mfspr {}, {number}", out(reg) value, number = const NUMBER, options(nostack)) };
    value
}

/// Writes a special-purpose register.
///
/// # Safety
/// The processor has it, and what it does is wanted.
#[inline(always)]
pub unsafe fn write_spr<const NUMBER: u16>(value: usize) {
    // SAFETY: the caller's promise.
    unsafe { asm!("mtspr {number}, {}", "isync", in(reg) value, number = const NUMBER, options(nostack)) };
}

/// The machine state register.
pub fn machine_state() -> usize {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("mfmsr {}", out(reg) value, options(nostack, nomem)) };
    value
}

/// R2, by which code finds its data where registers have 64 bits.
pub fn table_of_contents() -> usize {
    let value;
    // SAFETY: reads a register.
    unsafe { asm!("mr {}, 2", out(reg) value, options(nostack, nomem)) };
    value
}

/// Which processor QEMU emulates.
pub fn version() -> u32 {
    // SAFETY: every processor has this register.
    unsafe { read_spr::<{ Spr::VERSION }>() as u32 }
}

/// Is it one of POWER8's kinds? ("POWER8 Processor User's Manual", "Processor Version Register".)
#[cfg(target_pointer_width = "64")]
pub fn is_power8() -> bool {
    matches!(version() >> 16, 0x4b..=0x4d)
}
