//! All counters of the unit overflow on the same instruction: one interrupt comes, and each of them
//! leaves its sample; and so they go on together.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use pmu::{CounterId, Pmu, Request};

use super::clocked::{self, Together};
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{instructions, on_interrupt, position, truth};
use crate::trap::Frame;

const PERIOD: u64 = 2000;
const PERIODS: u64 = 40;
/// Longer than the test lasts.
const NEVER: u64 = 1 << 30;

static UNIT: Unit<1024> = unit::new();
static POSITION: AtomicU64 = AtomicU64::new(0);

struct AllTogether;

pub fn test() {
    on_interrupt(note);
    clocked::together::<AllTogether>(&unit::claim(&UNIT));
}

fn note(frame: &mut Frame) {
    POSITION.store(position::of(frame).unwrap_or(u64::MAX), Relaxed);
    let _ = UNIT.on_overflow(unit::interrupted(frame));
}

impl Together for AllTogether {
    fn test<const N: usize>(pmu: &Pmu<Driver>, counters: [CounterId; N]) {
        // Where there is no global control, a counter that is started earlier has to wait longer.
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

/// Where in the loop the last interrupt comes.
fn shoot<const N: usize>(pmu: &Pmu<Driver>, requests: [Request; N]) -> u64 {
    let mut session = pmu.open(requests).expect("there are as many counters");
    session.start().expect("it is stopped");
    position::turn(PERIOD);
    session.stop().expect("it runs");
    POSITION.load(Relaxed)
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
