//! The embedded cores: counters share nothing.

use pmu::arch::powerpc::embedded::{Capabilities, Embedded};
use pmu::arch::powerpc::{Pmr, Pvr};
use pmu::driver::{Control, Counters, Image as _, Plan, Registers, Slot, Steps};
use pmu::request::Refusal;
use pmu::{CounterId, CounterSet, Event, Modes, Request};

use crate::support::memory::Memory;

/// Branches completed (Com:8).
const BRANCHES: Event = Event::raw(8);
/// Mispredicted branches (Com:15).
const BRANCH_MISSES: Event = Event::raw(15);
/// Processor cycles (Com:1).
const CYCLES: Event = Event::raw(1);
/// Instructions completed (Com:2).
const INSTRUCTIONS: Event = Event::raw(2);

const E300: u32 = 0x8085_0010;
const E500: u32 = 0x8021_0030;
const E500MC: u32 = 0x8023_0031;

type Driver = Embedded<Memory<Pmr>>;

fn driver(pvr: u32) -> Driver {
    Embedded::new(Memory::new(), Capabilities::discover(Pvr::from_bits(pvr)).unwrap())
}

fn refusal(pvr: u32, request: Request) -> Option<Refusal> {
    driver(pvr).encode(&request).err()
}

#[test]
fn requests_of_any_modes_are_together() {
    let driver = driver(E500);
    let modes = [Modes::USER, Modes::KERNEL, Modes::ALL, Modes::USER];
    let demands = modes.map(|modes| driver.encode(&Request::new(Event::CYCLES).modes(modes)).unwrap());
    let mut slots = [Slot::EMPTY; 4];
    assert_eq!(driver.place(&CounterSet::EMPTY, &demands, Steps::OPEN, &mut slots), Ok(()));
    assert_eq!(slots.iter().map(|slot| slot.counter).collect::<CounterSet>(), CounterSet::first(4));
}

#[test]
fn a_threshold_is_had_by_two_counters_and_a_few_events() {
    let compare = Event::raw_with(81, 0x73F);
    assert_eq!(refusal(E500, Request::new(compare)), None);
    let third = CounterId::new(2).unwrap();
    assert_eq!(refusal(E500, Request::new(compare).pinned_to(third)), Some(Refusal::CounterCannot(third)));
    assert_eq!(refusal(E500, Request::new(Event::raw_with(82, 1))), Some(Refusal::Auxiliary(1)));
    assert_eq!(refusal(E500, Request::new(Event::raw_with(76, 0xFFF))), Some(Refusal::Auxiliary(0x8C0)));
    assert_eq!(refusal(E300, Request::new(Event::raw_with(76, 1))), Some(Refusal::Auxiliary(1)));
}

#[test]
fn events_have_as_many_bits_as_the_core() {
    assert_eq!(refusal(E500, Request::new(Event::raw(0x80))), Some(Refusal::ReservedBits(0x80)));
    assert_eq!(refusal(E500MC, Request::new(Event::raw(0x80))), None);
    assert_eq!(refusal(E500MC, Request::new(Event::raw(0x100))), Some(Refusal::ReservedBits(0x100)));
    assert_eq!(refusal(E500MC, Request::new(Event::raw(0))), Some(Refusal::UnknownEvent));
}

#[test]
fn generic_events_are_the_common_ones() {
    let driver = driver(E300);
    let pairs = [
        (Event::CYCLES, CYCLES),
        (Event::INSTRUCTIONS, INSTRUCTIONS),
        (Event::BRANCHES, BRANCHES),
        (Event::BRANCH_MISSES, BRANCH_MISSES),
    ];
    for (generic, own) in pairs {
        assert_eq!(driver.encode(&Request::new(generic)), driver.encode(&Request::new(own)), "{generic}");
    }
    assert_eq!(refusal(E300, Request::new(Event::CACHE_MISSES)), Some(Refusal::UnknownEvent));
}

#[test]
fn a_counter_that_belongs_to_somebody_is_not_given_away() {
    let (driver, kept) = (driver(E500), <Driver as Counters>::Image::BLANK);
    let demand = driver.encode(&Request::new(Event::CYCLES).pinned_to(CounterId::ZERO)).unwrap();
    let mut slots = [Slot::EMPTY];
    driver.place(&kept.occupancy(), &[demand], Steps::OPEN, &mut slots).unwrap();
    driver.load(&kept, &(), &slots);
    assert!(driver.place(&kept.occupancy(), &[demand], Steps::OPEN, &mut slots).is_err());
    driver.release(&kept, kept.counters());
    assert!(driver.place(&kept.occupancy(), &[demand], Steps::OPEN, &mut slots).is_ok());
}

#[test]
fn user_programs_read_each_counter_by_its_copy() {
    let driver = driver(E300);
    let copies = driver.description().general.into_iter().map(|counter| {
        let number = driver.counter(&Slot { counter, ..Slot::EMPTY }).user_index.unwrap();
        (counter.number(), Pmr::from_number(number as u16).map(Pmr::supervisor))
    });
    assert!(copies.clone().all(|(number, shown)| shown == Pmr::counter(number)));
    assert_eq!(copies.count(), 4);
}

/// A sleep leaves anything in the registers; what ran before it is run anew.
#[test]
fn a_claim_freezes_every_counter_and_the_next_run_programs_it_again() {
    let (driver, image) = (driver(E500), <Driver as Counters>::Image::BLANK);
    let demand = driver.encode(&Request::new(Event::raw_with(76, 0x305)).pinned_to(CounterId::ZERO)).unwrap();
    let mut slots = [Slot::EMPTY];
    driver.place(&CounterSet::EMPTY, &[demand], Steps::OPEN, &mut slots).unwrap();
    driver.load(&image, &(), &slots);
    driver.run(&image, CounterSet::first(1));
    let registers = |name: fn(u8) -> Option<Pmr>| [0, 1, 2, 3].map(|number| name(number).unwrap());
    let [locals, thresholds, counters] = [Pmr::local, Pmr::threshold, Pmr::counter].map(registers);
    let each = [locals, thresholds, counters];
    each.as_flattened().iter().for_each(|register| driver.registers().write(*register, 0x0402_0000));
    let saved = <Driver as Control>::NOTHING_SAVED;
    driver.save(&saved);
    driver.reload(&image);
    let values = |registers: [Pmr; 4]| registers.map(|register| driver.registers().read(register));
    assert_eq!((values(locals), values(counters)), ([0x8000_0000; 4], [0; 4]));
    assert_eq!(values(thresholds), [0x305, 0, 0, 0]);
    driver.run(&image, CounterSet::first(1));
    assert_eq!(values(locals), [0x044C_0000, 0x8000_0000, 0x8000_0000, 0x8000_0000]);
}
