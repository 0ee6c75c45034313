//! What each counter counts, and in which modes.

use pmu::arch::sparc::ultrasparc::Identity;
use pmu::virt::{Device as _, Kind, Kinds, Work};
use pmu::{CounterSet, Mode};

use crate::ultrasparc::{instructions, pcr, pic, with};

/// Both counters count instructions.
const BOTH: u64 = 1 << 4 | 1 << 11;

#[test]
fn both_counters_count_in_the_modes_that_are_enabled() {
    for identity in &Identity::ALL {
        for (bits, counted) in [(0, 0), (0x2, 20), (0x4, 100), (0x6, 120)] {
            let device = with(identity, BOTH | bits, 0);
            instructions(&device, Mode::User, 100);
            instructions(&device, Mode::Kernel, 20);
            instructions(&device, Mode::Hypervisor, 3);
            assert_eq!(pic(&device), counted << 32 | counted, "{bits:#x} on {}", identity.name());
        }
    }
}

/// The work of one pass, and what each counter adds by each of these selectors.
fn check(identity: &Identity, selects: &[(u64, u64, u64)]) {
    let work = Work::instructions(Mode::User, 100)
        .with(Kind::Cycles, 250)
        .with(Kind::TakenBranches, 9)
        .with(Kind::Loads, 30)
        .with(Kind::Stores, 5)
        .with(Kind::CacheReferences, 12)
        .with(Kind::CacheMisses, 4);
    for &(select, first, second) in selects {
        let device = with(identity, select << 4 | select << 11 | 0x4, 0);
        device.advance(&work);
        assert_eq!(pic(&device), second << 32 | first, "{select:#x} on {}", identity.name());
    }
}

#[test]
fn each_selector_counts_its_kind_of_work() {
    check(&Identity::II, &[(0, 250, 250), (1, 100, 100), (0x9, 30, 0), (0xA, 5, 0), (0xC, 12, 8)]);
    check(&Identity::III, &[(0, 250, 250), (0x9, 30, 0), (0xA, 5, 0), (0xC, 12, 4), (0x16, 9, 0), (0x1E, 0, 0)]);
    check(&Identity::III, &[(0x14, 0, 0), (0x31, 0, 0)]);
    check(&Identity::IV_PLUS, &[(1, 100, 100), (0x9, 30, 0), (0xA, 0, 0), (0x3, 0, 5), (0xC, 0, 0), (0x16, 0, 0)]);
    check(&Identity::IV_PLUS, &[(0x1E, 0, 9), (0x31, 0, 4)]);
}

#[test]
fn a_counter_that_nobody_feeds_is_reported_and_a_parked_one_is_not() {
    let misses = with(&Identity::III, 1 << 4 | 0xC << 11 | 0x4, 0);
    assert_eq!(misses.unfed(), CounterSet::from_bits(0b10));
    assert_eq!(misses.wanted(), Kinds::NONE.with(Kind::Instructions).with(Kind::CacheMisses));
    assert_eq!(with(&Identity::III, 1 << 4 | 0x1C << 11 | 0x4, 0).unfed(), CounterSet::EMPTY);
    assert_eq!(with(&Identity::III, 1 << 4 | 0xC << 11, 0).unfed(), CounterSet::EMPTY, "it is halted");
}

/// The original's experiment: references to the external cache, and those of them that hit.
#[test]
fn hits_in_the_external_cache_are_the_references_that_did_not_miss() {
    let device = with(&Identity::II, 0xC << 4 | 0xC << 11 | 0x4, 0);
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::CacheReferences).with(Kind::CacheMisses));
    let work = |references, misses| {
        Work::none(Mode::User).with(Kind::CacheMisses, misses).with(Kind::CacheReferences, references)
    };
    [work(20, 5), work(3, 0), work(0, 1)].iter().for_each(|work| device.advance(work));
    assert_eq!(pic(&device), 18 << 32 | 23, "a miss that nobody referred to is no negative hit");
}

/// PRIV, ST and UT are bits 0 to 2; the selectors are bits 4 to 7 and 11 to 14 on I and II, and from III on bits 4 to
/// 9 and 11 to 16.
#[test]
fn bits_that_the_unit_does_not_have_are_dropped() {
    for identity in &Identity::ALL[..3] {
        assert_eq!(pcr(&with(identity, u64::MAX, 0)), 0x78F7, "{}", identity.name());
    }
    for identity in &Identity::ALL[3..] {
        assert_eq!(pcr(&with(identity, u64::MAX, 0)), 0x1_FBF7, "{}", identity.name());
    }
}
