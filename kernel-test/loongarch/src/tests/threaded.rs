//! Threads that are measured, as [`harness::threaded`] has them in this kernel: by the timer's ticks.

use crate::guest::Here;
use crate::guest::{position, threads};
use crate::low::Frame;

impl harness::threads::Preempting for Here {
    type Frame = Frame;

    fn in_kernel(body: extern "C" fn(usize) -> !, argument: usize) -> Frame {
        threads::in_kernel(body as *const () as u64, argument as u64)
    }

    /// It goes round for ever.
    fn in_loop() -> Frame {
        let mut frame = threads::in_kernel(position::entry(), 0);
        frame.general[position::ROUNDS_IN] = u64::MAX;
        frame
    }

    fn put_on_stack(frame: &mut Frame, end: usize) {
        threads::put_on_stack(frame, end as u64);
    }

    fn retired_by(frame: &Frame) -> Option<u64> {
        position::of_thread(frame)
    }
}
