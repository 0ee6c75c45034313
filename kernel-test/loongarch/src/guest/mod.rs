//! What a test finds when it wakes up: an ordinary kernel with a console, which takes the unit's interrupts.
//!
//! The host below it has put it into PLV3, where each instruction that reaches a control and status register traps, and answers.
//!
//! A test is a function that returns if all is well and panics if it is not. [`vector`] is where every exception
//! arrives; [`harness::overflow`] lends a test the unit's line. [`instructions`] are loops of a known length;
//! [`position`] is one that knows where it was interrupted; [`callers`] a program that keeps frame pointers; [`unit`] is the crate's driver, ready to be claimed;
//! [`user`] visits the programs' level. [`Here`] asks the host.

pub mod callers;
pub mod instructions;
pub mod kept;
pub mod position;
pub mod sled;
pub mod threads;
pub mod unit;
pub mod user;
mod vector;

use core::arch::asm;
use core::mem::transmute;

use harness::{Call, Guest};

pub use vector::vector;

/// This kernel, as the harness knows it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Guest for Here {
    /// SYSCALL: $a7 holds the call and then its answer, $a0 and $a1 its arguments.
    #[inline(always)]
    fn call(call: Call, first: u64, second: u64) -> u64 {
        let answer: u64;
        // SAFETY: the host changes nothing but $a7, and reads memory only for a text.
        unsafe {
            asm!(
                "syscall 0",
                inlateout("$a7") call as u64 => answer,
                in("$a0") first,
                in("$a1") second,
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
    Here::time_between(|| unsafe { asm!("break 0", options(nostack, preserves_flags)) }, work)
}

/// The first function of a guest: `body` is the test's, a `fn()`.
pub extern "C" fn begin(body: u64) -> ! {
    // SAFETY: the host passes on the address of a test's body, which is a `fn()`.
    let body: fn() = unsafe { transmute(body as usize) };
    open_lines();
    take_interrupts();
    body();
    Here::pass()
}

/// ECFG\[LIE\]: the lines of the unit and of the timer are open.
fn open_lines() {
    // SAFETY: interrupts are off.
    unsafe { asm!("csrwr {0}, 0x4", inout(reg) 3_u64 << 10 => _, options(nostack)) };
}

/// PRMD\[PIE\]: interrupts are on at PLV0.
pub const OPEN: u64 = ON;

/// CRMD\[IE\]
const ON: u64 = 1 << 2;

/// Turns interrupts on.
#[inline(always)]
pub fn take_interrupts() {
    set_interrupts(ON);
}

/// Turns interrupts off.
#[inline(always)]
pub fn hold_interrupts() {
    set_interrupts(0);
}

#[inline(always)]
fn set_interrupts(value: u64) {
    // SAFETY: there is a handler at every moment, and what is pending waits.
    unsafe { asm!("csrxchg {0}, $t0, 0x0", inout(reg) value => _, in("$t0") ON, options(nostack)) };
}
