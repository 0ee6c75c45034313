//! What a sentence does at each tick.

#![expect(unsafe_code, reason = "a function is kept as a pointer")]

use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

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
