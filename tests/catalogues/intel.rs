//! Intel's tables, each by a processor that has it.

use pmu::arch::x86::intel::{Device, Facts, Identity, Intel};
use pmu::arch::x86::{Unattached, detect};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Backend, Event};

pub(crate) fn driver(identity: &Identity) -> impl Backend {
    Intel::new(Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.facts())
}

#[test]
fn intels_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::check(&driver(identity));
    }
}

#[test]
fn each_model_has_its_own_table() {
    let units = Identity::ALL.map(|identity| identity.facts().catalogue().unit);
    let all = ["core", "core_2", "nehalem", "skylake", "sapphirerapids", "lioncove"];
    assert_eq!(units, all.map(|unit| format!("i386/{unit}")));
}

/// Small cores share their model with large ones, and events with nobody.
#[test]
fn a_small_core_and_a_stranger_have_the_architectural_events() {
    let small = Facts { auxiliaries: &[], ..Identity::LION_COVE.facts() };
    let stranger = Facts { model: 0xFF, ..Identity::SKYLAKE.facts() };
    for facts in [small, stranger] {
        assert_eq!(facts.catalogue().unit, "i386/arch_perfmon");
        let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
        crate::check(&Intel::new(device, Unattached, facts));
    }
}

/// Names and codes of intel/perfmon's list and of the SDM, table "Architectural Performance Events".
#[test]
fn an_event_is_found_by_its_name_and_by_its_code() {
    let catalogue = Identity::SKYLAKE.facts().catalogue();
    let named = catalogue.named("mem_load_retired:l3_miss").unwrap();
    assert_eq!((catalogue.event(named), named.counters.bits()), (Event::raw(0x20D1), 0b1111));
    assert_eq!(catalogue.of_code(0x4F2E).map(|(named, _)| named.name), Some("LONGEST_LAT_CACHE.REFERENCE"));
    assert_eq!(catalogue.named("INST_RETIRED.ANY").map(|named| named.counters.bits()), Some(1 << 32));
}

#[test]
fn a_driver_that_was_found_out_has_its_familys_catalogue() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let driver = detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    assert_eq!(driver.catalogue().unit, "i386/skylake");
}
