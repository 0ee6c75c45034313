//! The 32-bit PowerPCs' tables, each by a processor that has it.

use pmu::arch::powerpc::{classic, embedded};
use pmu::virt::{Kinds, Unconnected};

#[test]
fn the_classic_processors_events_are_counted_and_come_back() {
    for identity in &classic::Identity::ALL {
        let device = classic::Device::new(identity, Kinds::CLOCK, Unconnected);
        crate::catalogues::check(&classic::Classic::new(device, identity.capabilities()));
    }
}

#[test]
fn the_embedded_cores_events_are_counted_and_come_back() {
    for identity in &embedded::Identity::ALL {
        let device = embedded::Device::new(identity, Kinds::CLOCK, Unconnected);
        crate::catalogues::check(&embedded::Embedded::new(device, identity.capabilities()));
    }
}
