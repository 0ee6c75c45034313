//! Starting, stopping, presetting, and restoring the saved state, as every family's driver does it. Its suite lends the
//! processors, a way to let every counter count instructions, and somebody else's programming that `disturb`s the unit.

use pmu::CounterSet;
use pmu::driver::{Control, Counters, Plan as _, Remaining, Slot};
use pmu::virt::Device as _;

use super::{Bench, LENGTHS, TRIED, disturb, open_all};

/// Takes the unit over, and lets every counter count.
fn all_counting(bench: &Bench) -> Vec<Slot> {
    bench.claim();
    open_all(bench)
}

fn counters(slots: &[Slot]) -> CounterSet {
    slots.iter().map(|slot| slot.counter).collect()
}

#[test]
fn each_counter_overflows_on_the_nth_event() {
    for identity in TRIED {
        let bench = Bench::new(identity);
        for Slot { counter: id, .. } in all_counting(&bench) {
            for &n in LENGTHS {
                bench.driver.run(&bench.image, CounterSet::EMPTY);
                assert_eq!(bench.driver.preset(&bench.image, id, Remaining::events(n)).count(), n);
                bench.driver.run(&bench.image, id.only());
                bench.work(n - 1);
                assert!(bench.overflowed(id.only()).is_empty(), "{identity:?} {id} {n}");
                bench.work(1);
                assert!(bench.overflowed(id.only()).contains(id), "{identity:?} {id} {n}");
                bench.driver.acknowledge(&bench.image, id.only());
            }
        }
    }
}

#[test]
fn an_overflow_is_found_with_the_events_past_it() {
    for identity in TRIED {
        let bench = Bench::new(identity);
        let slots = all_counting(&bench);
        let all = counters(&slots);
        for events in [100, 101, 102, 200, 1200] {
            for (slot, n) in slots.iter().zip(100..) {
                bench.driver.preset(&bench.image, slot.counter, Remaining::events(n));
            }
            bench.driver.run(&bench.image, all);
            bench.work(events);
            bench.driver.run(&bench.image, CounterSet::EMPTY);
            let past = slots.iter().zip(100..).map(|(slot, n)| (slot.counter.number(), events.cast_signed() - n));
            let expected: Vec<_> = past.filter(|&(_, past)| past >= 0).collect();
            assert_eq!(bench.past(all), expected, "{identity:?} {events}");
            bench.driver.acknowledge(&bench.image, all);
        }
    }
}

#[test]
fn exactly_the_counters_that_shall_run_count() {
    for identity in TRIED {
        let bench = Bench::new(identity);
        let slots = all_counting(&bench);
        let new: Vec<_> = slots.iter().map(|slot| bench.read(slot)).collect();
        for (position, running) in slots.iter().enumerate() {
            bench.driver.run(&bench.image, running.counter.only());
            bench.work(10);
            let counts: Vec<_> = slots.iter().zip(&new).map(|(slot, new)| bench.read(slot) - new).collect();
            assert!(counts.iter().take(position + 1).all(|&count| count == 10), "{identity:?} {counts:?}");
            assert!(counts.iter().skip(position + 1).all(|&count| count == 0), "{identity:?} {counts:?}");
        }
    }
}

/// Where there is no status, what the counters held before they were claimed would look like overflows.
#[test]
fn a_counter_does_not_look_overflowed_before_it_was_preset() {
    for identity in TRIED {
        let bench = Bench::new(identity);
        let all = counters(&all_counting(&bench));
        assert!(bench.overflowed(all).is_empty(), "{identity:?}");
    }
}

#[test]
fn what_the_unit_held_comes_back() {
    for identity in TRIED {
        let bench = Bench::new(identity);
        disturb(&bench);
        let before = bench.driver.registers().state();
        let saved = bench.claim();
        let all = counters(&open_all(&bench));
        for running in [CounterSet::first(1), all] {
            bench.driver.run(&bench.image, running);
            bench.work(1000);
        }
        bench.driver.restore(&saved);
        let mut after = bench.driver.registers().state();
        after.ticks = before.ticks;
        assert_eq!(after, before, "{identity:?}");
    }
}

/// A sleep may leave anything in the registers, and counters that count.
#[test]
fn a_reloaded_unit_is_halted_without_an_overflow_and_counts_what_it_did() {
    for identity in TRIED {
        let bench = Bench::new(identity);
        let all = counters(&all_counting(&bench));
        bench.driver.run(&bench.image, all);
        disturb(&bench);
        bench.claim();
        let stopped = bench.driver.registers().state();
        bench.work(1000);
        let mut after = bench.driver.registers().state();
        after.ticks = stopped.ticks;
        assert_eq!(after, stopped, "{identity:?}");
        assert!(bench.overflowed(all).is_empty(), "{identity:?}");
        all.into_iter().for_each(|id| _ = bench.driver.preset(&bench.image, id, Remaining::events(1000)));
        bench.driver.run(&bench.image, all);
        bench.work(1000);
        assert_eq!(bench.overflowed(all), all, "{identity:?}");
    }
}
