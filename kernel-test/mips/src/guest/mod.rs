//! What a test finds when it wakes up: an ordinary kernel with a console, which takes the unit's interrupts.
//!
//! The host below it has put it into user mode, where each instruction that reaches coprocessor 0 traps, and answers.
//!
//! A test is a function that returns if all is well and panics if it is not. [`vector`] is where every exception arrives;
//! [`on_overflow`] lends a test the unit's line. [`instructions`] are loops of a known length; [`position`] is one that knows
//! where it was interrupted; [`unit`] is the crate's driver, ready to be claimed; [`host`] asks the host for the truth and for
//! mischief; [`user`] visits user mode.

pub mod host;
pub mod instructions;
pub mod kept;
pub mod position;
pub mod sled;
pub mod threads;
pub mod unit;
pub mod user;
mod vector;

use core::arch::asm;
use core::fmt;
use core::mem::transmute;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use harness::Words;
use pmu::Interrupted;

use crate::hypercall::{Call, call};
pub use vector::vector;

/// What is called at each of the unit's interrupts.
pub type Handler = fn(Interrupted);

static HANDLER: AtomicPtr<()> = AtomicPtr::new(unexpected as Handler as *mut ());

/// The first function of a guest: `body` is the test's, a `fn()`.
pub extern "C" fn begin(body: usize) -> ! {
    // SAFETY: the host passes on the address of a test's body, which is a `fn()`.
    let body: fn() = unsafe { transmute(body) };
    take_interrupts();
    body();
    call(Call::Passed, 0, 0);
    unreachable!("the host does not come back from the end of a test")
}

/// Calls `handler` at each of the unit's interrupts from now on.
pub fn on_overflow(handler: Handler) {
    HANDLER.store(handler as *mut (), Relaxed);
}

/// Does somebody expect the unit's interrupts?
fn expects_overflows() -> bool {
    HANDLER.load(Relaxed) != unexpected as Handler as *mut ()
}

fn handle_overflow(at: Interrupted) {
    // SAFETY: only handlers are ever stored there.
    let handler: Handler = unsafe { transmute(HANDLER.load(Relaxed)) };
    handler(at);
}

fn unexpected(at: Interrupted) {
    panic!("an interrupt at {:#x} that the test does not expect", at.address);
}

/// Status with line 7 open (IM7), and interrupts on (IE).
const CLOSED: usize = 1 << 15;
const OPEN: usize = CLOSED | 1;

/// Turns interrupts on.
#[inline(always)]
pub fn take_interrupts() {
    write_status(OPEN);
}

/// Turns interrupts off.
#[inline(always)]
pub fn hold_interrupts() {
    write_status(CLOSED);
}

#[inline(always)]
fn write_status(status: usize) {
    // SAFETY: there is a handler at every moment, and what is pending waits.
    unsafe { asm!(".set noat", "mtc0 {0}, $12", ".set at", in(reg) status, options(nostack)) };
}

/// Ends the test with this reason.
pub fn fail(reason: fmt::Arguments) -> ! {
    let words = Words::from(reason);
    let text = words.as_str();
    call(Call::Failed, text.as_ptr() as usize, text.len());
    unreachable!("the host does not come back from the end of a test")
}
