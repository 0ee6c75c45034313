//! AMD's tables, each by a processor that has it.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{Amd, Capabilities, Device, Identity};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Plan};

fn driver(identity: &Identity, capabilities: Capabilities) -> impl Plan {
    Amd::new(Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, capabilities)
}

pub(crate) fn driver_of_k8() -> impl Plan {
    driver(&Identity::K8, Identity::K8.capabilities())
}

/// A processor without an identity, based on one whose unit is alike.
fn relative(identity: &Identity, family: u32, model: u32) -> impl Plan {
    driver(identity, Capabilities { family, model, ..identity.capabilities() })
}

#[test]
fn amds_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::check(&driver(identity, identity.capabilities()));
    }
}

#[test]
fn the_events_of_their_relatives_are_too() {
    crate::check(&relative(&Identity::K8, 0x11, 0x03));
    crate::check(&relative(&Identity::FAMILY_10H, 0x12, 0x01));
    crate::check(&relative(&Identity::FAMILY_10H, 0x14, 0x02));
    crate::check(&relative(&Identity::ZEN_2, 0x17, 0x01));
    crate::check(&relative(&Identity::ZEN_4, 0x19, 0x21));
    crate::check(&relative(&Identity::ZEN_4, 0x1A, 0x44));
}

#[test]
fn each_family_has_its_own_table() {
    let units = Identity::ALL.map(|identity| identity.capabilities().catalogue().unit);
    let later = ["hammer", "family10", "family15h", "family16h", "zen2", "zen4"].map(|unit| format!("x86-64/{unit}"));
    assert_eq!((units[0], &units[1..]), ("i386/athlon", &later.each_ref().map(String::as_str)[..]));
}

/// BKDG 26094, "Performance Monitor Events", event 42H: its unit mask names the line's state.
#[test]
fn an_event_has_its_unit_masks_by_name() {
    let catalogue = Identity::K8.capabilities().catalogue();
    let named = catalogue.named("DATA_CACHE_REFILLS_FROM_SYSTEM").unwrap();
    assert_eq!(named.masks.value_of("owned"), Some(0x08));
    assert_eq!(catalogue.event(named), Event::raw(0x1F43));
}

/// PPR for family 17h, "Large Increment per Cycle Events".
#[test]
fn a_large_increment_is_on_even_counters() {
    let named = Identity::ZEN_2.capabilities().catalogue().named("fp_ret_sse_avx_ops.all").unwrap();
    assert_eq!((named.code, named.counters), (0xFF03, CounterSet::from_bits(0b01_0101)));
}
