//! LoongArch's family: its drivers and devices keep the promises of all, its unit is what the manual describes, and what is
//! particular to it.

#[path = "../every_device/mod.rs"]
#[macro_use]
mod every_device;
#[path = "../every_driver/mod.rs"]
#[macro_use]
#[allow(dead_code, unused_macros, reason = "no counters of this family are chained, and all interrupt")]
mod every_driver;
#[path = "../every_driver/accounted.rs"]
mod accounted;
mod device;
mod driver;
#[path = "../traces/program.rs"]
#[allow(dead_code, reason = "no trace of this family takes requests out again")]
mod program;
mod subjects;
#[path = "../support/mod.rs"]
mod support;
mod trace;

use std::any::TypeId;

use every_driver::*;
use program::trace;
use subjects::{GuestOfOne, GuestOfTwo, Loongson3A5000, Loongson3C6000};
use support::machine;

/// The processor on which every access is tried. On the others a sample is.
fn whole() -> [TypeId; 1] {
    [TypeId::of::<Loongson3A5000>()]
}

every_driver! {
    loongson_3a5000: crate::Loongson3A5000;
    loongson_3c6000: crate::Loongson3C6000;
    loongson_guest_of_two: crate::GuestOfTwo, two;
}

every_driver_of_one_counter! {
    loongson_guest_of_one: crate::GuestOfOne;
}

#[test]
fn a_million_overflows_of_loongarchs_unit_are_all_accounted_for() {
    both_ways(|| {
        accounted::all_of([
            accounted::part::<Loongson3A5000>,
            accounted::part::<Loongson3C6000>,
            accounted::part::<GuestOfTwo>,
            accounted::part::<GuestOfOne>,
        ]);
    });
}
