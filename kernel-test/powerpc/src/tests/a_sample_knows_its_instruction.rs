//! The unit notes which instruction a counter overflowed on, and in which mode, and keeps that while the
//! exception waits for MSR[EE]. A 970 does so of marked instructions, and says of others that it does not.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::Kernel;
use pmu::{Interrupted, Pmu, Request};

use super::clocked;
use crate::family;
use crate::guest::Here;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{hold_exceptions, on_overflow, sled, take_exceptions};

static UNIT: Unit<4> = Unit::new();
/// Where the unit says that it was, and where the exception came.
static NOTED: AtomicUsize = AtomicUsize::new(0);
static TAKEN: AtomicUsize = AtomicUsize::new(0);

/// No instruction is there.
const NOTHING: usize = usize::MAX;
const DEEP: u64 = 2500;

fn note(at: Interrupted) {
    let noted = UNIT.here().ok().and_then(|pmu| family::sampled_address(pmu.driver()));
    NOTED.store(noted.map_or(NOTHING, |address| address as usize), Relaxed);
    TAKEN.store(at.address as usize, Relaxed);
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(note);
    let pmu = unit::claim(&UNIT);
    let marks = family::samples_only_marked(pmu.driver());
    for counter in clocked::kinds(&pmu.description()) {
        let plain = clocked::request(counter);
        if marks {
            sample(&pmu, plain, DEEP, false);
            assert_eq!(NOTED.load(Relaxed), NOTHING, "nothing is marked");
        }
        knows(&pmu, if marks { family::marked_instructions(counter) } else { plain });
    }
}

fn knows(pmu: &Pmu<Driver>, request: Request) {
    let (noted, taken) = sample(pmu, request, DEEP, false);
    assert_eq!(Here::distance_in_row(noted, taken), 1, "the next instruction is interrupted");
    let (waited, _) = sample(pmu, request, DEEP, true);
    for more in 1..5 {
        let (at, taken) = sample(pmu, request, DEEP + more, false);
        assert_eq!((Here::distance_in_row(noted, at), Here::distance_in_row(at, taken)), (more, 1));
        assert_eq!(Here::distance_in_row(waited, sample(pmu, request, DEEP + more, true).0), more, "it has waited");
    }
}

/// Where in the row the event with this number happens; and where its exception came, if that was open.
fn sample(pmu: &Pmu<Driver>, request: Request, event: u64, is_closed: bool) -> (u64, u64) {
    let mut session = pmu.open([request.once_after(event)]).expect("the counter is free");
    session.start().expect("it is stopped");
    if is_closed {
        hold_exceptions();
    }
    sled::run(1 + event / sled::LENGTH + 1);
    take_exceptions();
    session.stop().expect("it runs");
    let place = |at: &AtomicUsize| sled::of(at.load(Relaxed) as u64).unwrap_or(0);
    (place(&NOTED), place(&TAKEN))
}
