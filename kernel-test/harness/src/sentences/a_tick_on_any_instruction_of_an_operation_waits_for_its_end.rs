//! Operations keep ordinary interrupts off. So a tick that comes amid one waits for its end, whichever instruction it comes
//! on: its handler can use the unit, and neither undoes what the other has done.

#![expect(unsafe_code, reason = "the tick's handler finds what it keeps by a pointer")]

use core::ops::Range;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use pmu::{Event, Interrupted, Request};

use crate::accounts::{accounted, assert_all_free};
use crate::booked::Booked;
use crate::claim::sampling;
use crate::{Claimed, Effort, Kernel, tick};

/// What is counted, on whichever counter is free.
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// What one tick opens and the next one closes: an `Option<Booked<K>>`, for as long as there are ticks.
static BETWEEN: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling::<K>();
    let mut between = None::<Booked<K>>;
    BETWEEN.store((&raw mut between).cast(), Relaxed);
    tick::on_tick::<K>(on_tick::<K>);
    live::<K>(&pmu);
    let began = K::retired();
    let (_, work) = live::<K>(&pmu);
    let length = K::retired() - began;
    let work = work.start - began..work.end - began;
    let tried = Effort::chosen().of(K::few_tried(length), length);
    for instruction in tried.filter(|&instruction| is_worth_a_tick(instruction, &work)) {
        for is_open in [true, false] {
            K::tick_after(instruction);
            let before = accounted(K::unit());
            let (periods, _) = live::<K>(&pmu);
            // The tick's own session makes a life longer.
            K::exactly(length);
            assert_eq!(accounted(K::unit()) - before, periods, "instruction {instruction}");
            // SAFETY: the tick has come, and no other has been ordered.
            let is_there = unsafe { (*BETWEEN.load(Relaxed).cast::<Option<Booked<K>>>()).is_some() };
            assert_eq!(is_there, is_open, "instruction {instruction}");
        }
    }
    assert!(K::unit().spurious().foreign == 0 || K::shares_line());
    assert_all_free::<K>(&pmu);
}

/// Amid the work, where no operation is, few instructions are tried: all that tells them apart is the overflow's handler.
fn is_worth_a_tick(instruction: u64, work: &Range<u64>) -> bool {
    /// It has no divisor in common with the steps of those that share the instructions.
    const FEW: u64 = 17;
    !work.contains(&instruction) || instruction.is_multiple_of(FEW)
}

/// A session's life: open, start, work, stop, read, go on, stop, close. Returns how many periods have ended in it, and when
/// the work began and ended.
fn live<K: Kernel>(pmu: &Claimed<K>) -> (u64, Range<u64>) {
    let mut session = Booked::<K>::open(pmu, K::sampled(INSTRUCTIONS, K::PERIOD));
    let mut work = 0..0;
    session.around(|| {
        work.start = K::retired();
        K::exactly(K::PERIOD * 5 / 2);
        work.end = K::retired();
    });
    session.count();
    session.start();
    session.stop();
    (K::periods(session.count(), K::PERIOD), work)
}

/// Opens another session and starts it, or sees that it has counted right and closes it.
fn on_tick<K: Kernel>(_: Interrupted) {
    // SAFETY: the test has stored it, and does not look at it while a tick may come. No other tick comes meanwhile.
    let between = unsafe { &mut *BETWEEN.load(Relaxed).cast::<Option<Booked<K>>>() };
    match between.take() {
        None => {
            let pmu = K::unit().here().expect("this is its CPU");
            between.insert(Booked::open(&pmu, INSTRUCTIONS)).start();
        }
        Some(mut session) => {
            session.stop();
            session.count();
        }
    }
}
