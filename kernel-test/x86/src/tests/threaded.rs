//! Threads that are measured, as [`harness::threaded`] has them in this kernel: by the ticks of the host.

pub use harness::threaded::{REQUESTS, Run};
use pmu::CounterId;

use super::here::Here;
use crate::guest::threads::{Beginning, Cause, Left, Scheduler, Threads, Turn};
use crate::guest::{position, truth};
use crate::identity;
use crate::trap::Frame;

/// A thread of this kernel.
pub type Thread = harness::threaded::Thread<Here>;
/// So many of them, and who is next.
pub type Schedule<'k, const THREADS: usize> = harness::threaded::Schedule<'k, Here, THREADS>;

/// The processors on which threads are switched the most: of each vendor the one that users have.
const SWITCHED_MOST: [&str; 2] = ["skylake", "zen4"];

/// How often a test of threads switches them: `often` on those, `seldom` on the others.
pub fn switches(seldom: u64, often: u64) -> u64 {
    if SWITCHED_MOST.contains(&identity::presented().name) { often } else { seldom }
}

/// Rounds that no thread ever completes.
pub const FOR_EVER: u64 = u64::MAX;

impl harness::threaded::Preempting for Here {
    type Beginning = Beginning;
    type Frame = Frame;

    fn in_loop() -> Beginning {
        Beginning::in_kernel(position::entry(), FOR_EVER)
    }

    fn retired_by(frame: &Frame) -> Option<u64> {
        position::of(frame)
    }

    fn booked(counters: &[Option<CounterId>; REQUESTS]) -> [u64; REQUESTS] {
        let book = truth::book();
        counters.map(|counter| counter.map_or(0, |counter| book[usize::from(counter.number())]))
    }

    fn switches() -> u64 {
        switches(10_000, 100_000)
    }

    fn run<const THREADS: usize>(schedule: &mut Schedule<THREADS>, beginnings: [Beginning; THREADS]) {
        let mut threads = Threads::new(schedule);
        beginnings.into_iter().enumerate().for_each(|(number, beginning)| threads.begin(number, beginning));
        threads.run();
    }
}

impl<const THREADS: usize> Scheduler for Schedule<'_, THREADS> {
    fn switch(&mut self, left: Option<Left>) -> Option<Turn> {
        if let Some(Left { thread, frame, cause }) = left {
            assert_eq!(cause, Cause::Tick, "it runs for ever");
            self.leave(thread, frame);
        }
        self.turn().map(|turn| Turn { thread: turn.thread, instructions: turn.instructions })
    }
}
