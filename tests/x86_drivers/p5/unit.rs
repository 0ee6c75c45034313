//! Starting, stopping, presetting, and restoring the saved state.

use pmu::arch::x86::p5::{Identity, P5};
use pmu::arch::x86::{Index, Msr};
use pmu::driver::{Control, Counters, Plan, Registers as _, Remaining, Slot};
use pmu::{CounterSet, Event, Request};

use crate::p5::{Bench, counter, device};
use crate::support::registers::Altered;

/// Takes the unit over, and lets both counters count instructions.
fn both(bench: &Bench) -> [Slot; 2] {
    bench.claim();
    bench.open([Event::INSTRUCTIONS; 2]).unwrap()
}

pub(crate) fn open_all(bench: &Bench) -> Vec<Slot> {
    let open = |id| bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(id)]).unwrap()[0];
    CounterSet::first(2).into_iter().map(open).collect()
}

/// Somebody else's programming: every register holds something, and both counters count.
pub(crate) fn disturb(bench: &Bench) {
    let device = &bench.driver.registers().0;
    device.write(Msr::CESR, 0);
    device.write(Msr::p5_counter(0).unwrap(), 0x12_3456_789A);
    device.write(Msr::p5_counter(1).unwrap(), 7);
    device.write(Msr::CESR, 0x0156_0296);
}

#[test]
fn a_wait_is_no_longer_than_its_counter_can() {
    let bench = Bench::new(&Identity::P5);
    let [slot, _] = both(&bench);
    let preset = |events| bench.driver.preset(&bench.image, slot.counter, Remaining::events(events)).count();
    assert_eq!([1, 1 << 39, (1 << 39) + 1, u64::MAX].map(preset), [1, 1 << 39, 1 << 39, 1 << 39]);
}

/// After a sleep the registers hold anything.
#[test]
fn a_unit_goes_on_after_its_registers_were_lost() {
    let bench = Bench::new(&Identity::P5_MMX);
    let slots = both(&bench);
    let device = bench.driver.registers();
    device.0.reset();
    bench.claim();
    assert!(bench.overflowed(CounterSet::first(2)).is_empty());
    bench.driver.run(&bench.image, slots[0].occupies());
    assert_eq!(device.read(Msr::CESR), u64::from(0x0016_0016_u32 | 0xC0 << (16 * slots[0].counter.number())));
}

#[test]
fn a_released_counter_keeps_its_event_until_another_is_selected() {
    let bench = Bench::new(&Identity::P5);
    let [first, second] = both(&bench);
    bench.driver.run(&bench.image, second.occupies());
    bench.driver.release(&bench.image, first.occupies());
    let [third] = bench.open([Event::BRANCHES]).unwrap();
    assert_eq!(third.counter, first.counter);
    bench.driver.preset(&bench.image, third.counter, Remaining::events(1 << 39));
    bench.driver.run(&bench.image, CounterSet::first(2));
    let expected = 0xD2 << (16 * third.counter.number()) | 0xD6 << (16 * second.counter.number());
    assert_eq!(bench.driver.registers().read(Msr::CESR), expected);
}

/// RDMSR returns ones in the bits of a counter that are undefined.
#[test]
fn bits_above_a_counters_40_are_not_in_its_value() {
    let registers = device(&Identity::P5);
    registers.write(Msr::p5_counter(0).unwrap(), 12_345);
    let is_counter = |at| [Msr::p5_counter(0), Msr::p5_counter(1)].contains(&Some(at));
    let registers =
        Altered::new(registers).reading(|device, at| device.read(at) | if is_counter(at) { !0 << 40 } else { 0 });
    let driver = P5::new(registers, Identity::P5.capabilities());
    assert_eq!(driver.read(Index::of(counter(0))), 12_345);
}
