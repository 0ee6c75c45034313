//! Operations keep ordinary interrupts off. So a tick that comes amid one waits for its end, whichever instruction it comes
//! on: its handler can use the unit, and neither undoes what the other has done.

use core::cell::UnsafeCell;

use harness::accounts::{Accounts, assert_all_free};
use harness::{Claimed, Kernel};
use pmu::{Event, Interrupted, Request};

use super::here::{Booked, Here};
use crate::guest::truth;

/// What is counted, on whichever counter is free.
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
/// Some periods end while the session counts.
const PERIOD: u64 = 397;
/// Instructions that a session counts at least.
const WORK: u64 = 1_000;

/// What one tick opens and the next one closes.
struct Between(UnsafeCell<Option<Booked>>);

// SAFETY: one processor runs, and only the tick's handler, which no tick interrupts, uses it while there are ticks.
unsafe impl Sync for Between {}

static BETWEEN: Between = Between(UnsafeCell::new(None));

pub fn test() {
    let pmu = harness::claim::sampling::<Here>();
    Here::on_tick(on_tick);
    let began = truth::retired();
    live(&pmu);
    let length = truth::retired() - began;
    for instruction in 1..length {
        for is_open in [true, false] {
            Here::tick_after(instruction);
            let ((), accounts) = Accounts::around::<Here, _>(|| live(&pmu));
            // The first life, which was timed, selected the event that later ones find selected.
            Here::exactly(WORK);
            assert!(accounts.are_all_kept(), "instruction {instruction}: {accounts:?}");
            // SAFETY: the tick has come, and no other has been ordered.
            assert_eq!(unsafe { (*BETWEEN.0.get()).is_some() }, is_open, "instruction {instruction}");
        }
    }
    assert_all_free::<Here>(&pmu);
}

/// A session's life: open, start, work, stop, read, go on, stop, close.
fn live(pmu: &Claimed<Here>) {
    let mut session = Booked::open(pmu, INSTRUCTIONS.every(PERIOD));
    session.around(|| Here::exactly(WORK));
    session.count();
    session.start();
    session.stop();
    session.count();
}

/// Opens another session and starts it, or sees that it has counted right and closes it.
fn on_tick(_: Interrupted) {
    // SAFETY: no other tick comes meanwhile.
    let between = unsafe { &mut *BETWEEN.0.get() };
    match between.take() {
        None => {
            let pmu = Here::unit().here().expect("this is its CPU");
            between.insert(Booked::open(&pmu, INSTRUCTIONS)).start();
        }
        Some(mut session) => {
            session.stop();
            session.count();
        }
    }
}
