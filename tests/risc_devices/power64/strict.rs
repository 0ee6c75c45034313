//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use pmu::arch::powerpc::book3s::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Kinds, Strict, Unconnected};

use super::{FC, FC5_6, INSTRUCTIONS, PMAE, at, pmc};
use crate::support::rules::judges;

type Unit = Strict<Device<Unconnected>>;

/// Counts instructions on PMC1, with PMC5 and PMC6 frozen.
fn counting(identity: &Identity) -> Unit {
    let unit = Strict(Device::new(identity, Kinds::CLOCK, Unconnected));
    unit.write(at(798), 0x0200_0000);
    unit.write(at(795), FC5_6);
    unit
}

#[test]
fn a_counter_that_counts_is_not_written_and_one_that_rests_is() {
    let unit = counting(&Identity::POWER8);
    judges(&unit, &[(pmc(1), 1, Some("a counter that counts is written")), (pmc(2), 1, None), (at(795), FC, None)]);
    judges(&unit, &[(pmc(1), 1, None)]);
}

#[test]
fn what_is_counted_is_not_changed_while_it_is_counted() {
    let changed = Some("what counters count is changed while they count");
    let unit = counting(&Identity::POWER8);
    judges(&unit, &[798, 785, 786].map(|number| (at(number), 1 << 63, changed)));
    judges(&unit, &[(at(798), 0x0200_0000, None), (at(795), FC, None), (at(798), INSTRUCTIONS, None)]);
}

/// POWER7 has no event-based branches.
#[test]
fn a_reserved_bit_is_not_set() {
    let reserved = Some("bits are set that are reserved");
    judges(&counting(&Identity::POWER7), &[(at(795), FC | 1 << 20, reserved)]);
}

#[test]
fn a_counter_is_not_made_negative_while_alerts_are_on() {
    let unit = counting(&Identity::POWER8);
    unit.write(at(795), FC5_6 | PMAE);
    let negative = Some("a counter is made negative while alerts are on: it alerts at once");
    judges(&unit, &[(pmc(2), 0x7FFF_FFFF, None), (pmc(2), 1 << 31, negative)]);
}

#[test]
fn counters_that_cannot_be_stopped_may_be_written() {
    let unit = Strict(Device::new(&Identity::POWER6, Kinds::CLOCK, Unconnected));
    judges(&unit, &[(pmc(5), 1, None), (at(798), INSTRUCTIONS, None)]);
}
