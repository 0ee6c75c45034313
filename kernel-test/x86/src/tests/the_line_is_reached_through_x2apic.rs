//! In x2APIC mode the same entry is an MSR; in xAPIC mode that MSR faults.

use crate::guest::lvt;
use crate::guest::msr::{self, Faulted};

const APIC_BASE: u32 = 0x1b;
const X2APIC_ENABLED: u64 = 1 << 10;
const X2APIC_COUNTERS: u32 = 0x834;

pub fn test() {
    assert_eq!(msr::read(X2APIC_COUNTERS), Err(Faulted));
    switch_on();
    assert_eq!(msr::read(X2APIC_COUNTERS), Ok(lvt::MASK.into()), "masked after reset");
    msr::write(X2APIC_COUNTERS, lvt::NMI.into()).expect("the entry can be written");
    assert_eq!(lvt::read(), lvt::NMI, "it is the same entry");
    assert_eq!(msr::write(X2APIC_COUNTERS, 1 << 11), Err(Faulted), "that bit is reserved");
}

/// Switches x2APIC mode on.
pub fn switch_on() {
    let base = msr::read(APIC_BASE).expect("the local APIC has a base");
    msr::write(APIC_BASE, base | X2APIC_ENABLED).expect("x2APIC can be switched on");
}
