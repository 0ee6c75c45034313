//! With the freeze no branch of the way into the handler is among the records, and without it the interrupt is.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::Kernel;
use harness::claim::sampling;
use pmu::branches::{BranchFilter, Branches};
use pmu::{Interrupted, Modes};

use super::code::{call_row, is_in_row};
use super::recorder;
use crate::guest::{Here, on_overflow};

/// Overflows whose newest record was of the code that they interrupted, and others.
static OF_CODE: AtomicUsize = AtomicUsize::new(0);
static OF_HANDLER: AtomicUsize = AtomicUsize::new(0);

pub fn test() {
    let pmu = sampling::<Here>();
    on_overflow(handle);
    let recorder = recorder();
    let counter = Here::counters(&pmu.description()).lowest().expect("a counter interrupts");
    let mut session = pmu.open([Here::request(counter).every(4_007)]).expect("there is room");
    let all = BranchFilter::new(Modes::ALL);
    for (filter, seen, never) in [(all.frozen_by_overflows(), &OF_CODE, &OF_HANDLER), (all, &OF_HANDLER, &OF_CODE)] {
        [&OF_CODE, &OF_HANDLER].into_iter().for_each(|count| count.store(0, Relaxed));
        recorder.record(&filter).expect("overflows freeze");
        session.start().expect("it is here");
        call_row(4_000);
        session.stop().expect("it is here");
        recorder.halt();
        assert!(seen.load(Relaxed) >= 8 && never.load(Relaxed) == 0, "{OF_CODE:?} of code, {OF_HANDLER:?} others");
    }
}

fn handle(at: Interrupted) {
    let recorder = recorder();
    let recording = recorder.halt();
    let list = recorder.kept::<1>();
    if is_in_row(at.address) {
        let count = if list.iter().all(|branch| is_in_row(branch.from) && is_in_row(branch.to)) {
            &OF_CODE
        } else {
            &OF_HANDLER
        };
        count.fetch_add(1, Relaxed);
    }
    assert!(Here::unit().on_overflow(at).is_mine());
    recorder.resume(recording);
}
