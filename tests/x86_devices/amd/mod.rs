//! AMD's unit in software behaves as the manual says, and a guest cannot misuse it.

mod counting;
mod faults;
#[path = "../guests.rs"]
mod guests;
mod hosts;
mod identities;
mod merging;
mod oracle;
mod overflow;
#[path = "../sampling.rs"]
mod sampling;
mod snapshots;
mod strict;

use pmu::arch::x86::amd::{Device, Identity};
use pmu::arch::x86::{Block, Msr};
use pmu::virt::{Device as _, Kinds, Trigger};

use crate::support::hostile::Line;

pub(crate) fn device<'l>(identity: &Identity, line: &'l Line) -> Device<&'l Line> {
    Device::new(identity, Kinds::CLOCK, line)
}

/// Counts in both modes and interrupts; event 0.
pub(crate) const ON: u64 = 1 << 22 | 1 << 20 | 1 << 17 | 1 << 16;
pub(crate) const INSTRUCTIONS: u64 = 0x00C0;
pub(crate) const CYCLES: u64 = 0x0076;

/// A selector by the address that all processors have; there are four.
pub(crate) fn legacy_select(number: u8) -> Msr {
    Msr::core_select(Block::Legacy, number).unwrap()
}

/// A counter by the address that all processors have; there are four.
pub(crate) fn legacy_counter(number: u8) -> Msr {
    Msr::core_counter(Block::Legacy, number).unwrap()
}

pub(crate) fn select(number: u8) -> Msr {
    Msr::core_select(Block::Core, number).unwrap()
}

pub(crate) fn counter(number: u8) -> Msr {
    Msr::core_counter(Block::Core, number).unwrap()
}

/// Counter `number`, one of the first four, counts instructions and interrupts `events` from now.
pub(crate) fn sample<T: Trigger>(device: &Device<T>, number: u8, events: u64) {
    device.try_write(legacy_select(number), ON | INSTRUCTIONS).unwrap();
    device.try_write(legacy_counter(number), events.wrapping_neg()).unwrap();
}
