//! Threads that are measured, as [`harness::threaded`] has them in this kernel: by the decrementer's ticks. QEMU's own
//! unit has no book.

pub use harness::threaded::{REQUESTS, Run};
use pmu::CounterId;

use super::here::Here;
use crate::by_width;
use crate::guest::threads::{Beginning, Scheduler, Threads, Turn};
use crate::guest::{World, position, truth, world};
use crate::low::Frame;

/// A thread of this kernel.
pub type Thread = harness::threaded::Thread<Here>;
/// So many of them, and who is next.
pub type Schedule<'k, const THREADS: usize> = harness::threaded::Schedule<'k, Here, THREADS>;

/// How often a test of threads switches them; a step of 32 bits takes the host longer.
pub const SWITCHES: u64 = by_width!(600, 450);

/// Rounds that no thread ever completes.
const FOR_EVER: usize = usize::MAX;

impl harness::threaded::Preempting for Here {
    type Beginning = Beginning;
    type Frame = Frame;

    fn in_loop() -> Beginning {
        Beginning::in_kernel(position::entry(), [0, 0, position::rounds_place()], FOR_EVER)
    }

    fn retired_by(frame: &Frame) -> Option<u64> {
        position::of_thread(frame)
    }

    fn booked(counters: &[Option<CounterId>; REQUESTS]) -> [u64; REQUESTS] {
        match world() {
            World::Host => counters.map(|counter| counter.map_or(0, truth::counted)),
            World::Native => [0; REQUESTS],
        }
    }

    fn switches() -> u64 {
        SWITCHES
    }

    fn run<const THREADS: usize>(schedule: &mut Schedule<THREADS>, beginnings: [Beginning; THREADS]) {
        Threads::new(schedule, |number| beginnings[number % THREADS]).run();
    }
}

impl<const THREADS: usize> Scheduler for Schedule<'_, THREADS> {
    fn switch(&mut self, left: Option<(usize, &Frame)>) -> Option<Turn> {
        if let Some((number, frame)) = left {
            self.leave(number, frame);
        }
        self.turn().map(|turn| Turn { thread: turn.thread, ticks: turn.instructions as usize })
    }
}
