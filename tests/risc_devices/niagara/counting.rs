//! What each counter counts, and in which modes.

use pmu::arch::sparc::niagara::Identity;
use pmu::virt::{Device as _, Kind, Kinds, Work};
use pmu::{CounterSet, Mode};

use crate::niagara::{instructions, pcr, pic, with};

const BOTH: u64 = 0x2FD << 6 | 0x2FD << 19;

#[test]
fn both_counters_count_in_the_modes_that_are_enabled() {
    for (bits, counted) in [(0, 0), (0x2, 20), (0x4, 100), (0x6, 120), (0x8, 3), (0xE, 123)] {
        let device = with(&Identity::T2_HYPERVISOR, BOTH | bits, 0);
        instructions(&device, Mode::User, 100);
        instructions(&device, Mode::Kernel, 20);
        instructions(&device, Mode::Hypervisor, 3);
        assert_eq!(pic(&device), counted << 32 | counted, "{bits:#x}");
    }
}

#[test]
fn a_kernels_write_does_not_reach_the_hypervisors_bit() {
    let device = with(&Identity::T2, BOTH | 0x8, 0);
    instructions(&device, Mode::Hypervisor, 3);
    assert_eq!((pic(&device), pcr(&device)), (0, BOTH));
}

#[test]
fn t1_counts_instructions_in_pic1_and_nothing_in_the_hypervisor() {
    let device = with(&Identity::T1, 0x6, 0);
    instructions(&device, Mode::User, 100);
    instructions(&device, Mode::Kernel, 20);
    instructions(&device, Mode::Hypervisor, 3);
    assert_eq!(pic(&device), 120 << 32);
}

#[test]
fn a_mask_chooses_the_kinds_of_instructions_and_an_empty_one_chooses_none() {
    let work = Work::instructions(Mode::User, 100)
        .with(Kind::Branches, 20)
        .with(Kind::TakenBranches, 9)
        .with(Kind::Loads, 30)
        .with(Kind::Stores, 5)
        .with(Kind::CacheMisses, 2);
    for (select, counted) in [(0x2FD, 100), (0x201, 20), (0x202, 9), (0x208, 30), (0x210, 5), (0x320, 2), (0x200, 0)] {
        let device = with(&Identity::T2, select << 19 | 0x200 << 6 | 0x4, 0);
        device.advance(&work);
        assert_eq!(pic(&device), counted << 32, "{select:#x}");
    }
}

#[test]
fn a_counter_that_nobody_feeds_is_reported() {
    let device = with(&Identity::T2, 0x2FD << 6 | 0x304 << 19 | 0x4, 0);
    assert_eq!(device.unfed(), CounterSet::from_bits(0b10));
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::Instructions));
    assert_eq!(with(&Identity::T1, 0x4, 0).unfed(), CounterSet::from_bits(0b01));
    assert_eq!(with(&Identity::T1, 0, 0).unfed(), CounterSet::EMPTY);
}

#[test]
fn bits_that_the_unit_does_not_have_are_dropped() {
    assert_eq!(pcr(&with(&Identity::T1, u64::MAX, 0)), 0x377);
    assert_eq!(pcr(&with(&Identity::T2_HYPERVISOR, u64::MAX >> 2, 0)), 0xFFFF_FFFF);
    assert_eq!(pcr(&with(&Identity::T2, u64::MAX >> 2, 0)), 0xFFFF_FFF7);
}
