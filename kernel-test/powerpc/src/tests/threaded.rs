//! Threads that are measured, as [`harness::threaded`] has them in this kernel: by the decrementer's ticks.

pub use harness::threaded::{REQUESTS, Run};

use crate::guest::Here;
use crate::guest::{position, threads};
use crate::low::Frame;
use harness::by_width;

/// A thread of this kernel.
pub type Thread = harness::threaded::Thread<Here>;
/// So many of them, and who is next.
pub type Schedule<'k, const THREADS: usize> = harness::threaded::Schedule<'k, Here, THREADS>;

/// How often a test of threads switches them; a step of 32 bits takes the host longer.
pub const SWITCHES: u64 = by_width!(600, 450);

/// Rounds that no thread ever completes.
const FOR_EVER: usize = usize::MAX;

impl harness::threads::Preempting for Here {
    type Frame = Frame;

    fn in_kernel(body: extern "C" fn(usize) -> !, argument: usize) -> Frame {
        threads::in_kernel(body as usize, [argument, 0, 0], 0)
    }

    fn in_loop() -> Frame {
        threads::in_kernel(position::entry(), [0, 0, position::rounds_place()], FOR_EVER)
    }

    fn put_on_stack(frame: &mut Frame, end: usize) {
        threads::put_on_stack(frame, end);
    }

    fn retired_by(frame: &Frame) -> Option<u64> {
        position::of_thread(frame)
    }

    fn raise_tick() {
        threads::on_tick(harness::threads::on_tick::<Self>);
        threads::raise_tick();
    }

    fn switches() -> u64 {
        SWITCHES
    }
}
