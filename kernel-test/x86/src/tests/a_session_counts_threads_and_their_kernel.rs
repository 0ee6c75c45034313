//! A session beside threads: what it has counted is what the threads have, and their kernel; and
//! the whole is what the host saw.

use core::array;

use pmu::{CounterId, Pmu};

use super::amid::Booked;
use super::clocked;
use super::threaded::{self, Kernel, Thread};
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{threads, truth};

/// As many as there are stacks.
const THREADS: usize = threads::MOST;

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let mut counters = clocked::counters(&pmu.description()).into_iter();
    let [session, threads] = array::from_fn(|_| counters.next().expect("every unit has two counters"));
    let without_a_thread = run(&pmu, session, threads, 0);
    let switches = threaded::switches(2_000, 100_000);
    let with_threads = run(&pmu, session, threads, switches);
    assert_eq!(without_a_thread.threads, [0; THREADS]);
    assert_eq!(with_threads.total - without_a_thread.total, with_threads.session - without_a_thread.session);
    assert_eq!(with_threads.threads.iter().sum::<u64>(), with_threads.booked);
    assert!(with_threads.threads.iter().all(|count| *count > 0), "every thread has run");
    let kernel = with_threads.session - with_threads.booked;
    assert!(kernel > switches, "the kernel has switched");
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

fn run(pmu: &Pmu<'static, Driver>, counter: CounterId, threads_counter: CounterId, switches: u64) -> Run {
    let mut inspect = |_: &mut Thread| {};
    let thread = |number| Thread::new(pmu, number, [clocked::request(threads_counter)].into());
    let mut kernel = Kernel::new(pmu, array::from_fn::<_, THREADS, _>(thread), &mut inspect);
    let mut whole = Booked::open(pmu, clocked::request(counter));
    let (began, booked) = (truth::retired(), truth::counted(threads_counter));
    whole.session.start().expect("it is stopped");
    kernel.run(switches);
    whole.session.stop().expect("it runs");
    let total = truth::retired() - began;
    let threads = kernel.threads.each_ref().map(|thread| thread.counts()[0]);
    Run { total, session: whole.count(), threads, booked: truth::counted(threads_counter) - booked }
}
