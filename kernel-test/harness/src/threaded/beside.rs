//! A session beside threads.

use pmu::{CounterId, Request};

use super::{Plan, Preempting, Schedule, Thread};
use crate::booked::Booked;
use crate::kernel::Claimed;

/// What passed while threads ran.
pub struct Run<const THREADS: usize> {
    /// The instructions of all, by the host's clock.
    pub total: u64,
    /// The session's count, which the host's book confirms.
    pub session: u64,
    /// What each thread has counted.
    pub threads: [u64; THREADS],
    /// What the threads' counter has counted, by the host's book.
    pub booked: u64,
}

impl<const THREADS: usize> Run<THREADS> {
    /// So many switches of threads that all ask for `threads`, on a counter, beside a session of `session`.
    pub fn of<K: Preempting>(
        pmu: &Claimed<K>,
        [session, threads]: [Request; 2],
        plan: &mut dyn Plan<K>,
        switches: u64,
    ) -> Self {
        let counter: CounterId = threads.counters.lowest().expect("it is pinned");
        let all = core::array::from_fn(|number| Thread::new(pmu, number, [threads].into()));
        let mut schedule = Schedule::new(pmu, all, plan);
        let mut whole = Booked::<K>::open(pmu, session);
        let (began, booked) = (K::retired(), K::counted(counter));
        whole.start();
        schedule.run(switches);
        whole.stop();
        let total = K::retired() - began;
        let threads = schedule.threads.each_ref().map(|thread| thread.counts()[0]);
        Self { total, session: whole.count(), threads, booked: K::counted(counter) - booked }
    }
}
