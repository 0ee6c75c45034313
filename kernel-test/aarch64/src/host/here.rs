//! Runs the kernel that is tested at EL2, where the host is too: a function call with an emergency exit.
//!
//! With FEAT_VHE it may have user programs below it: exceptions from EL0 come to EL2 then (HCR_EL2.TGE), and EL1's
//! names are for EL2's registers (E2H).

use core::arch::naked_asm;
use core::cell::UnsafeCell;
use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use harness::Words;
use harness::host::Outcome;
use metal::{get, put};

use crate::guest::{self, entry};

/// HCR_EL2.IMO: interrupts are EL2's.
const INTERRUPTS_TO_EL2: u64 = 1 << 4;
/// HCR_EL2.E2H and TGE: EL2 is a kernel's, and EL0 its programs'.
const HOST: u64 = 1 << 34 | 1 << 27;

/// The last failure's reason.
struct Reason(UnsafeCell<Option<Words>>);

// SAFETY: only the first CPU runs a kernel at EL2, and it takes the reason when that has ended.
unsafe impl Sync for Reason {}

static REASON: Reason = Reason(UnsafeCell::new(None));
/// It runs.
static IS_RUNNING: AtomicBool = AtomicBool::new(false);
/// Where the stack stood at the call.
static STACK: AtomicU64 = AtomicU64::new(0);

/// Runs `body` to its end.
///
/// # Errors
/// It panicked, and this is why.
pub fn run(body: fn()) -> Outcome {
    run_as(INTERRUPTS_TO_EL2, body)
}

/// The same, with user programs below it.
///
/// # Errors
/// It panicked, and this is why.
pub fn run_host(body: fn()) -> Outcome {
    entry::load_host();
    let outcome = run_as(INTERRUPTS_TO_EL2 | HOST, body);
    entry::load_el2();
    outcome
}

fn run_as(what: u64, body: fn()) -> Outcome {
    let before = get!("hcr_el2");
    put!("hcr_el2", before | what);
    let failed = as_kernel(|| call(guest::run, body));
    // SAFETY: it masks interrupts, which the host does not expect.
    unsafe { core::arch::asm!("msr daifset, #2", options(nostack)) };
    put!("hcr_el2", before);
    // SAFETY: the kernel has ended, so nobody else refers to it.
    let reason = unsafe { &mut *REASON.0.get() }.take();
    if failed { Err(reason.unwrap_or_default()) } else { Ok(()) }
}

/// Runs `passage` as the kernel's: a panic inside it is not the host's.
fn as_kernel<T>(passage: impl FnOnce() -> T) -> T {
    IS_RUNNING.store(true, Relaxed);
    let result = passage();
    IS_RUNNING.store(false, Relaxed);
    result
}

/// Does the kernel run that is tested?
pub fn is_running() -> bool {
    IS_RUNNING.load(Relaxed)
}

/// Ends the body that runs.
pub fn fail(reason: fmt::Arguments) -> ! {
    // SAFETY: the body does not go on, so nobody else refers to it.
    unsafe { *REASON.0.get() = Some(Words::from(reason)) };
    // SAFETY: `call` runs, below on this stack.
    unsafe { leave(STACK.load(Relaxed)) }
}

fn call(function: extern "C" fn(usize), body: fn()) -> bool {
    // SAFETY: what is called keeps to the calling convention, or ends in `leave`.
    unsafe { guarded(function, body as usize, STACK.as_ptr()) }
}

/// Calls; returns false after the function's own return, true after [`leave`].
#[unsafe(naked)]
unsafe extern "C" fn guarded(function: extern "C" fn(usize), argument: usize, stack: *mut u64) -> bool {
    naked_asm!(
        "stp x19, x20, [sp, #-16]!; stp x21, x22, [sp, #-16]!; stp x23, x24, [sp, #-16]!",
        "stp x25, x26, [sp, #-16]!; stp x27, x28, [sp, #-16]!; stp x29, x30, [sp, #-16]!",
        "mov x3, sp",
        "str x3, [x2]",
        "mov x3, x0",
        "mov x0, x1",
        "blr x3",
        "mov x0, #0",
        "ldp x29, x30, [sp], #16; ldp x27, x28, [sp], #16; ldp x25, x26, [sp], #16",
        "ldp x23, x24, [sp], #16; ldp x21, x22, [sp], #16; ldp x19, x20, [sp], #16",
        "ret",
    )
}

/// Goes back to where the stack stood at [`guarded`].
#[unsafe(naked)]
unsafe extern "C" fn leave(stack: u64) -> ! {
    naked_asm!(
        "mov sp, x0",
        "mov x0, #1",
        "ldp x29, x30, [sp], #16; ldp x27, x28, [sp], #16; ldp x25, x26, [sp], #16",
        "ldp x23, x24, [sp], #16; ldp x21, x22, [sp], #16; ldp x19, x20, [sp], #16",
        "ret",
    )
}
