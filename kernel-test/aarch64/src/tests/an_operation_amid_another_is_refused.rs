//! An interrupt that opens a session of its own is told that the unit is busy if it came amid an
//! operation, and may if it did not; whichever instruction it comes on, what it interrupted is right.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicPtr, AtomicU64, Ordering::Relaxed};

use harness::accounts::assert_all_free;
use pmu::{CounterId, Error, Pmu};

use super::here::{Booked, Here};
use super::clocked;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{mischief, on_interrupt, truth};
use crate::trap::Frame;

static UNIT: Unit<0> = unit::new();
static PMU: AtomicPtr<Pmu<'static, Driver>> = AtomicPtr::new(null_mut());
static ALLOWED: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicU64 = AtomicU64::new(0);

/// The counter that the interrupt wants, and the thread's.
const WANTED: CounterId = CounterId::ZERO;
const THREADS: CounterId = CounterId::new(1).unwrap();

pub fn test() {
    let mut pmu = unit::claim(&UNIT);
    PMU.store(&mut pmu, Relaxed);
    on_interrupt(open_and_close);
    let mut instructions = 1;
    while live(&pmu, instructions) == During::Life {
        instructions += 1;
    }
    let (allowed, refused) = (ALLOWED.load(Relaxed), REFUSED.load(Relaxed));
    assert!(allowed > 100 && refused > 100, "{allowed} allowed, {refused} refused");
    assert_all_free::<Here>(&pmu);
}

/// When the interrupt came.
#[derive(PartialEq)]
enum During {
    Life,
    NextLife,
}

/// Open, start, stop, close, with an interrupt after some instructions.
fn live(pmu: &Pmu<'static, Driver>, instructions: u64) -> During {
    let before = truth::interrupts();
    mischief::interrupt_after(instructions);
    let mut session = Booked::open(pmu, clocked::request(THREADS));
    session.start();
    session.stop();
    session.count();
    drop(session);
    if truth::interrupts() > before { During::Life } else { During::NextLife }
}

fn open_and_close(_: &mut Frame) {
    // SAFETY: the test stores it before it asks for interrupts and keeps it for as long; whether it
    // may be used here is what the test is about.
    let pmu = unsafe { &*PMU.load(Relaxed) };
    match pmu.open([clocked::request(WANTED)]) {
        Ok(_) => ALLOWED.fetch_add(1, Relaxed),
        Err(Error::Busy) => REFUSED.fetch_add(1, Relaxed),
        Err(other) => panic!("{other}"),
    };
}
