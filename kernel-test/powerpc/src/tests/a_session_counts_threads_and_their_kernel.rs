//! A session beside threads that are preempted at random instructions: what it has counted is what the
//! threads have, and their kernel; and the whole is what the host saw, but for the moments in which a switch
//! holds all counters, which are as long each time. Where each counter has modes of its own, the threads are
//! programs, and the session counts their kernel alone: together they have counted every instruction once.

use core::array;

use harness::threaded::{Plan, Preempting};
use pmu::{CounterId, Modes, Pmu};

use super::clocked;
use super::threaded::{self, Run, Thread};
use crate::family;
use crate::guest::Here;
use crate::guest::threads;
use crate::guest::unit::{self, Driver, Unit};
use crate::low::Frame;

const THREADS: usize = 12;
const SWITCHES: u64 = threaded::SWITCHES / 3;
/// The most instructions of a switch that no session counts: MMCR0 freezes all counters at once.
const LONGEST: u64 = 1_000;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = pmu.description().general.into_iter();
    let [session, threads]: [CounterId; 2] = array::from_fn(|_| counters.next().expect("every unit has two counters"));
    let apart = family::has_freezes_of_its_own(pmu.driver());
    let [of_session, of_threads] = if apart { [Modes::KERNEL, Modes::USER] } else { [Modes::ALL; 2] };
    let requests = [clocked::request(session).modes(of_session), clocked::request(threads).modes(of_threads)];
    let run = |switches| Run::<THREADS>::of(&pmu, requests, &mut Loops { apart }, switches);
    // The first one writes registers that the others find written.
    let [_, nobody, all] = [0, 0, SWITCHES].map(run);
    assert_eq!(nobody.threads, [0; THREADS]);
    let threads: u64 = all.threads.iter().sum();
    assert_eq!(threads, all.booked);
    let session = if apart { all.session + threads } else { all.session };
    let held = (all.total - nobody.total) - (session - nobody.session);
    assert!(held.is_multiple_of(SWITCHES) && held < LONGEST * SWITCHES, "{held} in {SWITCHES} switches");
    assert!(all.threads.iter().all(|count| *count > 0), "every thread has run");
    assert!(all.total - threads > SWITCHES, "the kernel has switched");
}

/// Each goes round the loop that says how many of its instructions have retired: all that a program counts
/// of its own mode.
struct Loops {
    apart: bool,
}

impl Plan<Here> for Loops {
    fn beginning(&self, _: usize) -> Frame {
        if self.apart { threads::in_problem_state(Here::in_loop()) } else { Here::in_loop() }
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        let [count, ..] = thread.counts();
        assert!(!self.apart || count == thread.own, "{:?}: {count} of {}", thread.context, thread.own);
    }
}
