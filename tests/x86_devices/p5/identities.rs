//! The CPUID leaves that a guest reads, and the capabilities that a driver finds in them.

use pmu::CounterSet;
use pmu::arch::x86::p5::Identity;

use super::leaves::answer;

#[test]
fn models_are_the_processors_own() {
    let found = Identity::ALL.map(|identity| {
        let capabilities = identity.capabilities();
        (capabilities.model, capabilities.has_mmx, capabilities.counters)
    });
    assert_eq!(found, [(2, false, CounterSet::first(2)), (4, true, CounterSet::first(2))]);
    assert_eq!(Identity::ALL.map(|identity| identity.signature()), [0x52C, 0x543]);
    assert_eq!(Identity::ALL.map(|identity| identity.name()), ["Pentium", "Pentium with MMX"]);
}

#[test]
fn a_guest_finds_intels_name_and_enough_leaves() {
    for identity in Identity::ALL {
        let [last, ebx, ecx, edx] = answer(&identity, 0, 0, [0; 4]);
        assert_eq!([ebx, edx, ecx].map(u32::to_le_bytes).concat(), b"GenuineIntel");
        assert_eq!((last, answer(&identity, 0, 0, [0x20, 1, 2, 3])[0]), (1, 0x20), "nothing is cut off");
    }
}

#[test]
fn mmx_and_the_registers_are_announced_as_the_identity_has_them() {
    for native in [0, u32::MAX] {
        let features = Identity::ALL.map(|identity| answer(&identity, 1, 0, [native; 4])[3]);
        let of_unit = features.map(|edx| (edx >> 5 & 1, edx >> 21 & 1, edx >> 23 & 1));
        assert_eq!(of_unit, [(1, 0, 0), (1, 0, 1)]);
    }
}

#[test]
fn units_that_only_the_processor_underneath_has_are_hidden() {
    let all = [u32::MAX; 4];
    for identity in Identity::ALL {
        let [_, _, ecx, _] = answer(&identity, 1, 0, all);
        assert_eq!((ecx >> 2 & 1, ecx >> 15 & 1), (0, 0), "the debug store and IA32_PERF_CAPABILITIES");
        assert_eq!([0x0A, 0x23, 0x8000_001B, 0x8000_0022].map(|leaf| answer(&identity, leaf, 0, all)), [[0; 4]; 4]);
        assert_eq!(answer(&identity, 7, 1, all)[0] >> 8 & 1, 0, "leaf 23H");
        assert_eq!(answer(&identity, 0x8000_0001, 0, all)[2] & 0x1980_0400, 0, "another vendor's counters");
    }
}
