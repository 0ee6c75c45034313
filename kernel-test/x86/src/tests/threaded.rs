//! Threads that are measured, as [`harness::threaded`] has them in this kernel: by the ticks of the host.

use harness::Effort;
pub use harness::threaded::{REQUESTS, Run};

use crate::guest::Here;
use crate::guest::{on_tick, position, threads};
use crate::identity;
use crate::trap::Frame;

/// A thread of this kernel.
pub type Thread = harness::threaded::Thread<Here>;
/// So many of them, and who is next.
pub type Schedule<'k, const THREADS: usize> = harness::threaded::Schedule<'k, Here, THREADS>;

/// The processor on which threads are switched the most.
const SWITCHED_MOST: &str = "skylake";

/// How often a test of threads switches them: `often` on that one, `seldom` on the others.
pub fn switches(seldom: u64, often: u64) -> u64 {
    Effort::length(by_processor(seldom, often))
}

fn by_processor(seldom: u64, often: u64) -> u64 {
    if identity::presented().name == SWITCHED_MOST { often } else { seldom }
}

/// Rounds that no thread ever completes.
pub const FOR_EVER: usize = usize::MAX;

impl harness::threads::Preempting for Here {
    type Frame = Frame;

    fn in_kernel(body: extern "C" fn(usize) -> !, argument: usize) -> Frame {
        threads::in_kernel(body as usize, argument)
    }

    fn in_loop() -> Frame {
        threads::in_kernel(position::entry(), FOR_EVER)
    }

    fn put_on_stack(frame: &mut Frame, end: usize) {
        threads::put_on_stack(frame, end);
    }

    fn retired_by(frame: &Frame) -> Option<u64> {
        position::of(frame)
    }

    fn raise_tick() {
        on_tick(harness::threads::on_tick::<Self>);
        threads::raise_tick();
    }

    fn switches() -> u64 {
        by_processor(4_000, 100_000)
    }
}
