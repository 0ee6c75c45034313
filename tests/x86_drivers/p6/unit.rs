//! Starting, stopping, presetting, and restoring the saved state.

use pmu::arch::x86::p6::Identity;
use pmu::driver::{Counters, Plan, Registers, Remaining, Slot};
use pmu::virt::Device as _;
use pmu::{CounterSet, Event, Request};

use crate::p6::{BOTH, Bench, counter, register, select};

const EN: u64 = 1 << 22;
const PARKED: u64 = 0x2E;
/// Instructions in both modes, with INT.
const INSTRUCTIONS: u64 = 0x0013_00C0;
const CYCLES: u64 = 0x0013_0079;

/// Takes the unit over, and lets both counters count instructions.
fn both_counting(bench: &Bench) -> [Slot; 2] {
    bench.claim();
    open_all(bench)[..].try_into().unwrap()
}

pub(crate) fn open_all(bench: &Bench) -> Vec<Slot> {
    let open = |id| bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(id)]).unwrap()[0];
    BOTH.into_iter().map(open).collect()
}

fn selects(bench: &Bench) -> [u64; 2] {
    [0, 1].map(|number| bench.driver.registers().try_read(select(number)).unwrap())
}

/// A write sets 32 bits and extends their sign, so that no counter waits for more than 2^31 events.
#[test]
fn a_wait_is_two_events_or_more_and_no_longer_than_32_bits_can_say() {
    let bench = Bench::new(&Identity::PENTIUM_PRO);
    let [slot, _] = both_counting(&bench);
    let preset = |events| bench.driver.preset(&bench.image, slot.counter, Remaining::events(events)).count();
    assert_eq!([1, 2, 1 << 31, (1 << 31) + 1, u64::MAX].map(preset), [2, 2, 1 << 31, 1 << 31, 1 << 31]);
    let known = bench.driver.counter(&slot);
    assert_eq!((known.longest, known.width.bits()), (Remaining::events(1 << 31), 40));
    assert_eq!(bench.read(&slot), 0xFF_8000_0000);
}

/// Without an interrupt an overflow may be found late. The counter has 40 bits, whatever a write sets.
#[test]
fn an_overflow_is_found_long_after_it_happened() {
    let bench = Bench::new(&Identity::PENTIUM_M.without_apic());
    let [slot, _] = both_counting(&bench);
    bench.driver.preset(&bench.image, slot.counter, Remaining::events(1 << 31));
    bench.driver.run(&bench.image, slot.counter.only());
    bench.work((1 << 31) + (1 << 38));
    let mut found = Vec::new();
    bench.driver.overflowed(&bench.image, BOTH, |id, past| found.push((id, past)));
    assert_eq!(found, [(slot.counter, 1 << 38)]);
}

#[test]
fn any_change_of_what_runs_leaves_exactly_these_counting() {
    let sets = [0b00, 0b01, 0b10, 0b11].map(CounterSet::from_bits);
    for before in sets {
        for exactly in sets {
            let bench = Bench::new(&Identity::PENTIUM_III);
            let slots = both_counting(&bench);
            bench.driver.run(&bench.image, before);
            bench.driver.run(&bench.image, exactly);
            let values = slots.each_ref().map(|slot| bench.read(slot));
            bench.work(10);
            let counted = [0, 1].map(|number| bench.read(&slots[number]) - values[number]);
            let expected = [0, 1].map(|number| if exactly.contains(counter(number)) { 10 } else { 0 });
            assert_eq!(counted, expected, "{before} to {exactly}");
        }
    }
}

#[test]
fn the_other_counter_is_parked_and_both_are_stopped_by_one_bit() {
    let bench = Bench::new(&Identity::PENTIUM_III);
    bench.claim();
    bench.open([Request::new(Event::CYCLES).pinned_to(counter(0))]).unwrap();
    bench.open([Request::new(Event::INSTRUCTIONS).pinned_to(counter(1))]).unwrap();
    let ran = |exactly| {
        bench.driver.run(&bench.image, CounterSet::from_bits(exactly));
        selects(&bench)
    };
    assert_eq!(ran(0b01), [CYCLES | EN, PARKED]);
    assert_eq!(ran(0b10), [PARKED | EN, INSTRUCTIONS]);
    assert_eq!(ran(0b11), [CYCLES | EN, INSTRUCTIONS]);
    assert_eq!(ran(0b00), [CYCLES, INSTRUCTIONS], "EN alone is cleared");
}

/// PerfEvtSel1 is written only where it differs, and a halt leaves it alone.
#[test]
fn a_start_after_another_finds_what_the_last_one_wrote() {
    let bench = Bench::new(&Identity::PENTIUM_II);
    both_counting(&bench);
    for exactly in [0b11, 0b00, 0b01, 0b00, 0b11, 0b10, 0b11].map(CounterSet::from_bits) {
        bench.driver.run(&bench.image, exactly);
        if exactly.contains(counter(1)) {
            assert_eq!(selects(&bench)[1], INSTRUCTIONS, "{exactly}");
        }
    }
}

#[test]
fn a_placement_writes_nothing_before_it_runs() {
    let bench = Bench::new(&Identity::PENTIUM_PRO);
    let [first] = bench.open([Event::INSTRUCTIONS]).unwrap();
    bench.driver.run(&bench.image, first.counter.only());
    let before = selects(&bench);
    bench.open([Event::CYCLES]).unwrap();
    assert_eq!(selects(&bench), before);
}

/// Somebody else's programming: every register holds something, and both counters count.
pub(crate) fn disturb(bench: &Bench) {
    let device = bench.driver.registers();
    device.0.write(select(0), 0);
    for number in [0, 1] {
        device.0.write(select(number), 0x0001_00C5);
        device.0.write(register(number), 0x1234_5678 + u64::from(number) * 0x8000_0000);
    }
    device.0.write(select(0), EN | 0x0001_00C4);
}
