//! Threads that move at random between cores of two kinds, beside sessions that come and go.

use super::{Core, big_little, lunar_lake};
use crate::support::chance::Chance;
use pmu::driver::Driver;
use pmu::{Context, Event, Request};

/// A thread on its way between two cores, and what it should have counted.
struct Traveller<D: Driver> {
    context: Context<D, 2>,
    /// What its first request counts of 100 instructions.
    each: u64,
    count: u64,
    running: u64,
    /// Its codes are the big core's alone.
    stays: bool,
}

impl<D: Driver> Traveller<D> {
    fn new(context: Context<D, 2>, each: u64, stays: bool) -> Self {
        Self { context, each, count: 0, running: 0, stays }
    }

    /// Runs on a core where so many sessions are open. What is counted is all that ran, or nothing if it waits.
    fn run(&mut self, core: &Core<D>, is_away: bool, sessions: usize) {
        let is_counted = core.run(&mut self.context);
        self.count += if is_counted { self.each } else { 0 };
        let counts = self.context.counts().expect("it is out");
        assert_eq!((counts.raw[0], counts.running > self.running), (self.count, is_counted));
        assert!(!(is_counted && is_away && self.stays), "its code means something else here");
        assert!(is_counted || sessions > 0 || is_away, "all counters are free at home");
        self.running = counts.running;
    }
}

/// The events are typed on the big core: by its name, and as its code.
fn travel_at_random<D: Driver>(cores: [Core<D>; 2], name: &str, each: u64, code: u64, seed: u64) {
    let mut chance = Chance(seed);
    let [big, _] = &cores;
    let bound = |event| {
        let mut context = Context::<D, 2>::new(1);
        context.bind(&big.pmu, [Request::new(event)]).expect("the big core counts it");
        context
    };
    let mut travellers = [
        Traveller::new(bound(Event::INSTRUCTIONS), 100, false),
        Traveller::new(bound(Event::raw(code)), 100, true),
        Traveller::new(big.thread::<2>(name), each, false),
    ];
    let mut sessions = [Vec::new(), Vec::new()];
    for _ in 0..300 {
        let (number, place) = (chance.below(3) as usize, chance.below(2) as usize);
        let (traveller, core, is_away) = (&mut travellers[number], &cores[place], place == 1);
        let operation = chance.below(12);
        println!("seed {seed}: operation {operation} of thread {number} on core {place}");
        match operation {
            0 => sessions[place].extend(core.pmu.open([Event::BRANCHES]).ok()),
            1 => sessions[place].clear(),
            2 => {
                let placed = core.pmu.place(&mut traveller.context);
                assert!(placed.is_ok() || is_away && traveller.stays || !sessions[place].is_empty(), "{placed:?}");
            }
            3 => {
                traveller.context.restart().expect("it is out");
                traveller.count = 0;
            }
            4 => assert!(traveller.context.set_period(&core.pmu, 0, 0).is_err(), "it does not sample"),
            _ => traveller.run(core, is_away, sessions[place].len()),
        }
    }
    assert!(travellers.iter().all(|traveller| traveller.running > 0));
}

#[test]
fn threads_that_move_at_random_count_what_ran_wherever_they_were_counted() {
    for seed in 1..=30 {
        travel_at_random(lunar_lake(), "BR_INST_RETIRED.NEAR_TAKEN:k", 20, 0x00C0, seed);
        travel_at_random(big_little(), "INST_RETIRED:k", 100, 0x0008, seed);
    }
}
