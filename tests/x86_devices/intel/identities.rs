//! The CPUID leaves that a guest reads, and the capabilities that a driver finds in them.

use pmu::arch::x86::intel::{Architectural, Capabilities, Device, Identity, Intel};
use pmu::arch::x86::{Msr, Unattached, Window};
use pmu::driver::Plan;
use pmu::request::Refusal;
use pmu::virt::{Device as _, Fault, Kinds, Unconnected};
use pmu::{CounterSet, Event, Request};

use super::leaves::answer;
use crate::beneath::every;

fn leaves(identity: &Identity, leaf: u32, subleaf: u32) -> [u32; 4] {
    answer(identity, leaf, subleaf, [0; 4])
}

#[test]
fn each_identity_has_the_next_version() {
    assert_eq!(Identity::ALL.map(|identity| identity.capabilities().version), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn families_and_models_are_the_processors_own() {
    let models = [0x0E, 0x0F, 0x1A, 0x5E, 0x8F, 0xBD];
    assert_eq!(
        Identity::ALL.map(|identity| (identity.capabilities().family, identity.capabilities().model)),
        models.map(|m| (6, m))
    );
}

#[test]
fn counters_are_those_of_the_processors_data_sheets() {
    let counters = Identity::ALL.map(|identity| {
        let capabilities = identity.capabilities();
        (
            capabilities.general.len(),
            capabilities.general_width().bits(),
            capabilities.fixed.len(),
            capabilities.window(),
        )
    });
    let [core_duo, rest @ ..] = counters;
    assert_eq!((core_duo.0, core_duo.1, core_duo.2, core_duo.3), (2, 40, 0, Window::Narrow));
    assert_eq!(
        rest,
        [
            (2, 40, 3, Window::Narrow),
            (4, 48, 3, Window::Narrow),
            (8, 48, 3, Window::Full),
            (8, 48, 4, Window::Full),
            (10, 48, 4, Window::Full),
        ]
    );
}

#[test]
fn lion_coves_leaf_0ah_speaks_for_all_its_cores_and_leaf_23h_for_its_own() {
    let identity = Identity::LION_COVE;
    assert_eq!(leaves(&identity, 0x0A, 0)[0] >> 8 & 0xFF, 8);
    assert_eq!(identity.capabilities().general, CounterSet::first(10));
}

#[test]
fn a_guest_finds_intels_name_and_enough_leaves() {
    for identity in Identity::ALL {
        let [last, ebx, ecx, edx] = leaves(&identity, 0, 0);
        let name = [ebx, edx, ecx].map(u32::to_le_bytes).concat();
        assert_eq!((name.as_slice(), last >= 0x0A), (&b"GenuineIntel"[..], true));
        assert_eq!(answer(&identity, 0, 0, [0x40, 1, 2, 3])[0], 0x40, "what is underneath is not cut off");
    }
}

#[test]
fn units_that_only_the_processor_underneath_has_are_hidden() {
    for identity in Identity::ALL {
        let [_, _, ecx, edx] = answer(&identity, 1, 0, [u32::MAX; 4]);
        assert_eq!((ecx >> 2 & 1, ecx >> 15 & 1, edx >> 21 & 1), (0, 1, 0), "no debug store, but capabilities");
        assert_eq!(answer(&identity, 0x8000_0001, 0, [u32::MAX; 4])[2] & 0x1180_0400, 0, "another vendor's counters");
        assert_eq!(answer(&identity, 0x8000_0022, 0, [u32::MAX; 4]), [0; 4], "another vendor's version 2");
    }
}

/// Bits that a host with every feature has and the unit does not: leaf, subleaf, register, bits.
const NOT_MODELLED: [(u32, u32, usize, u32); 12] = [
    (0x01, 0, 2, 1 << 2 | 1 << 4),
    (0x01, 0, 3, 1 << 21),
    (0x07, 0, 1, 1 << 4 | 1 << 11 | 1 << 25),
    (0x07, 0, 3, 1 << 11 | 1 << 13 | 1 << 19),
    (0x0D, 1, 2, 1 << 8 | 1 << 15),
    (0x0D, 8, 0, u32::MAX),
    (0x0D, 15, 0, u32::MAX),
    (0x14, 0, 1, u32::MAX),
    (0x1C, 0, 0, u32::MAX),
    (0x8000_0001, 0, 2, 0x1980_8400),
    (0x8000_0008, 0, 1, 1 << 1),
    (0x8000_001B, 0, 0, u32::MAX),
];

#[test]
fn a_host_with_every_feature_lends_a_guest_none_that_the_unit_lacks() {
    for identity in Identity::ALL {
        for (leaf, subleaf, register, bits) in NOT_MODELLED {
            let answer = answer(&identity, leaf, subleaf, [u32::MAX; 4])[register];
            assert_eq!(answer & bits, 0, "{} {leaf:#x}.{subleaf}", identity.name());
        }
    }
}

#[test]
fn a_driver_finds_the_same_unit_whatever_is_underneath() {
    for identity in Identity::ALL {
        let over = |native: u32| {
            let cpuid = move |leaf, subleaf| identity.cpuid(leaf, subleaf, &every([native; 4]));
            let perf_capabilities = identity.capabilities().perf_capabilities.map_or(0, |bits| bits.bits());
            format!("{:?}", Capabilities::discover(&cpuid, || perf_capabilities).unwrap())
        };
        assert_eq!(over(u32::MAX), over(0), "{}", identity.name());
    }
}

#[test]
fn a_hybrids_signature_comes_with_the_leaf_that_tells_its_cores_apart() {
    let kind_of_core = |identity: Identity| (leaves(&identity, 7, 0)[3] >> 15 & 1, leaves(&identity, 0x1A, 0)[0]);
    assert_eq!([Identity::LION_COVE, Identity::SKYMONT].map(kind_of_core), [(1, 0x4000_0003), (1, 0x2000_0003)]);
    for native in [[0; 4], [u32::MAX; 4]] {
        for identity in [Identity::CORE_DUO, Identity::SKYLAKE, Identity::SAPPHIRE_RAPIDS] {
            assert_eq!(answer(&identity, 7, 0, native)[3] >> 15 & 1, 0, "{}", identity.name());
            assert_eq!(answer(&identity, 0x1A, 0, native), [0; 4], "{}", identity.name());
        }
    }
}

#[test]
fn only_version_6_has_leaf_23h() {
    for identity in Identity::ALL {
        let announced = leaves(&identity, 7, 1)[0] >> 8 & 1 == 1;
        let hidden = answer(&identity, 7, 1, [u32::MAX; 4])[0] >> 8 & 1 == 0;
        let there = leaves(&identity, 0x23, 0) != [0; 4];
        let is_6 = identity.capabilities().version == 6;
        assert_eq!((announced, hidden, there), (is_6, !is_6, is_6), "{}", identity.name());
    }
    assert_eq!(leaves(&Identity::LION_COVE, 0x23, 9), [0; 4]);
    assert_eq!(leaves(&Identity::LION_COVE, 0x23, u32::MAX), [0; 4]);
}

#[test]
fn a_guest_may_be_given_fewer_counters_but_at_least_one_and_none_that_has_no_address() {
    for identity in Identity::ALL {
        for (wanted, given) in [(0, 1), (1, 1), (3, 3), (10, 10), (u8::MAX, 10)] {
            let identity = identity.with_general_counters(wanted);
            assert_eq!(identity.capabilities().general, CounterSet::first(given), "{} of {wanted}", identity.name());
            let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
            let counter = |number| device.try_read(Msr::counter(Window::Narrow, number).unwrap());
            assert_eq!(counter(given - 1), Ok(0));
            assert!(given == Msr::GENERAL || counter(given) == Err(Fault::Absent));
        }
    }
}

#[test]
fn a_guests_driver_refuses_what_its_host_does_not_announce() {
    let hidden = Architectural::CACHE_MISSES | Architectural::BRANCH_MISSES;
    for identity in Identity::ALL.map(|identity| identity.without_events(hidden)) {
        assert!(!identity.capabilities().events.intersects(hidden), "{}", identity.name());
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let driver = Intel::<_, _>::detect(&identity, &device, Unattached).unwrap();
        let encode = |event| driver.encode(&Request::new(event)).map(|_| ());
        assert_eq!(encode(Event::CACHE_MISSES), Err(Refusal::UnknownEvent), "{}", identity.name());
        assert_eq!(encode(Event::INSTRUCTIONS), Ok(()), "{}", identity.name());
    }
}
