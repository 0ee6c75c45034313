//! The CPUID leaves that a guest reads, and the capabilities that a driver finds in them.

use pmu::CounterSet;
use pmu::arch::x86::p6::{Identity, Model};

use super::leaves::answer;

#[test]
fn each_identity_is_of_another_model() {
    let found = Identity::ALL.map(|identity| identity.capabilities().model);
    assert_eq!(found, [Model::PentiumPro, Model::PentiumII, Model::PentiumIII, Model::PentiumM]);
    assert_eq!(Identity::EARLY_PENTIUM_PRO.capabilities().model, Model::PentiumPro);
}

#[test]
fn signatures_are_the_processors_own() {
    let family_and_model = |identity: Identity| (identity.signature() >> 8 & 0xF, identity.signature() >> 4 & 0xF);
    assert_eq!(Identity::ALL.map(family_and_model), [(6, 1), (6, 5), (6, 8), (6, 13)]);
    let names = Identity::ALL.map(|identity| identity.name());
    assert_eq!(names, ["Pentium Pro", "Pentium II", "Pentium III", "Pentium M"]);
}

#[test]
fn all_have_two_counters_and_an_apic_unless_firmware_has_disabled_it() {
    for identity in Identity::ALL {
        let (with, without) = (identity.capabilities(), identity.without_apic().capabilities());
        assert_eq!((with.counters, with.has_apic), (CounterSet::first(2), true));
        assert_eq!((without.counters, without.has_apic), (CounterSet::first(2), false));
        assert_eq!((with.model, with.user_reads), (without.model, without.user_reads));
    }
}

#[test]
fn a_guest_finds_intels_name_and_the_apic_whatever_is_underneath() {
    for native in [[0; 4], [u32::MAX; 4]] {
        for identity in Identity::ALL {
            let [eax, ebx, ecx, edx] = answer(&identity, 0, 0, native);
            assert_eq!([ebx, edx, ecx].map(u32::to_le_bytes).concat(), b"GenuineIntel");
            assert_eq!(eax, native[0].max(2));
            let apic = |identity: Identity| answer(&identity, 1, 0, native)[3] >> 9 & 1;
            assert_eq!([apic(identity), apic(identity.without_apic())], [1, 0]);
        }
    }
}

#[test]
fn units_that_only_the_processor_underneath_has_are_hidden() {
    let all = [u32::MAX; 4];
    for identity in Identity::ALL {
        let [_, _, ecx, edx] = answer(&identity, 1, 0, all);
        assert_eq!((ecx >> 2 & 1, ecx >> 4 & 1, ecx >> 15 & 1, edx >> 21 & 1), (0, 0, 0, 0), "debug stores");
        let hidden = [0x0A, 0x23, 0x8000_001B, 0x8000_0022];
        assert_eq!(hidden.map(|leaf| answer(&identity, leaf, 0, all)), [[0; 4]; 4]);
        assert_eq!(answer(&identity, 7, 1, all)[0] >> 8 & 1, 0, "leaf 23H");
        assert_eq!(answer(&identity, 0x8000_0001, 0, all)[2] & 0x1180_0400, 0, "another vendor's counters");
    }
}
