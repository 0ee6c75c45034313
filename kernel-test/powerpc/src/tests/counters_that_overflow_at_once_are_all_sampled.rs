//! All counters of the unit overflow on the same instruction: one exception comes, and each of them
//! leaves its sample; and so they go on together.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{CounterId, Interrupted, Pmu, Request};

use super::clocked::{self, Together};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{instructions, on_overflow, position, truth};

const PERIOD: u64 = 3000;
const PERIODS: u64 = 10;
/// Longer than the test lasts.
const NEVER: u64 = 1 << 30;

static UNIT: Unit<1024> = Unit::new();
static POSITION: AtomicUsize = AtomicUsize::new(0);

struct AllTogether;

pub fn test() {
    on_overflow(note);
    clocked::together::<AllTogether>(&unit::claim(&UNIT));
}

fn note(at: Interrupted) {
    POSITION.store(position::of(at).map_or(usize::MAX, |position| position as usize), Relaxed);
    let _ = UNIT.on_overflow(at);
}

impl Together for AllTogether {
    fn test<const N: usize>(pmu: &Pmu<Driver>, counters: [CounterId; N]) {
        // Should a counter be started earlier, it has to wait longer.
        let alone = counters.map(|counter| shoot(pmu, counters.map(|each| only(counter, each))));
        let last = alone.into_iter().max().expect("there are counters");
        let wait = |counter| PERIOD + last - alone[counters.iter().position(|&each| each == counter).unwrap_or(0)];
        let before = (truth::overflows(), truth::interrupts());
        let position = shoot(pmu, counters.map(|counter| clocked::request(counter).once_after(wait(counter))));
        assert_eq!((truth::overflows() - before.0, truth::interrupts() - before.1), (1, 1), "on one instruction");
        assert_eq!(position, last);
        let samples = UNIT.samples().expect("nobody else reads").map(|sample| sample.counter);
        assert!(samples.skip(N).eq(counters), "one of each, after those that came alone");
        go_on_together(pmu, counters);
    }
}

/// All counters have a period, for those that have one may be started after those that have none.
fn only(sampled: CounterId, counter: CounterId) -> Request {
    clocked::request(counter).once_after(if counter == sampled { PERIOD } else { NEVER })
}

/// Where in the loop the last exception comes.
fn shoot<const N: usize>(pmu: &Pmu<Driver>, requests: [Request; N]) -> u64 {
    let mut session = pmu.open(requests).expect("there are as many counters");
    session.start().expect("it is stopped");
    position::position_loop(PERIOD as usize);
    session.stop().expect("it runs");
    POSITION.load(Relaxed) as u64
}

fn go_on_together<const N: usize>(pmu: &Pmu<Driver>, counters: [CounterId; N]) {
    let mut session = pmu.open(counters.map(|counter| clocked::request(counter).every(PERIOD))).expect("they are free");
    session.start().expect("it is stopped");
    instructions::exactly(PERIOD * PERIODS);
    session.stop().expect("it runs");
    let counts = session.read().expect("this is its CPU");
    let mut numbers = [0; 64];
    let mut samples = UNIT.samples().expect("nobody else reads");
    samples.by_ref().for_each(|sample| numbers[usize::from(sample.counter.number())] += 1);
    assert_eq!(counters.map(|counter| numbers[usize::from(counter.number())]), counts.map(|count| count / PERIOD));
    assert_eq!(samples.lost().total(), 0);
}
