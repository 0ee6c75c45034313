//! In x2APIC mode the same entry is an MSR; in xAPIC mode that MSR faults.

use crate::guest::lvt;
use crate::guest::msr::{self, Faulted};

const X2APIC_COUNTERS: u32 = 0x834;

pub fn test() {
    assert_eq!(msr::read(X2APIC_COUNTERS), Err(Faulted));
    lvt::switch_x2apic_on();
    assert_eq!(msr::read(X2APIC_COUNTERS), Ok(lvt::MASK.into()), "masked after reset");
    msr::write(X2APIC_COUNTERS, lvt::NMI.into()).expect("the entry can be written");
    assert_eq!(lvt::read(), lvt::NMI, "it is the same entry");
    assert_eq!(msr::write(X2APIC_COUNTERS, 1 << 11), Err(Faulted), "that bit is reserved");
}
