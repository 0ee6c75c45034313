//! Sixty-four threads, each with requests of its own, are preempted at random instructions: what each has
//! counted is what its counters counted while it ran, by the host's book. On QEMU's own unit, of which there
//! is no book, every turn adds the thread's own instructions and a switch's, which are the same each time.

use core::array;

use harness::running;
use harness::threaded::{Cost, requests};
use pmu::Interrupted;

use super::amid::Here;
use super::clocked;
use super::threaded::{Kernel, SWITCHES, Thread};
use crate::guest::unit::{self, Unit};
use crate::guest::{World, on_overflow, threads, world};

static UNIT: Unit<64> = Unit::new();

fn handle(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let mut costs = [Cost::default(); threads::MOST];
    let mut inspect = |thread: &mut Thread| match world() {
        World::Host => assert_eq!(thread.counts(), thread.booked, "{:?}, turn {}", thread.context, thread.turns),
        World::Native => costs[thread.number()].check(thread),
    };
    let counters = clocked::exact_counters(&pmu.description());
    let thread = |number| Thread::new(&pmu, number, requests::<Here>(counters, number));
    let all: [_; threads::MOST] = array::from_fn(thread);
    let mut kernel = Kernel::new(&pmu, all, &mut inspect);
    kernel.run(SWITCHES);
    let periods: u64 = kernel.threads.iter().map(periods).sum();
    assert_eq!(unit::accounted(&UNIT), periods);
    assert!(periods > 0, "some have ended");
    assert!(kernel.threads.iter().all(|thread| thread.turns > 0), "every thread has run");
}

/// How many of its periods have ended.
fn periods(thread: &Thread) -> u64 {
    thread.context.requests()[0].sampling.map_or(0, |sampling| thread.counts()[0] / sampling.period)
}
