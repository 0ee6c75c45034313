//! With the freeze no branch of the way into the handler is among the records, and without it the interrupt is.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::Kernel;
use harness::claim::sampling;
use pmu::branches::{BranchFilter, BranchKind, Branches};
use pmu::{Interrupted, Modes};

use super::super::On;
use super::code::row;
use super::recorder;
use crate::guest::on_overflow;
use crate::guest::way::Way;

/// Overflows whose records had the interrupt, and others.
static WITH: AtomicUsize = AtomicUsize::new(0);
static WITHOUT: AtomicUsize = AtomicUsize::new(0);

pub fn test<W: Way>() {
    let pmu = sampling::<On<W>>();
    on_overflow(handle::<W>);
    let recorder = recorder();
    let counter = On::<W>::counters(&pmu.description()).lowest().expect("a counter interrupts");
    let mut session = pmu.open([On::<W>::request(counter).every(10_007)]).expect("there is room");
    let all = BranchFilter::new(Modes::KERNEL);
    for (filter, seen, never) in [(all.frozen_by_overflows(), &WITHOUT, &WITH), (all, &WITH, &WITHOUT)] {
        [&WITH, &WITHOUT].into_iter().for_each(|count| count.store(0, Relaxed));
        recorder.record(&filter).expect("overflows freeze");
        session.start().expect("it is here");
        row(10_000);
        session.stop().expect("it is here");
        recorder.halt();
        assert!(seen.load(Relaxed) >= 8 && never.load(Relaxed) == 0, "{WITH:?} with, {WITHOUT:?} without");
    }
}

/// The records are cleared after each look, so that the end of the last handler's is not taken for the way into this one.
fn handle<W: Way>(at: Interrupted) {
    let recorder = recorder();
    let recording = recorder.halt();
    let list = recorder.kept::<64>();
    let has_interrupt = list.iter().any(|branch| branch.kind == Some(BranchKind::Interrupt));
    let count = if has_interrupt { &WITH } else { &WITHOUT };
    count.fetch_add(1, Relaxed);
    assert!(On::<W>::unit().on_overflow(at).is_mine());
    recorder.clear();
    recorder.resume(recording);
}
