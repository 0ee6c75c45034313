//! What a test finds when it wakes up: an ordinary kernel with a console, whose interrupts are on.
//!
//! The host below it has put it into user state, where each instruction that reaches the unit traps, and answers from the
//! crate's device. It has a trap table of its own ([`entry`]).
//!
//! A test is a function that returns if all is well and panics if it is not. [`harness::overflow`] lends it the interrupt;
//! [`instructions`] are loops of a known length; [`position`] is one that knows where it was interrupted; [`unit`] is the
//! crate's driver, ready to be claimed; [`user`] visits user state. [`Here`] asks the host.

pub mod callers;
pub mod entry;
pub mod instructions;
pub mod kept;
pub mod position;
pub mod probe;
pub mod sled;
pub mod threads;
pub mod unit;
pub mod user;

use core::arch::asm;
use core::mem::transmute;

use harness::{Call, Guest};

/// This kernel, as the harness knows it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Guest for Here {
    /// `ta 0`: %o0 holds the call and then its answer, %o1 and %o2 its arguments.
    #[inline(always)]
    fn call(call: Call, first: u64, second: u64) -> u64 {
        let answer;
        // SAFETY: the host changes nothing but %o0, and reads memory only for a text.
        unsafe {
            asm!(
                "ta 0",
                inlateout("o0") call as u64 => answer,
                in("o1") first,
                in("o2") second,
                options(nostack)
            );
        }
        answer
    }
}

/// Runs `work` where it is called, and says how many instructions it retired.
#[inline(always)]
pub fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
    // SAFETY: the host goes on behind it, with everything as it was.
    Here::time_between(|| unsafe { asm!("ta 1", options(nostack, preserves_flags)) }, work)
}

/// The first function of a guest: `body` is the test's, a `fn()`.
pub extern "C" fn begin(body: u64) -> ! {
    entry::use_table();
    // SAFETY: the host passes on the address of a test's body, which is a `fn()`.
    let body: fn() = unsafe { transmute(body) };
    take_interrupts();
    body();
    Here::pass()
}

/// PSTATE: floating point, privileged; and interrupts are taken.
const MASKED: u64 = 0x14;
const OPEN: u64 = MASKED | 2;

/// Turns interrupts on.
#[inline(always)]
pub fn take_interrupts() {
    // SAFETY: there is a handler at every moment.
    unsafe { asm!("wrpr %g0, {}, %pstate", const OPEN, options(nostack)) };
}

/// Turns them off.
#[inline(always)]
pub fn hold_interrupts() {
    // SAFETY: what is pending waits.
    unsafe { asm!("wrpr %g0, {}, %pstate", const MASKED, options(nostack)) };
}
