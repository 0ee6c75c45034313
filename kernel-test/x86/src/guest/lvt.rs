//! The xAPIC's entry for the performance counters: its register, at its usual place.
//!
//! Intel SDM volume 3, "Local APIC Register Address Map" and "Local Vector Table".

use core::ptr::NonNull;

/// The entry's address.
pub const COUNTERS: NonNull<u32> = NonNull::without_provenance(core::num::NonZero::new(0xfee0_0340).unwrap());

/// Deliver as an NMI.
pub const NMI: u32 = 4 << 8;
/// Deliver nothing.
pub const MASK: u32 = 1 << 16;

/// Reads the entry.
pub fn read() -> u32 {
    // SAFETY: the boot code maps the local APIC, and this register reaches no memory.
    unsafe { COUNTERS.read_volatile() }
}

/// Writes the entry.
pub fn write(entry: u32) {
    // SAFETY: as for `read`.
    unsafe { COUNTERS.write_volatile(entry) };
}
