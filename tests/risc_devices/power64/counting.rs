//! The events that each processor counts.

use pmu::arch::powerpc::book3s::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kind, Kinds, Unconnected, Work};
use pmu::{CounterSet, Mode};

use super::{CC56RUN, CYCLES, FC, INSTRUCTIONS, PMCC, advance, pmc, read, unit, waiting, write};
use super::{Unit, at};
use crate::support::work::{of, one_of_each_kind};

/// What PMC1 to PMC4 read after some of every kind of work, with these words in MMCR0 and MMCR1.
fn counted(identity: Identity, mmcr0: u64, mmcr1: u64) -> [u64; 4] {
    let unit = unit(&identity);
    write(&unit, at(798), mmcr1);
    write(&unit, at(795), mmcr0);
    unit.advance(&one_of_each_kind(Mode::User));
    [1, 2, 3, 4].map(|number| read(&unit, pmc(number)))
}

#[test]
fn instructions_and_cycles_are_counted_by_four_counters_alike_since_power6() {
    let has_a_code_for_all = |identity: &&Identity| identity.name() != "Microwatt";
    for identity in Identity::ALL[4..].iter().filter(has_a_code_for_all) {
        assert_eq!(counted(*identity, 0, INSTRUCTIONS), [of(Kind::Instructions); 4], "{}", identity.name());
        assert_eq!(counted(*identity, 0, CYCLES), [of(Kind::Cycles); 4], "{}", identity.name());
    }
}

#[test]
fn power5_counts_instructions_on_two_counters() {
    let (n, cycles) = (of(Kind::Instructions), of(Kind::Cycles));
    for identity in [Identity::POWER5, Identity::POWER5_PLUS] {
        assert_eq!(counted(identity, 0, 0x1212_1212), [n, n, 0, 0]);
        assert_eq!(counted(identity, 0, 0x1E1E_1E1E), [cycles; 4]);
    }
}

/// The selectors of Microwatt's pmu.vhdl, "Event selection": cycles, stores, instructions, and cycles while CTRL\[RUN\] is set.
#[test]
fn microwatt_has_the_architectures_selectors_alone() {
    let of_each = [Kind::Cycles, Kind::Stores, Kind::Instructions, Kind::Cycles].map(of);
    assert_eq!(counted(Identity::MICROWATT, 0, 0xF0F0_F4F4), of_each);
    assert_eq!(counted(Identity::MICROWATT, 0, INSTRUCTIONS), [0; 4]);
    assert_eq!(
        counted(Identity::MICROWATT, 0, u64::MAX << 32 | 0xF0F0_F4F4),
        of_each,
        "the rest of MMCR1 means nothing"
    );
}

/// The words of OProfile's first group of events of the 970: run cycles, cycles, one that no work says, instructions.
#[test]
fn the_970_selects_for_its_first_two_counters_in_mmcr0() {
    let (cycles, n) = (of(Kind::Cycles), of(Kind::Instructions));
    assert_eq!(counted(Identity::PPC970, 0x051E, 0x0A46_F18C), [cycles, cycles, 0, n]);
}

/// The same of POWER4.
#[test]
fn power4_has_selectors_of_its_own() {
    let (cycles, n) = (of(Kind::Cycles), of(Kind::Instructions));
    assert_eq!(counted(Identity::POWER4, 0x0D0E, 0x4A56_75AC), [cycles, cycles, 0, n]);
}

#[test]
fn branches_are_counted_by_other_selectors_on_every_processor() {
    let (branches, missed) = (of(Kind::Branches), of(Kind::MispredictedBranches));
    assert_eq!(counted(Identity::POWER7, 0, 0x6800_00F6), [branches, 0, 0, missed]);
    assert_eq!(counted(Identity::POWER8, 0, 0x6800_0060), [branches, 0, 0, branches]);
    assert_eq!(counted(Identity::POWER9, 0, 0xD << 48 | 0x6800_005E), [branches, 0, 0, branches]);
    assert_eq!(counted(Identity::POWER9, 0, 0x5E), [0; 4], "the event is another unit's");
    assert_eq!(counted(Identity::POWER10, 0, 0x00FA_00F6), [0, of(Kind::TakenBranches), 0, missed]);
}

#[test]
fn loads_and_stores_changed_places_after_power8() {
    let (loads, stores) = (of(Kind::Loads), of(Kind::Stores));
    assert_eq!(counted(Identity::POWER8, 0, 0x2E16_0000), [loads, stores, 0, 0]);
    assert_eq!(counted(Identity::POWER9, 0, 0x00F0_003E), [0, stores, 0, loads]);
}

#[test]
fn an_event_that_is_combined_or_an_edge_is_not_guessed_at() {
    assert_eq!(counted(Identity::POWER8, 0, 1 << 35 | INSTRUCTIONS)[0], 0);
    assert_eq!(counted(Identity::POWER9, 0, 0b01 << 38 | INSTRUCTIONS)[0], 0);
    assert_eq!(counted(Identity::POWER9, 0, 0x0300_0000)[0], 0, "the lowest bit asks for edges");
}

fn last_two(unit: &Unit) -> [u64; 2] {
    [read(unit, pmc(5)), read(unit, pmc(6))]
}

#[test]
fn the_last_two_count_instructions_and_cycles_while_the_processor_runs() {
    let unit = unit(&Identity::POWER9);
    write(&unit, at(795), 0);
    unit.advance(&Work::instructions(Mode::User, 5).with(Kind::Cycles, 7));
    unit.set_processor(waiting());
    unit.advance(&Work::instructions(Mode::User, 50).with(Kind::Cycles, 70));
    assert_eq!(last_two(&unit), [5, 7]);
    write(&unit, at(795), CC56RUN);
    unit.advance(&Work::instructions(Mode::User, 500).with(Kind::Cycles, 700));
    assert_eq!(last_two(&unit), [505, 707]);
}

#[test]
fn the_last_two_go_on_where_mmcr0_excludes_them() {
    let unit = unit(&Identity::POWER8);
    write(&unit, at(795), FC | PMCC);
    advance(&unit, Mode::User, 9);
    assert_eq!(last_two(&unit), [9, 9]);
}

#[test]
fn the_last_two_of_power6_know_no_freeze_and_those_of_power7_do() {
    for (identity, expected) in [(Identity::POWER6, [9, 9]), (Identity::POWER7, [0, 0])] {
        let unit = unit(&identity);
        advance(&unit, Mode::User, 9);
        assert_eq!(last_two(&unit), expected, "{}", identity.name());
    }
}

#[test]
fn a_counter_has_32_bits() {
    let unit = unit(&Identity::POWER10);
    write(&unit, at(798), INSTRUCTIONS);
    write(&unit, pmc(1), u64::MAX);
    write(&unit, at(795), 0);
    assert_eq!(read(&unit, pmc(1)), 0xFFFF_FFFF);
    advance(&unit, Mode::User, 3);
    assert_eq!(read(&unit, pmc(1)), 2);
}

#[test]
fn counters_whose_events_nobody_observes_are_reported_and_resting_ones_are_not() {
    let unit = unit(&Identity::POWER9);
    write(&unit, at(798), 0x0200_68C8); // instructions, nothing, nothing known, something unknown
    write(&unit, at(795), 0);
    assert_eq!(unit.unfed(), CounterSet::from_bits(0b1100));
    write(&unit, at(795), FC);
    assert_eq!(unit.unfed(), CounterSet::EMPTY);
}

#[test]
fn a_host_hears_what_the_running_counters_want_to_know() {
    let device = Device::new(&Identity::POWER8, Kinds::CLOCK, Unconnected);
    assert_eq!(device.wanted(), Kinds::NONE);
    device.write(at(798), 0x6800_0000);
    device.write(at(795), 1 << 4); // PMC5 and PMC6 are frozen
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::Branches));
}
