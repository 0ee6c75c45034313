//! What a test finds when it wakes up: an ordinary kernel with a console, which takes the unit's interrupts.
//!
//! The host below it has put it into user mode, where each instruction that reaches coprocessor 0 traps, and answers.
//!
//! A test is a function that returns if all is well and panics if it is not. [`vector`] is where every exception
//! arrives; [`harness::overflow`] lends a test the unit's line. [`instructions`] are loops of a known length;
//! [`position`] is one that knows where it was interrupted; [`unit`] is the crate's driver, ready to be claimed;
//! [`user`] visits user mode. [`Here`] asks the host.

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
use pmu::virt::Kind;

pub use vector::vector;

/// This kernel, as the harness knows it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Guest for Here {
    /// `syscall`: $2 holds the call and then its answer, $4 and $5 its arguments.
    #[inline(always)]
    fn call(call: Call, first: u64, second: u64) -> u64 {
        let answer: usize;
        // SAFETY: the host changes nothing but $2, and reads memory only for a text.
        unsafe {
            asm!(
                "syscall",
                inlateout("$2") call as usize => answer,
                in("$4") first as usize,
                in("$5") second as usize,
                options(nostack)
            );
        }
        answer as u64
    }
}

/// Runs `work` where it is called, and says how many instructions it retired.
#[inline(always)]
pub fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
    // SAFETY: the host goes on behind it, with everything as it was.
    Here::time_between(|| unsafe { asm!("break", options(nostack, preserves_flags)) }, work)
}

/// What a guest may model.
pub const MODELLED: [Kind; 5] =
    [Kind::Loads, Kind::Stores, Kind::Branches, Kind::MispredictedBranches, Kind::CacheMisses];

/// Tells the unit of so many events, which the guest models.
pub fn happen(kind: Kind, number: u64) {
    let place = MODELLED.iter().position(|&known| known == kind).expect("it is one that may be modelled");
    Here::call(Call::Own, place as u64, number);
}

/// The first function of a guest: `body` is the test's, a `fn()`.
pub extern "C" fn begin(body: usize) -> ! {
    // SAFETY: the host passes on the address of a test's body, which is a `fn()`.
    let body: fn() = unsafe { transmute(body) };
    take_interrupts();
    body();
    Here::pass()
}

/// Status with line 7 open (IM7), and interrupts on (IE).
const CLOSED: usize = 1 << 15;
const OPEN: usize = CLOSED | 1;
/// The same in a frame: EXL is on until the return from the exception. Without it an interrupt may come amid the registers
/// that the return loads, and its frame takes the place of this one.
const OPEN_ON_RETURN: usize = OPEN | 1 << 1;

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
