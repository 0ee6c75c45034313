//! The host interrupts after as many instructions as it was asked, and keeps an exception back for as
//! long as it was asked, and while MSR[EE] is closed.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use harness::Guest;
use pmu::Interrupted;

use crate::guest::{Here, hold_exceptions, on_overflow, position, take_exceptions};

static POSITION: AtomicUsize = AtomicUsize::new(0);

const NOWHERE: u64 = u64::MAX;

pub fn test() {
    on_overflow(note);
    let (ordered, held) = (interrupted_at(100, 0), interrupted_at(50, 100));
    for more in 1..50 {
        assert_eq!(interrupted_at(100 + more, 0), ordered + more);
        assert_eq!(interrupted_at(50, 100 + more), held + more, "it is held back");
    }
    hold_exceptions();
    Here::interrupt_after(10);
    position::position_loop(100);
    let before = Here::interrupts();
    take_exceptions();
    assert_eq!(Here::interrupts(), before + 1, "it has waited");
}

/// Where an exception comes that is ordered for after so many instructions and held back for others.
#[inline(never)]
fn interrupted_at(instructions: u64, held: u64) -> u64 {
    POSITION.store(NOWHERE as usize, Relaxed);
    Here::hold_interrupts(held);
    Here::interrupt_after(instructions);
    position::position_loop(100);
    POSITION.load(Relaxed) as u64
}

fn note(at: Interrupted) {
    POSITION.store(position::of(at).unwrap_or(NOWHERE) as usize, Relaxed);
}
