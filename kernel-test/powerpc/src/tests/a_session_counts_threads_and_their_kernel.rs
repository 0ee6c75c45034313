//! A session beside threads that are preempted at random instructions: what it has counted is what the
//! threads have, and their kernel; and the whole is what the host saw, but for the moments in which a switch
//! holds all counters, which are as long each time. Where each counter has modes of its own, the threads are
//! programs, and the session counts their kernel alone: together they have counted every instruction once.

use core::array;

use pmu::{CounterId, Modes, Pmu};

use super::amid::Booked;
use super::clocked;
use super::threaded::{self, Kernel, Plan, Thread, in_loop};
use crate::family;
use crate::guest::threads::Beginning;
use crate::guest::truth;
use crate::guest::unit::{self, Driver, Unit};

const THREADS: usize = 12;
const SWITCHES: u64 = threaded::SWITCHES / 3;
/// The most instructions of a switch that no session counts: MMCR0 freezes all counters at once.
const LONGEST: u64 = 1_000;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let counters = array::from_fn(|_| counters.next().expect("every unit has two counters"));
    let apart = family::has_freezes_of_its_own(pmu.backend());
    let nobody = run(&pmu, counters, apart, 0);
    let all = run(&pmu, counters, apart, SWITCHES);
    assert_eq!(nobody.threads, [0; THREADS]);
    let threads: u64 = all.threads.iter().sum();
    assert_eq!(threads, all.booked);
    let session = if apart { all.session + threads } else { all.session };
    let held = (all.total - nobody.total) - (session - nobody.session);
    assert!(held.is_multiple_of(SWITCHES) && held < LONGEST * SWITCHES, "{held} in {SWITCHES} switches");
    assert!(all.threads.iter().all(|count| *count > 0), "every thread has run");
    assert!(all.total - threads > SWITCHES, "the kernel has switched");
}

/// What passed while threads ran.
struct Run {
    /// The instructions of all, by the host's clock.
    total: u64,
    /// The session's count, which the host's book confirms.
    session: u64,
    threads: [u64; THREADS],
    /// What the threads' counter has counted, by the host's book.
    booked: u64,
}

fn run(pmu: &Pmu<'static, Driver>, [session, threads]: [CounterId; 2], apart: bool, switches: u64) -> Run {
    let [of_session, of_threads] = if apart { [Modes::KERNEL, Modes::USER] } else { [Modes::ALL; 2] };
    let request = clocked::request(threads).modes(of_threads);
    let mut plan = Loops { apart };
    let all = array::from_fn::<_, THREADS, _>(|number| Thread::new(pmu, number, [request].into()));
    let mut kernel = Kernel::new(pmu, all, &mut plan);
    let mut whole = Booked::open(pmu, clocked::request(session).modes(of_session));
    let (began, booked) = (truth::retired(), truth::counted(threads));
    whole.session.start().expect("it is stopped");
    kernel.run(switches);
    whole.session.stop().expect("it runs");
    let total = truth::retired() - began;
    let counts = kernel.threads.each_ref().map(|thread| thread.counts()[0]);
    Run { total, session: whole.count(), threads: counts, booked: truth::counted(threads) - booked }
}

/// Each goes round the loop that says how many of its instructions have retired: all that a program counts
/// of its own mode.
struct Loops {
    apart: bool,
}

impl Plan for Loops {
    fn beginning(&self, _: usize) -> Beginning {
        if self.apart { in_loop().in_problem_state() } else { in_loop() }
    }

    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        let [count, ..] = thread.counts();
        assert!(!self.apart || count == thread.own, "{:?}: {count} of {}", thread.context, thread.own);
    }
}
