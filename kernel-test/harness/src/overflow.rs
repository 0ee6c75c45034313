//! What is called at each overflow interrupt: a test lends itself the line.

#![expect(unsafe_code, reason = "functions are kept as pointers")]

use core::mem::transmute;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use pmu::Interrupted;

/// What is called at each overflow interrupt.
pub type Handler = fn(Interrupted);
/// The same with the place where the interrupted code keeps its callers.
pub type FramedHandler = fn(Interrupted, u64);

static HANDLER: AtomicPtr<()> = AtomicPtr::new(unexpected as Handler as *mut ());
static FRAMED_HANDLER: AtomicPtr<()> = AtomicPtr::new(without_place as FramedHandler as *mut ());

/// Calls `handler` at each overflow interrupt from now on.
pub fn on_overflow(handler: Handler) {
    HANDLER.store(handler as *mut (), Relaxed);
}

/// Calls `handler` at each overflow interrupt from now on, where the kernel's entry knows the [place](handle_framed).
pub fn on_overflow_framed(handler: FramedHandler) {
    FRAMED_HANDLER.store(handler as *mut (), Relaxed);
}

/// Does somebody expect overflow interrupts?
pub fn is_expected() -> bool {
    HANDLER.load(Relaxed) != unexpected as Handler as *mut ()
}

/// What a kernel's entry calls.
pub fn handle(at: Interrupted) {
    // SAFETY: only handlers are ever stored there.
    let handler: Handler = unsafe { transmute(HANDLER.load(Relaxed)) };
    handler(at);
}

/// What a kernel's entry calls that knows where the interrupted code keeps its callers.
pub fn handle_framed(at: Interrupted, place: u64) {
    // SAFETY: only such handlers are ever stored there.
    let handler: FramedHandler = unsafe { transmute(FRAMED_HANDLER.load(Relaxed)) };
    handler(at, place);
}

fn without_place(at: Interrupted, _: u64) {
    handle(at);
}

fn unexpected(at: Interrupted) {
    panic!("an overflow interrupt at {:#x} that the test does not expect", at.address);
}
