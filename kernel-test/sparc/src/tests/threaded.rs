//! Threads of this kernel.

use crate::frame::Frame;
use crate::guest::Here;
use crate::guest::{position, threads};

impl harness::threads::Preempting for Here {
    type Frame = Frame;

    fn in_kernel(body: extern "C" fn(usize) -> !, argument: usize) -> Frame {
        threads::in_kernel(body as usize as u64, [argument as u64, 0])
    }

    fn in_loop() -> Frame {
        let (entry, arguments) = position::thread();
        threads::in_kernel(entry, arguments)
    }

    fn put_on_stack(frame: &mut Frame, end: usize) {
        threads::put_on_stack(frame, end as u64);
    }

    fn retired_by(frame: &Frame) -> Option<u64> {
        position::of_thread(frame)
    }
}
