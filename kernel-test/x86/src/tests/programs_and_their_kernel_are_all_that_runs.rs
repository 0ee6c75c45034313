//! What programs in ring 3 have counted of themselves and what a session has counted of their kernel is, together,
//! every instruction that retired, by the host's clock: none is counted twice, and none in the wrong ring.

use core::array;

use harness::Effort;
use harness::threaded::Plan;
use harness::threads::MOST;
use pmu::{CounterId, Modes, Pmu};

use super::clocked;
use super::threaded::{FOR_EVER, Run, Thread};
use crate::guest::Here;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{position, threads};
use crate::trap::Frame;

const SWITCHES: u64 = 4_000;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let [session, programs]: [CounterId; 2] = array::from_fn(|_| counters.next().expect("every unit has two counters"));
    let requests = [clocked::request(session).modes(Modes::KERNEL), clocked::request(programs).modes(Modes::USER)];
    let run = |switches| Run::<MOST>::of(&pmu, requests, &mut Loops, switches);
    // The first start parks the programs' counter, if that needs a write, and the second finds it parked.
    run(0);
    let nobody = run(0);
    let switches = Effort::length(SWITCHES);
    let all = run(switches);
    let programs: u64 = all.threads.iter().sum();
    assert_eq!(nobody.threads, [0; MOST]);
    assert_eq!(all.total - nobody.total, programs + all.session - nobody.session);
    assert!(all.session > switches && programs > switches, "both have run");
}

/// Each program goes round the loop that says how many of its instructions have retired.
struct Loops;

impl Plan<Here> for Loops {
    fn beginning(&self, _: usize) -> Frame {
        threads::in_ring_3(position::entry(), FOR_EVER)
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        assert_eq!(thread.counts()[0], thread.own, "{:?} after {} turns", thread.context, thread.turns);
    }
}
