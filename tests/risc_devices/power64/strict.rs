//! The rules of `Strict`: what a driver must not do although the hardware permits it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pmu::arch::powerpc::Spr;
use pmu::arch::powerpc::book3s::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Kinds, Strict, Unconnected};

use super::{FC, FC5_6, INSTRUCTIONS, PMAE, at, pmc};

type Unit = Strict<Device<Unconnected>>;

/// Counts instructions on PMC1, with PMC5 and PMC6 frozen.
fn counting(identity: &Identity) -> Unit {
    let unit = Strict(Device::new(identity, Kinds::CLOCK, Unconnected));
    unit.write(at(798), 0x0200_0000);
    unit.write(at(795), FC5_6);
    unit
}

fn complaint(unit: &Unit, at: Spr, value: u64) -> Option<String> {
    let outcome = catch_unwind(AssertUnwindSafe(|| unit.write(at, value)));
    outcome.err().map(|panic| *panic.downcast::<String>().expect("a sentence"))
}

#[test]
fn a_counter_that_counts_is_not_written_and_one_that_rests_is() {
    let unit = counting(&Identity::POWER8);
    assert_eq!(complaint(&unit, pmc(1), 1).as_deref(), Some("writing 0x1 to PMC1: a counter that counts is written"));
    assert_eq!(complaint(&unit, pmc(2), 1), None);
    unit.write(at(795), FC);
    assert_eq!(complaint(&unit, pmc(1), 1), None);
}

#[test]
fn what_is_counted_is_not_changed_while_it_is_counted() {
    let unit = counting(&Identity::POWER8);
    for number in [798, 785, 786] {
        let complaint = complaint(&unit, at(number), 1 << 63).expect("it counts");
        assert!(complaint.ends_with("what counters count is changed while they count"), "{complaint}");
    }
    assert_eq!(complaint(&unit, at(798), 0x0200_0000), None, "nothing has changed");
    unit.write(at(795), FC);
    assert_eq!(complaint(&unit, at(798), INSTRUCTIONS), None);
}

#[test]
fn a_reserved_bit_is_not_set() {
    let unit = counting(&Identity::POWER7);
    let complaint = complaint(&unit, at(795), FC | 1 << 20).expect("POWER7 has no event-based branches");
    assert!(complaint.ends_with("bits are set that are reserved"), "{complaint}");
}

#[test]
fn a_counter_is_not_made_negative_while_alerts_are_on() {
    let unit = counting(&Identity::POWER8);
    unit.write(at(795), FC5_6 | PMAE);
    assert_eq!(complaint(&unit, pmc(2), 0x7FFF_FFFF), None);
    let complaint = complaint(&unit, pmc(2), 1 << 31).expect("it alerts at once");
    assert!(complaint.contains("alerts at once"), "{complaint}");
}

#[test]
fn counters_that_cannot_be_stopped_may_be_written() {
    let unit = Strict(Device::new(&Identity::POWER6, Kinds::CLOCK, Unconnected));
    assert_eq!(complaint(&unit, pmc(5), 1), None);
    assert_eq!(complaint(&unit, at(798), INSTRUCTIONS), None);
}
