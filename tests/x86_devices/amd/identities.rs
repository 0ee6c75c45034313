//! The CPUID leaves that a guest reads, and the capabilities that a driver finds in them.

use pmu::CounterSet;
use pmu::arch::x86::Block;
use pmu::arch::x86::amd::{Identity, Microarchitecture};

use super::leaves::answer;

#[test]
fn each_identity_is_of_the_next_microarchitecture() {
    let found = Identity::ALL.map(|identity| identity.capabilities().microarchitecture);
    let [rest @ .., zen_3, zen_4] = found;
    let first =
        [Microarchitecture::K7, Microarchitecture::K8, Microarchitecture::Family10h, Microarchitecture::Family15h];
    let [first_found @ .., family_16h, zen] = rest;
    assert_eq!((first_found, family_16h, zen), (first, Microarchitecture::Family16h, Microarchitecture::Zen));
    assert_eq!([zen_3, zen_4], [Microarchitecture::Zen3; 2]);
}

#[test]
fn families_and_models_are_the_processors_own() {
    let expected = [
        (0x06, 0x0A),
        (0x0F, 0x05),
        (0x10, 0x04),
        (0x15, 0x01),
        (0x16, 0x00),
        (0x17, 0x31),
        (0x19, 0x01),
        (0x19, 0x11),
    ];
    assert_eq!(Identity::ALL.map(|identity| (identity.capabilities().family, identity.capabilities().model)), expected);
}

#[test]
fn counters_are_those_of_the_processors_manuals() {
    let counters = Identity::ALL.map(|identity| {
        let capabilities = identity.capabilities();
        (capabilities.counters, capabilities.block, capabilities.version)
    });
    let (four, six) = (CounterSet::first(4), CounterSet::first(6));
    let old = (four, Block::Legacy, 0);
    let (new, newest) = ((six, Block::Core, 0), (six, Block::Core, 2));
    assert_eq!(counters, [old, old, old, new, old, new, new, newest]);
}

#[test]
fn a_guest_finds_amds_name_and_enough_leaves() {
    for identity in Identity::ALL {
        for leaf in [0, 0x8000_0000] {
            let [_, ebx, ecx, edx] = answer(&identity, leaf, 0, [0; 4]);
            assert_eq!([ebx, edx, ecx].map(u32::to_le_bytes).concat(), b"AuthenticAMD");
            assert_eq!(answer(&identity, leaf, 0, [leaf + 0x40, 1, 2, 3])[0], leaf + 0x40, "nothing is cut off");
        }
        let last = answer(&identity, 0x8000_0000, 0, [0; 4])[0];
        assert_eq!(last >= 0x8000_0022, identity.capabilities().version == 2, "{}", identity.name());
    }
}

#[test]
fn k7_has_another_signature_in_its_extended_leaf() {
    let signatures = |identity: Identity| [1, 0x8000_0001].map(|leaf| answer(&identity, leaf, 0, [0; 4])[0]);
    assert_eq!(signatures(Identity::K7), [0x6A0, 0x7A0]);
    assert_eq!(signatures(Identity::K8), [Identity::K8.signature(); 2]);
}

#[test]
fn units_that_only_the_processor_underneath_has_are_hidden() {
    let all = [u32::MAX; 4];
    for identity in Identity::ALL {
        let [_, _, ecx, edx] = answer(&identity, 1, 0, all);
        assert_eq!((ecx >> 2 & 1, ecx >> 15 & 1, edx >> 21 & 1), (0, 0, 0), "another vendor's debug store");
        assert_eq!([0x0A, 0x23, 0x8000_001B].map(|leaf| answer(&identity, leaf, 0, all)), [[0; 4]; 3]);
        assert_eq!(answer(&identity, 7, 1, all)[0] >> 8 & 1, 0, "another vendor's leaf 23H");
        let units = answer(&identity, 0x8000_0001, 0, all)[2] & 0x1980_8400;
        assert_eq!(units != 0, identity.capabilities().block == Block::Core, "only what is modelled");
        assert_eq!(units & !(1 << 23), 0);
    }
}
