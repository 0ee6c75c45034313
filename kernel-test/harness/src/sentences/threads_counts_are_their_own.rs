//! Sixty-four threads, each with requests of its own, are preempted at random instructions: what each has counted is what
//! its counters counted while it ran, by the host's book; and where a switch is the same each time, every turn adds the
//! thread's own instructions and a switch's.

use core::array;

use crate::Effort;
use crate::accounts::accounted;
use crate::claim::sampling_threads;
use crate::threaded::{Cost, Preempting, REQUESTS, Schedule, Thread, requests};

const THREADS: usize = 64;

/// Shows it.
pub fn test<K: Preempting>() {
    let pmu = sampling_threads::<K>();
    let mut costs = [Cost::default(); THREADS];
    let mut inspect = |thread: &mut Thread<K>| {
        assert!(!K::has_book() || thread.counts() == thread.booked, "thread {}, turn {}", thread.number(), thread.turns);
        if !K::has_book() || K::VARIES == 0 {
            costs[thread.number()].check(thread);
        }
    };
    let counters = K::exact(&pmu.description());
    let all: [_; THREADS] = array::from_fn(|number| Thread::new(&pmu, number, requests::<K>(counters, number, REQUESTS)));
    let mut schedule = Schedule::new(&pmu, all, &mut inspect);
    let switches = Effort::length(K::switches());
    schedule.run(switches);
    let periods: u64 = schedule.threads.iter().map(periods).sum();
    assert_eq!(accounted(K::unit()), periods);
    assert!(periods > 0 || !K::has_interrupts(), "some have ended");
    assert!(schedule.threads.iter().all(|thread| thread.turns > switches / 1000), "every thread has run");
}

/// How many of its periods have ended.
fn periods<K: Preempting>(thread: &Thread<K>) -> u64 {
    thread.context.requests()[0].sampling.map_or(0, |sampling| thread.counts()[0] / sampling.period)
}
