//! A session beside threads: what it has counted is what the threads have, and their kernel; and
//! the whole is what the host saw.

use core::array;

use harness::threads::MOST;

use super::clocked;
use super::threaded::{self, Run, Thread};
use crate::guest::unit::{self, Unit};

/// As many as there are stacks.
const THREADS: usize = MOST;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let requests = array::from_fn(|_| clocked::request(counters.next().expect("every unit has two counters")));
    let mut inspect = |_: &mut Thread| {};
    let mut run = |switches| Run::<THREADS>::of(&pmu, requests, &mut inspect, switches);
    // The first start parks the threads' counter, if that needs a write, and the second finds it parked.
    run(0);
    let without_a_thread = run(0);
    let switches = threaded::switches(2_000, 20_000);
    let with_threads = run(switches);
    assert_eq!(without_a_thread.threads, [0; THREADS]);
    assert_eq!(with_threads.total - without_a_thread.total, with_threads.session - without_a_thread.session);
    assert_eq!(with_threads.threads.iter().sum::<u64>(), with_threads.booked);
    assert!(with_threads.threads.iter().all(|count| *count > 0), "every thread has run");
    let kernel = with_threads.session - with_threads.booked;
    assert!(kernel > switches, "the kernel has switched");
}
