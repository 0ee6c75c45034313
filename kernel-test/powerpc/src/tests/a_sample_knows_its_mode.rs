//! The unit notes in which mode it sampled, and keeps that while the exception is late: a user program's
//! sample is the user's though the kernel is interrupted. Where that is not to be trusted, the driver
//! says nothing.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::Guest;
use pmu::{CounterId, Interrupted, Mode, Modes, Pmu};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{Here, instructions, on_overflow, user};
use crate::{family, identity};

/// Deep inside what either mode does.
const DEEP: u64 = 2_000;
const LENGTH: u64 = 4_000;

static UNIT: Unit<4> = Unit::new();
/// The mode that was noted, and the one that was interrupted.
static NOTED: AtomicUsize = AtomicUsize::new(0);
static TAKEN: AtomicUsize = AtomicUsize::new(0);
const NOTHING: usize = 99;

fn note(at: Interrupted) {
    NOTED.store(family::sampled_mode().map_or(NOTHING, |mode| mode as usize), Relaxed);
    TAKEN.store(at.mode as usize, Relaxed);
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    on_overflow(note);
    let pmu = unit::claim(&UNIT);
    let knows = |mode| if family::notes_mode(&identity::presented().processor) { mode as usize } else { NOTHING };
    assert_eq!(sample(&pmu, Modes::USER, 0), [knows(Mode::User), Mode::User as usize]);
    assert_eq!(sample(&pmu, Modes::KERNEL, 0), [knows(Mode::Kernel), Mode::Kernel as usize]);
    assert_eq!(sample(&pmu, Modes::USER, 2 * LENGTH), [knows(Mode::User), Mode::Kernel as usize], "it was late");
}

/// Samples one of these modes, with an exception that is held back for so many instructions.
fn sample(pmu: &Pmu<Driver>, modes: Modes, held: u64) -> [usize; 2] {
    let request = clocked::request(CounterId::ZERO).modes(modes).once_after(DEEP);
    let mut session = pmu.open([request]).expect("the counter is free");
    session.start().expect("it is stopped");
    Here::hold_interrupts(held);
    user::run(body);
    instructions::exactly(2 * LENGTH);
    session.stop().expect("it runs");
    [&NOTED, &TAKEN].map(|mode| mode.swap(NOTHING, Relaxed))
}

extern "C" fn body() {
    instructions::exactly(LENGTH);
}
