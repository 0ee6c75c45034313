//! The Pentium's unit in software behaves as the manual says, and a guest cannot misuse it.

mod counting;
mod faults;
#[path = "../guests.rs"]
mod guests;
mod identities;
mod oracle;
mod snapshots;
mod strict;

use pmu::arch::x86::Msr;
use pmu::arch::x86::p5::{Device, Identity};
use pmu::virt::Kinds;

pub(crate) fn device(identity: &Identity) -> Device {
    Device::new(identity, Kinds::CLOCK)
}

pub(crate) fn counter(number: u8) -> Msr {
    Msr::p5_counter(number).unwrap()
}
