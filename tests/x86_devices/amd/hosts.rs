//! A guest is given the processor that it runs on, or less of it.
//!
//! The leaves are real processors', from the CPUID dumps of InstLatx64 that are named.

use pmu::arch::x86::amd::{Device, Identity, Microarchitecture};
use pmu::arch::x86::{Block, Msr};
use pmu::virt::{Device as _, Fault, Kinds, Unconnected};
use pmu::{CounterSet, Error};

use crate::beneath::{every, of, registers};

/// Zen 3 (AuthenticAMD0A20F10).
const ZEN_3: &[(u32, u32, [u32; 4])] = &[
    (0x00, 0, [0x10, 0x6874_7541, 0x444D_4163, 0x6974_6E65]),
    (0x01, 0, [0x00A2_0F10, 0x0018_0800, 0x7ED8_320B, 0x178B_FBFF]),
    (0x8000_0000, 0, [0x8000_0023, 0x6874_7541, 0x444D_4163, 0x6974_6E65]),
    (0x8000_0001, 0, [0x00A2_0F10, 0x2000_0000, 0x75C2_37FF, 0x2FD3_FBFF]),
    (0x8000_0008, 0, [0x3030, 0x111E_F657, 0x5017, 0x0001_0000]),
    (0x8000_001B, 0, [0x3FF, 0, 0, 0]),
    (0x8000_0023, 0, [1, 0, 0, 0]),
];

/// Zen 4 (AuthenticAMD0A10F11).
const ZEN_4: &[(u32, u32, [u32; 4])] = &[
    (0x00, 0, [0x10, 0x6874_7541, 0x444D_4163, 0x6974_6E65]),
    (0x01, 0, [0x00A1_0F11, 0x0018_0800, 0x7EFA_320B, 0x178B_FBFF]),
    (0x8000_0000, 0, [0x8000_0028, 0x6874_7541, 0x444D_4163, 0x6974_6E65]),
    (0x8000_0001, 0, [0x00A1_0F11, 0x4000_0000, 0x75C2_37FF, 0x2FD3_FBFF]),
    (0x8000_0008, 0, [0x3934, 0x79BE_F25F, 0x80BF, 0x0001_0007]),
    (0x8000_001B, 0, [0xBFF, 0, 0, 0]),
    (0x8000_001D, 0, [0x121, 0x01C0_003F, 0x3F, 0]),
    (0x8000_0022, 0, [7, 0x0030_4106, 0xFFF, 0]),
    (0x8000_0028, 0, [0; 4]),
];

fn of_host(leaves: &'static [(u32, u32, [u32; 4])]) -> Identity {
    Identity::of_host(&of(leaves)).unwrap()
}

#[test]
fn a_guest_finds_its_hosts_processor_and_the_counters_of_that() {
    for (leaves, signature, version) in [(ZEN_3, 0x00A2_0F10, 0), (ZEN_4, 0x00A1_0F11, 2)] {
        let identity = of_host(leaves);
        let capabilities = identity.capabilities();
        let found = (identity.signature(), capabilities.microarchitecture, capabilities.version);
        assert_eq!(found, (signature, Microarchitecture::Zen3, version));
        assert_eq!((capabilities.block, capabilities.counters), (Block::Core, CounterSet::first(6)));
        assert!(!capabilities.freezes, "a device does not model it");
    }
}

#[test]
fn a_guest_keeps_its_hosts_caches_and_loses_its_hosts_counters() {
    for identity in [of_host(ZEN_4), Identity::ZEN_4, Identity::ZEN_2] {
        let leaf = |leaf| registers(identity.cpuid(leaf, 0, &of(ZEN_4)));
        assert_eq!(leaf(0x8000_001D), [0x121, 0x01C0_003F, 0x3F, 0], "the first-level cache");
        assert_eq!(leaf(0x8000_001B), [0; 4], "instruction-based sampling");
        assert_eq!(leaf(0x8000_0008)[1], 0x79BE_F25F & !(1 << 1), "instructions retired");
        assert_eq!(leaf(0x8000_0001)[2], 0x75C2_37FF & !0x1100_8400, "all but the core's counters");
    }
}

#[test]
fn a_leaf_that_the_host_does_not_have_is_not_taken_from_another() {
    assert_eq!(registers(Identity::ZEN_4.cpuid(0x8000_001D, 0, &every([0x8000_0008; 4]))), [0; 4]);
}

#[test]
fn a_guest_may_be_given_fewer_counters_where_the_processor_says_how_many() {
    for (wanted, given) in [(0, 1), (1, 1), (4, 4), (6, 6), (u8::MAX, 6)] {
        let identity = Identity::ZEN_4.with_counters(wanted);
        assert_eq!(identity.capabilities().counters, CounterSet::first(given), "of {wanted}");
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let counter = |number| device.try_read(Msr::core_counter(Block::Core, number).unwrap());
        assert_eq!(counter(given - 1), Ok(0));
        assert!(given == 6 || counter(given) == Err(Fault::Absent));
    }
    assert_eq!(Identity::ZEN_2.with_counters(1).capabilities().counters, CounterSet::first(6));
}

#[test]
fn another_vendors_host_has_no_identity() {
    let intels = of(&[(0, 0, [1, 0x756E_6547, 0x6C65_746E, 0x4965_6E69]), (1, 0, [0x506E3, 0, 0, 0])]);
    let found = Identity::of_host(&intels).map(|identity| identity.name());
    assert_eq!(found, Err(Error::UnknownProcessor { family: 6, model: 0x5E }));
}
