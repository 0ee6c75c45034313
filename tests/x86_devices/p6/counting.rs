//! Events, modes and the one enable bit: what each counter counts.

use pmu::arch::x86::Index;
use pmu::arch::x86::p6::Identity;
use pmu::driver::Registers;
use pmu::virt::{Device as _, Kind, Kinds, Work};
use pmu::{CounterId, CounterSet, Mode};

use super::selecting::counted;
use super::{CYCLES, ENABLE, INSTRUCTIONS, ON, P6, USER, counter, device, select};
use crate::every_device::Family as _;
use crate::support::hostile::Line;
use crate::support::work::of;

/// The event that counts nothing (torvalds/linux arch/x86/events/intel/p6.c, `P6_NOP_EVENT`).
const PARKED: u64 = 0x2E;

/// What counter 1 reads after some work, enabled and set to `selector`.
pub(crate) fn counted_in(identity: &Identity, selector: u64, work: &[Work]) -> u64 {
    let unit = P6::unit(identity);
    unit.try_write(select(1), selector).unwrap();
    unit.try_write(select(0), PARKED | ENABLE).unwrap();
    work.iter().for_each(|work| unit.advance(work));
    P6::value(&unit, 1)
}

/// SDM vol. 3, table "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters".
#[test]
fn events_have_the_same_numbers_on_the_whole_family() {
    let events = [
        (0x0005, Kind::MisalignedReferences),
        (0x0079, Kind::Cycles),
        (0x00C0, Kind::Instructions),
        (0x00C4, Kind::Branches),
        (0x00C5, Kind::MispredictedBranches),
        (0x00C9, Kind::TakenBranches),
        (0x0F2E, Kind::CacheReferences),
        (0x012E, Kind::CacheMisses),
    ];
    for (code, kind) in events {
        assert_eq!(Identity::ALL.map(|identity| counted(&identity, ON | code)), [of(kind); 4], "{code:#x}");
    }
}

#[test]
fn an_event_without_unit_masks_does_not_look_at_them_and_another_state_is_another_event() {
    assert_eq!(counted(&Identity::PENTIUM_III, ON | 0x55C0), of(Kind::Instructions));
    assert_eq!(counted(&Identity::PENTIUM_III, ON | 0x042E), 0);
}

#[test]
fn the_enable_bit_of_counter_0_starts_and_stops_both() {
    for identity in Identity::ALL {
        let line = Line::default();
        let device = device(&identity, &line);
        let counts = || [0, 1].map(|number| device.read(counter(number)));
        device.write(select(1), USER | INSTRUCTIONS);
        device.write(select(0), USER | CYCLES);
        device.advance(&Work::instructions(Mode::User, 5));
        assert_eq!(counts(), [0, 0], "{}", identity.name());
        device.write(select(0), USER | CYCLES | ENABLE);
        device.advance(&Work::instructions(Mode::User, 7));
        assert_eq!(counts(), [7, 7], "{}", identity.name());
        device.write(select(0), USER | CYCLES);
        device.advance(&Work::instructions(Mode::User, 9));
        assert_eq!(counts(), [7, 7], "{}", identity.name());
    }
}

#[test]
fn a_parked_counter_stands_still_while_the_other_counts() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_II, &line);
    device.write(select(1), USER | INSTRUCTIONS);
    device.write(select(0), PARKED | ENABLE);
    device.advance(&Work::instructions(Mode::User, 4));
    assert_eq!([0, 1].map(|number| device.read(counter(number))), [0, 4]);
    assert_eq!(device.unfed(), CounterSet::EMPTY, "it wants nothing");
    device.write(select(1), PARKED);
    device.write(select(0), USER | INSTRUCTIONS | ENABLE);
    device.advance(&Work::instructions(Mode::User, 6));
    assert_eq!([0, 1].map(|number| device.read(counter(number))), [6, 4]);
}

#[test]
fn counters_whose_events_nobody_observes_are_reported() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_III, &line);
    device.write(select(1), ON | 0x0043);
    device.write(select(0), ON | ENABLE | INSTRUCTIONS);
    assert_eq!(device.unfed(), CounterSet::from_bits(0b10));
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::Instructions));
}

/// SDM vol. 3, "PerfCtr0 and PerfCtr1 MSRs": bit 31 of what is written goes to the bits above it.
#[test]
fn a_counter_takes_32_bits_and_extends_their_sign() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_III, &line);
    let kept = |value| {
        device.write(counter(1), value);
        device.read(counter(1))
    };
    assert_eq!([0x7FFF_FFFF, 0x8000_0000].map(kept), [0x7FFF_FFFF, 0xFF_8000_0000]);
    assert_eq!([u64::MAX, 0x1234_0000_0005].map(kept), [0xFF_FFFF_FFFF, 5]);
}

#[test]
fn rdpmc_shows_what_the_register_does() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_PRO, &line);
    device.write(counter(1), 0xFFFF_FF9C);
    let by_index = device.try_read_counter(Index::of(CounterId::new(1).unwrap()));
    assert_eq!([device.try_read(counter(1)), by_index], [Ok(0xFF_FFFF_FF9C); 2]);
}

#[test]
#[should_panic(expected = "writing 0x400000 to IA32_PERFEVTSEL1: ")]
fn a_driver_that_faults_hears_of_it() {
    let line = Line::default();
    device(&Identity::PENTIUM_III, &line).write(select(1), ENABLE);
}
