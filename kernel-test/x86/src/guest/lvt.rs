//! The xAPIC's entry for the performance counters: its register, at its usual place.
//!
//! Intel SDM volume 3, "Local APIC Register Address Map" and "Local Vector Table".

use core::ptr::NonNull;

use super::msr;

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

/// The MSR that places the local APIC and switches its modes, and x2APIC mode there.
pub const APIC_BASE: u32 = 0x1b;
const X2APIC_ENABLED: u64 = 1 << 10;
/// The first extended entry, in x2APIC mode (AMD APM volume 2, "Extended Interrupt Local Vector Table" and "x2APIC").
const EXTENDED: u32 = 0x850;

/// Switches x2APIC mode on.
pub fn switch_x2apic_on() {
    let base = msr::read(APIC_BASE).expect("the local APIC has a base");
    msr::write(APIC_BASE, base | X2APIC_ENABLED).expect("x2APIC can be switched on");
}

/// Makes an extended entry raise NMIs.
pub fn open_extended(entry: u8) {
    switch_x2apic_on();
    msr::write(EXTENDED + u32::from(entry), NMI.into()).expect("the entry can be written");
}
