//! Threads hand the processor on to each other: what each has counted is what its counter counted
//! while the thread was in, by the host's book; a period is longer than any turn, goes on over the
//! others', and its sample names the thread.

use core::array;

use harness::follow::Followed;
use harness::running;
use pmu::Interrupted;

use super::clocked;
use crate::guest::Here;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Unit};

type Thread = Followed<Here>;

const THREADS: usize = 8;
const TURNS: u64 = 48;
/// Every so-manieth thread is sampled.
const SAMPLED: usize = 2;
/// Longer than any turn, a switch included.
const PERIOD: u64 = 2_003;

static UNIT: Unit<64> = Unit::new();

fn handle(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let counters = pmu.description().general;
    let request = |number: usize| {
        let request = clocked::request(counters.into_iter().cycle().nth(number).expect("the unit has counters"));
        if number.is_multiple_of(SAMPLED) { request.every(PERIOD) } else { request }
    };
    let mut threads: [Thread; THREADS] = array::from_fn(|number| Thread::new(&pmu, number as u32, request(number)));
    for turn in 0..TURNS {
        for thread in &mut threads {
            thread.run(&pmu, 100 + 67 * turn % 400);
            thread.count();
        }
    }
    let periods: u64 = threads.iter().map(periods).sum();
    assert!(periods > 2 * THREADS as u64, "{periods} periods are too few");
    check_samples(&threads, periods);
}

/// Each is of the request of the thread that it names, and there are as many as periods have ended.
fn check_samples(threads: &[Thread], periods: u64) {
    let mut samples = UNIT.samples().expect("nobody else reads");
    for sample in samples.by_ref() {
        let thread = &threads[sample.thread as usize];
        assert_eq!(thread.context.request_of(&sample), Some(0), "{sample:?}");
    }
    assert_eq!(samples.received() + samples.lost().total(), periods);
}

/// How many periods of this thread's request have ended.
fn periods(thread: &Thread) -> u64 {
    if thread.context.requests()[0].sampling.is_some() { thread.count() / PERIOD } else { 0 }
}
