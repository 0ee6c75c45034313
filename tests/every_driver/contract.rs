//! What the contract requires of a driver by itself, whatever the unit above it does.

use std::cell::Cell;

use pmu::driver::{Control as _, Counters as _, Image as _, Plan as _, Remaining, Slot, Steps};
use pmu::virt::Device as _;
use pmu::{CounterSet, Request};

use crate::machine::{Machine, instruction};
use crate::{Bench, INSTRUCTIONS, Subject};

type Image<S> = <<S as Subject>::Driver as pmu::driver::Counters>::Image;
type Saved<S> = <<S as Subject>::Driver as pmu::driver::Control>::Saved;

/// A driver that has taken its unit over, with requests for instructions on it: two, if there is room.
struct Programmed<S: Subject> {
    machine: &'static Machine<S::Device>,
    driver: S::Driver,
    image: Image<S>,
    saved: Saved<S>,
    slots: Vec<Slot>,
}

impl<S: Subject> Programmed<S> {
    fn new() -> Self {
        let machine = S::machine();
        let driver = S::driver(machine);
        let (image, saved) = (Image::<S>::BLANK, <S::Driver as pmu::driver::Control>::NOTHING_SAVED);
        driver.save(&saved);
        driver.reload(&image);
        let demand = driver.encode(&INSTRUCTIONS).unwrap();
        let mut slots = vec![Slot::EMPTY; S::facts().room.min(2)];
        let demands = [demand; 2];
        let program = driver.place(&image.occupancy(), &demands[..slots.len()], Steps::OPEN, &mut slots).unwrap();
        driver.load(&image, &program, &slots);
        Self { machine, driver, image, saved, slots }
    }

    /// Runs the first counter, and leaves it running. Returns what it counts of 100 instructions.
    fn count(&self) -> u64 {
        let known = self.driver.counter(&self.slots[0]);
        self.driver.preset(&self.image, self.slots[0].counter, known.longest);
        let before = self.driver.read(known.handle);
        self.driver.run(&self.image, self.slots[0].counter.only());
        self.machine.work(100);
        known.width.delta(before, self.driver.read(known.handle))
    }
}

/// What the unit's registers hold: its state without the clock, which passes.
fn registers<S: Subject>(machine: &Machine<S::Device>) -> String {
    let state = format!("{:?}", machine.device.state());
    let (before, clock) = state.split_once("ticks: ").expect("every device has a clock");
    before.to_owned() + clock.trim_start_matches(|digit: char| digit.is_ascii_digit())
}

pub(crate) fn a_unit_that_counts_is_halted_before_it_is_restored<S: Subject>() {
    let before = registers::<S>(S::machine());
    let programmed = Programmed::<S>::new();
    assert_eq!(programmed.count(), 100);
    programmed.machine.per_access.set(S::facts().restores_at_once.into());
    programmed.driver.restore(&programmed.saved);
    assert_eq!((registers::<S>(programmed.machine), programmed.machine.wire.entry.get()), (before, 0));
}

/// After a sleep nothing runs, whatever the image says.
pub(crate) fn a_unit_that_is_taken_over_anew_is_halted_and_can_be_started_again<S: Subject>() {
    let programmed = Programmed::<S>::new();
    assert_eq!(programmed.count(), 100);
    let known = programmed.driver.counter(&programmed.slots[0]);
    let is_halted = || {
        let before = programmed.driver.read(known.handle);
        programmed.machine.work(100);
        programmed.driver.read(known.handle) == before
    };
    programmed.driver.save(&programmed.saved);
    assert!(is_halted());
    programmed.driver.reload(&programmed.image);
    assert!(is_halted());
    assert_eq!(programmed.count(), 100);
}

/// A handler that comes amid a start or a stop halts what counts by then.
pub(crate) fn a_halt_at_any_access_of_a_run_halts_every_counter<S: Subject>() {
    for accesses in 0..12 {
        let programmed: &'static Programmed<S> = Box::leak(Box::new(Programmed::new()));
        let Programmed { machine, driver, image, slots, .. } = programmed;
        for (slot, remaining) in slots.iter().zip(1000..) {
            driver.preset(image, slot.counter, Remaining::events(remaining));
        }
        machine.on_interrupt(move |_| {
            driver.run(image, CounterSet::EMPTY);
            let values = || slots.iter().map(|slot| driver.read(driver.counter(slot).handle)).collect::<Vec<_>>();
            let before = values();
            machine.device.advance(&instruction());
            assert_eq!(values(), before, "access {accesses}");
        });
        machine.interrupt_after(accesses);
        let all = slots.iter().map(|slot| slot.counter).collect();
        driver.run(image, all);
        driver.run(image, slots[0].counter.only());
        driver.run(image, all);
        driver.run(image, CounterSet::EMPTY);
    }
}

/// A handler that comes amid a lending, or its end, halts what counts, and it stays halted.
pub(crate) fn a_halt_at_any_access_of_a_lend_halts_every_counter<S: Subject>() {
    for accesses in 0..12 {
        let programmed: &'static Programmed<S> = Box::leak(Box::new(Programmed::new()));
        let Programmed { machine, driver, image, slots, .. } = programmed;
        let all: CounterSet = slots.iter().map(|slot| slot.counter).collect();
        for lent in [all, CounterSet::EMPTY] {
            for (slot, remaining) in slots.iter().zip(1000..) {
                driver.preset(image, slot.counter, Remaining::events(remaining));
            }
            driver.run(image, all);
            let is_halted: &'static Cell<bool> = Box::leak(Box::new(Cell::new(false)));
            machine.on_interrupt(move |_| {
                driver.run(image, CounterSet::EMPTY);
                is_halted.set(true);
            });
            machine.interrupt_after(accesses);
            driver.lend(image, lent);
            machine.interrupt_after(u64::MAX);
            let values = || slots.iter().map(|slot| driver.read(driver.counter(slot).handle)).collect::<Vec<_>>();
            let before = values();
            if is_halted.get() {
                machine.device.advance(&instruction());
                assert_eq!(values(), before, "access {accesses}, {lent:?}");
            }
            driver.run(image, CounterSet::EMPTY);
        }
    }
}

pub(crate) fn a_preset_is_as_long_as_the_counter_can_wait<S: Subject>() {
    let Programmed { driver, image, slots, .. } = Programmed::<S>::new();
    let slot = slots[0];
    let known = driver.counter(&slot);
    assert_eq!(driver.preset(&image, slot.counter, Remaining::events(u64::MAX)), known.longest);
    assert_eq!(known.width.past(driver.read(known.handle)), None);
}

/// A counter that is loaded and not preset yet has not overflowed.
pub(crate) fn an_interrupt_at_any_access_of_an_open_finds_nothing<S: Subject>() {
    for accesses in S::facts().some(0..crate::races::ACCESSES) {
        let bench = Bench::<S>::new();
        bench.machine.interrupt_after(accesses);
        let mut session = bench.pmu.open([INSTRUCTIONS.every(400), Request::new(S::facts().other)]).unwrap();
        let interrupts = bench.handled();
        assert!(interrupts.iter().all(|handled| !handled.is_mine()), "access {accesses}: {interrupts:?}");
        session.start().unwrap();
        bench.machine.work(1000);
        let lost = bench.unit.samples().unwrap().lost().total();
        let [instructions, _] = session.read().unwrap();
        assert_eq!((instructions, bench.samples().len(), lost), (1000, 2, 0), "access {accesses}");
    }
}
