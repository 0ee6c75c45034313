//! What a sentence does at each tick, and what becomes of a tick until then: it is ordered, and comes, with all that a thread
//! is, its frame.

#![expect(unsafe_code, reason = "functions are kept as pointers")]

use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicBool, AtomicPtr, Ordering::Relaxed};

use pmu::Interrupted;

use crate::kernel::Kernel;

static HANDLER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Calls this at each tick from now on, and turns interrupts on.
pub fn on_tick<K: Kernel>(handler: fn(Interrupted)) {
    HANDLER.store(handler as *mut (), Relaxed);
    K::take_ticks();
}

/// What the kernel calls at each tick once it [takes](Kernel::take_ticks) them.
pub fn handle(at: Interrupted) {
    // SAFETY: only such functions are ever stored there, and one is before ticks are taken.
    let handler: fn(Interrupted) = unsafe { transmute(HANDLER.load(Relaxed)) };
    handler(at);
}

static FRAMES_HANDLER: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
static IS_ORDERED: AtomicBool = AtomicBool::new(false);
static HAS_COME: AtomicBool = AtomicBool::new(false);

/// Calls this with the frame of whoever a tick interrupts, at each tick that was ordered, from now on. A kernel has one kind of
/// frame.
pub fn on_frame<F>(handler: fn(&mut F)) {
    FRAMES_HANDLER.store(handler as *mut (), Relaxed);
}

/// Notes whether a tick is ordered.
#[inline(always)]
pub fn order(is_ordered: bool) {
    IS_ORDERED.store(is_ordered, Relaxed);
}

/// Is a tick ordered?
pub fn is_ordered() -> bool {
    IS_ORDERED.load(Relaxed)
}

/// Takes a tick now: orders one, and waits for it.
pub fn raise(order: impl FnOnce()) {
    HAS_COME.store(false, Relaxed);
    order();
    while !HAS_COME.load(Relaxed) {
        core::hint::spin_loop();
    }
}

/// What the kernel's entry for ticks calls, also at one that nobody wants any more.
pub fn come<F>(frame: &mut F) {
    HAS_COME.store(true, Relaxed);
    if IS_ORDERED.swap(false, Relaxed) {
        // SAFETY: only such functions are ever stored there, and one is before a tick is ordered.
        let handler: fn(&mut F) = unsafe { transmute(FRAMES_HANDLER.load(Relaxed)) };
        handler(frame);
    }
}
