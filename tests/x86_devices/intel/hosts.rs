//! A guest is given the processor that it runs on, or less of it.
//!
//! The leaves are real processors', from the CPUID dumps of InstLatx64 that are named.

use pmu::arch::x86::intel::{Architectural, Capabilities, Core, Device, Identity, Intel};
use pmu::arch::x86::{CpuIdReader, CpuIdResult, Msr, Unattached};
use pmu::driver::Plan;
use pmu::request::Refusal;
use pmu::virt::{Device as _, Fault, Kind, Kinds, Unconnected};
use pmu::{CounterSet, Error, Event, Request};

use crate::beneath::{every, of, registers};

/// Ice Lake (GenuineIntel00706E5).
const ICE_LAKE: &[(u32, u32, [u32; 4])] = &[
    (0x00, 0, [0x1B, 0x756E_6547, 0x6C65_746E, 0x4965_6E69]),
    (0x01, 0, [0x0007_06E5, 0x0010_0800, 0x7FFA_FBBF, 0xBFEB_FBFF]),
    (0x07, 0, [0, 0xF2BF_27EF, 0x4040_5F4E, 0xBC00_0410]),
    (0x0A, 0, [0x0830_0805, 0, 0x0F, 0x8604]),
    (0x1B, 0, [1, 0, 0, 0]),
    (0x8000_0008, 0, [0x3027, 0, 0, 0]),
];

/// A large core of Alder Lake (GenuineIntel0090672).
const ALDER_LAKE: &[(u32, u32, [u32; 4])] = &[
    (0x00, 0, [0x20, 0x756E_6547, 0x6C65_746E, 0x4965_6E69]),
    (0x01, 0, [0x0009_0672, 0x0080_0800, 0x7FFA_FBFF, 0xBFEB_FBFF]),
    (0x07, 0, [1, 0xF3BF_A7EB, 0x98C0_7FEE, 0xFC9C_C510]),
    (0x07, 1, [0x0040_1C30, 0, 0, 0]),
    (0x0A, 0, [0x0830_0805, 0, 0x0F, 0x8604]),
    (0x1A, 0, [0x4000_0001, 0, 0, 0]),
    (0x20, 0, [0, 1, 0, 0]),
];

/// A small core of Lunar Lake (GenuineIntel00B06D1).
const LUNAR_LAKE: &[(u32, u32, [u32; 4])] = &[
    (0x00, 0, [0x23, 0x756E_6547, 0x6C65_746E, 0x4965_6E69]),
    (0x01, 0, [0x000B_06D1, 0x0080_0800, 0x7FFA_FBBF, 0xBFEB_FBFF]),
    (0x07, 0, [2, 0x239C_A7EB, 0x9940_27AC, 0xFC1C_C430]),
    (0x07, 1, [0x44C0_09D7, 3, 0, 0x0004_0430]),
    (0x0A, 0, [0x0D30_0806, 0x280, 0x07, 0x8603]),
    (0x1A, 0, [0x2000_0003, 0, 0, 0]),
    (0x23, 0, [0x0F, 3, 8, 0]),
    (0x23, 1, [0xFF, 0x77, 0, 0]),
    (0x23, 2, [0xFC, 3, 0xFC, 3]),
    (0x23, 3, [0x1F7F, 0, 0, 0]),
];

/// IA32_PERF_CAPABILITIES of a processor with everything, of which a device has the full-width writes.
const FULL_WRITE: u64 = 1 << 13;
const EVERYTHING: u64 = u64::MAX;

fn of_host(leaves: &'static [(u32, u32, [u32; 4])]) -> Identity {
    Identity::of_host(&of(leaves), || EVERYTHING).unwrap()
}

#[test]
fn a_guest_finds_its_hosts_processor_and_the_counters_of_that() {
    for (leaves, model, core, fixed) in [
        (ICE_LAKE, 0x7E, Core::Alike, CounterSet::first(4)),
        (ALDER_LAKE, 0x97, Core::Large, CounterSet::first(4)),
        (LUNAR_LAKE, 0xBD, Core::Small(3), CounterSet::from_bits(0x77)),
    ] {
        let native = Capabilities::discover(&of(leaves), || EVERYTHING).unwrap();
        let capabilities = of_host(leaves).capabilities();
        assert_eq!((capabilities.family, capabilities.model, capabilities.core), (6, model, core));
        assert_eq!(capabilities.general, CounterSet::first(8));
        assert_eq!(capabilities.fixed.bits() >> 32, fixed.bits());
        assert_eq!(capabilities.perf_capabilities.map(|bits| bits.bits()), Some(FULL_WRITE));
        assert_eq!(
            (capabilities.counters_of_all_kinds(), capabilities.events),
            (native.counters_of_all_kinds(), native.events)
        );
    }
}

/// A processor of the future: leaf 0AH has 12 general counters and 9 fixed ones, leaf 23H as many.
#[test]
fn a_guest_is_told_of_no_counter_without_an_address() {
    let mut leaves = LUNAR_LAKE.to_vec();
    for (leaf, subleaf, answer) in &mut leaves {
        match (*leaf, *subleaf) {
            (0x0A, _) => *answer = [0x0D30_0C06, 0x280, 0x1FF, 0x8609],
            (0x23, 1) => *answer = [0xFFF, 0x1FF, 0, 0],
            _ => {}
        }
    }
    let leaves: &'static [(u32, u32, [u32; 4])] = leaves.leak();
    let identity = of_host(leaves);
    let leaf = |leaf, subleaf| registers(identity.cpuid(leaf, subleaf, &of(leaves)));
    assert_eq!((leaf(0x0A, 0), leaf(0x23, 1)), ([0x0D30_0A06, 0x280, 0x7F, 0x8607], [0x3FF, 0x7F, 0, 0]));
    let device = Device::new(&identity, Kinds::NONE, Unconnected);
    assert_eq!(device.try_write(Msr::GLOBAL_CONTROL, 0x7F << 32 | 0x3FF), Ok(()));
}

/// Core 2 announces no fixed counters and has three. Its guest finds the hypervisor's bit, with which drivers believe the number.
#[test]
fn a_guest_on_core_2_has_the_fixed_counters_that_the_processor_forgets_to_announce() {
    let forgetful = |leaf, subleaf| match leaf {
        0x0A => CpuIdResult { eax: 0x0728_0202, ebx: 0, ecx: 0, edx: 0 },
        _ => of(ICE_LAKE).cpuid2(leaf, subleaf),
    };
    let identity = Identity::of_host(&forgetful, || 0).unwrap();
    assert_eq!(registers(identity.cpuid(0x0A, 0, &forgetful)), [0x0728_0202, 0, 0, 0x03]);
    assert_eq!(identity.capabilities().fixed.bits() >> 32, 0b111);
}

#[test]
fn a_host_without_general_counters_has_no_identity_that_could_be_narrowed_to_nothing() {
    let without = |leaf, subleaf| match leaf {
        0x0A => CpuIdResult { eax: 0x0730_0002, ebx: 0, ecx: 0, edx: 0x0603 },
        _ => of(ICE_LAKE).cpuid2(leaf, subleaf),
    };
    let reason = "a guest's unit has at least one general counter, and this processor has none";
    assert_eq!(Identity::of_host(&without, || 0).map(|identity| identity.name()), Err(Error::NoUnit { reason }));
}

/// Linux 6.1 takes fewer than three for Core 2's mistake, up to version 4, and uses three.
#[test]
fn a_guest_with_fewer_than_three_fixed_counters_finds_the_hypervisors_bit() {
    for (count, expected) in [(0, 1), (1, 1), (2, 1), (3, 0)] {
        let identity = Identity::SKYLAKE.with_fixed_counters(count);
        assert_eq!(registers(identity.cpuid(1, 0, &of(ICE_LAKE)))[2] >> 31, expected, "{count}");
    }
}

#[test]
fn what_a_device_does_not_model_of_the_host_is_not_announced() {
    let identity = of_host(LUNAR_LAKE);
    let leaf = |leaf, subleaf| registers(identity.cpuid(leaf, subleaf, &of(LUNAR_LAKE)));
    assert_eq!(leaf(0x23, 0), [0x0B, 3, 8, 0], "no subleaf 2");
    assert_eq!(leaf(0x23, 2), [0; 4], "the auto counter reload");
    assert_eq!(leaf(0x01, 0)[3] >> 21 & 1, 0, "the debug store");
    assert_eq!(leaf(0x07, 0)[1] >> 25 & 1, 0, "the processor trace");
    assert_eq!(leaf(0x07, 0)[3] >> 19 & 1, 0, "branch records");
}

#[test]
fn a_version_that_is_newer_than_the_device_is_announced_as_the_devices() {
    let newer = |leaf, subleaf| {
        let native = of(ICE_LAKE).cpuid2(leaf, subleaf);
        CpuIdResult { eax: if leaf == 0x0A { 0x0830_0809 } else { native.eax }, ..native }
    };
    assert_eq!(Identity::of_host(&newer, || 0).unwrap().capabilities().version, 6);
}

#[test]
fn a_host_without_an_architectural_unit_has_no_identity() {
    let none = Identity::of_host(&every([0; 4]), || 0).map(|identity| identity.name());
    assert_eq!(none, Err(Error::NoUnit { reason: "CPUID has no leaf 01H" }));
}

/// A hypervisor below may keep counters for itself, and leaf 23H lists those that are left.
#[test]
fn a_narrowed_guest_has_none_of_the_general_counters_between_its_hosts() {
    let mut leaves = LUNAR_LAKE.to_vec();
    leaves.iter_mut().filter(|leaf| (leaf.0, leaf.1) == (0x23, 1)).for_each(|leaf| leaf.2 = [0b1010_0101, 0x77, 0, 0]);
    let identity = of_host(leaves.leak());
    for (count, expected) in [(1, 0b1), (2, 0b101), (3, 0b10_0101), (4, 0b1010_0101)] {
        let general = identity.with_general_counters(count).capabilities().general;
        assert_eq!(general, CounterSet::from_bits(expected), "{count}");
    }
}

#[test]
fn a_narrowed_guest_has_the_first_of_its_fixed_counters() {
    for identity in [of_host(ICE_LAKE), of_host(LUNAR_LAKE), Identity::NEHALEM, Identity::LION_COVE, Identity::CORE_DUO]
    {
        let all = identity.capabilities().fixed.bits() >> 32;
        for count in [0, 1, 2, 3, 7, u8::MAX] {
            let less = identity.with_fixed_counters(count);
            let expected = all & CounterSet::first(count).bits();
            assert_eq!(less.capabilities().fixed.bits() >> 32, expected, "{} of {count}", identity.name());
            let device = Device::new(&less, Kinds::CLOCK, Unconnected);
            for number in 0..Msr::FIXED {
                let exists = expected >> number & 1 == 1;
                let read = device.try_read(Msr::fixed(number).unwrap());
                assert_eq!(read, if exists { Ok(0) } else { Err(Fault::Absent) }, "{} {number}", identity.name());
            }
        }
    }
}

#[test]
fn a_guest_without_fixed_counters_is_told_of_its_hypervisor_lest_it_take_the_number_for_core_2s_mistake() {
    for identity in [Identity::CORE_2, Identity::NEHALEM, Identity::SKYLAKE] {
        let hypervisor = |identity: Identity| identity.cpuid(1, 0, &every([0; 4])).ecx >> 31;
        assert_eq!([hypervisor(identity), hypervisor(identity.with_fixed_counters(0))], [0, 1], "{}", identity.name());
    }
}

#[test]
fn a_guest_finds_only_the_events_and_the_fixed_counters_that_its_host_observes() {
    let observed = Kinds::NONE.with(Kind::Instructions).with(Kind::ReferenceCycles);
    let fixed = |identity: Identity| identity.capabilities().fixed.bits() >> 32;
    let of_versions = Identity::ALL.map(|identity| fixed(identity.fed_by(observed)));
    assert_eq!(of_versions, [0, 1, 1, 1, 0b101, 0b101], "before version 5 they are not listed");
    for identity in Identity::ALL.map(|identity| identity.fed_by(observed)) {
        let seen = identity.capabilities().events;
        assert_eq!(seen, Architectural::INSTRUCTIONS | Architectural::REFERENCE_CYCLES, "{}", identity.name());
        let device = Device::new(&identity, observed, Unconnected);
        let driver = Intel::<_, _>::detect(&identity, &device, Unattached).unwrap();
        let encode = |event| driver.encode(&Request::new(event)).map(|_| ());
        assert_eq!(encode(Event::BRANCHES), Err(Refusal::UnknownEvent), "{}", identity.name());
        assert_eq!(encode(Event::INSTRUCTIONS), Ok(()), "{}", identity.name());
    }
}

#[test]
fn a_guest_may_have_its_hosts_signature_and_another_unit() {
    let identity = Identity::SKYLAKE.with_signature(0x0007_06E5);
    assert_eq!(identity.cpuid(1, 0, &every([0; 4])).eax, 0x0007_06E5);
    assert_eq!(identity.capabilities().model, 0x7E);
    assert_eq!(identity.capabilities().version, Identity::SKYLAKE.capabilities().version);
}
