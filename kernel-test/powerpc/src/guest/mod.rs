//! What a test finds when it wakes up: an ordinary kernel with a console, whose performance monitor
//! exception is open.
//!
//! It runs in one of two worlds. In [`World::Native`] it is in supervisor or hypervisor state, on
//! QEMU's own unit. In [`World::Host`] the host below it has put it into problem state, where each
//! instruction that reaches the unit traps, and answers from the crate's device. The tests' code is the
//! same.
//!
//! A test is a function that returns if all is well and panics if it is not. [`on_overflow`] lends it
//! the exception; [`instructions`] are loops of a known length; [`position`] is one that knows where it
//! was interrupted; [`unit`] is the crate's driver, ready to be claimed; [`user`] visits problem state.
//! [`Here`] asks the host.

pub mod callers;
pub mod entry;
mod frame;
pub mod instructions;
pub mod kept;
pub mod position;
pub mod probe;
pub mod registers;
pub mod sled;
pub mod threads;
pub mod unit;
pub mod user;

use core::arch::asm;
use core::fmt;
use core::mem::transmute;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use harness::{Call, Guest, Words};
use pmu::Interrupted;

use crate::processor::{Spr, write_spr};
use crate::world::as_native;
pub use crate::world::{World, world};
use crate::{assembly, family, low};

/// This kernel, as the harness knows it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Guest for Here {
    /// `sc`: R0 holds the call, R3 and R4 its arguments, and R3 then its answer.
    #[inline(always)]
    fn call(call: Call, first: u64, second: u64) -> u64 {
        let answer: usize;
        // SAFETY: the host changes nothing but R3, and reads memory only for a text.
        unsafe {
            asm!(
                "sc",
                in("r0") call as usize,
                inlateout("r3") first as usize => answer,
                in("r4") second as usize,
                options(nostack)
            );
        }
        answer as u64
    }

    fn has_book() -> bool {
        world() == World::Host
    }
}

/// Runs `work` where it is called, and says how many instructions it retired.
#[inline(always)]
pub fn time<T>(work: impl FnOnce() -> T) -> (u64, T) {
    // SAFETY: the host goes on behind it, with everything as it was.
    Here::time_between(|| unsafe { asm!("trap", options(nostack, preserves_flags)) }, work)
}

/// So many instructions retire in hypervisor state, which the guest does not see but for what its unit counts.
#[inline(always)]
pub fn hypervise(instructions: u64) {
    Here::call(Call::Own, instructions, 0);
}

/// What is called at each performance monitor exception.
pub type Handler = fn(Interrupted);

/// Where a guest above the host is entered at an exception.
static ENTRY: AtomicUsize = AtomicUsize::new(0);

static HANDLER: AtomicPtr<()> = AtomicPtr::new(unexpected as Handler as *mut ());

/// The first function of a guest above the host: `body` is the test's, a `fn()`.
pub extern "C" fn begin_in_host(body: usize) -> ! {
    begin(body);
    Here::pass()
}

/// Runs a test's body on QEMU's own unit.
///
/// # Errors
/// The test has failed.
pub fn run_natively(body: fn()) -> Result<(), &'static str> {
    unit::reset();
    // SAFETY: the stack is the guest's, and there is no other guest meanwhile.
    let result = as_native(|| unsafe { low::enter_native(begin, body as usize, low::guest_stack() - 128) });
    hold_exceptions();
    match result {
        0 => Ok(()),
        // SAFETY: `fail` has left the address of words that lie on the guest's stack, which nobody
        // uses until the next test.
        words => Err(unsafe { &*(words as *const Words) }.as_str()),
    }
}

extern "C" fn begin(body: usize) {
    enter_by(Pmi::address());
    name_vector(low::PERFORMANCE_MONITOR);
    on_overflow(unexpected);
    // SAFETY: the stack is for this alone, and its top is where [`Pmi`] looks for it.
    unsafe { write_spr::<{ Spr::SOFTWARE_USE }>(low::exception_stack()) };
    // SAFETY: the host passes on the address of a test's body, which is a `fn()`.
    let body: fn() = unsafe { transmute(body) };
    take_exceptions();
    body();
}

/// Calls `handler` at each performance monitor exception from now on.
pub fn on_overflow(handler: Handler) {
    HANDLER.store(handler as *mut (), Relaxed);
}

/// Has the host take performance monitor exceptions to this entry, made by [`pmu::pmi_entry`].
pub fn enter_by(entry: u64) {
    ENTRY.store(entry as usize, Relaxed);
}

/// On book E the guest says itself, by IVPR and IVOR35, where a branch to its entry is.
pub fn name_vector(branch: usize) {
    if family::has_vectors_of_its_own() {
        // SAFETY: the branch leads to an entry.
        unsafe {
            write_spr::<{ Spr::VECTORS }>(branch & !0xffff);
            write_spr::<{ Spr::PERFORMANCE_MONITOR }>(branch & 0xffff);
        }
    }
}

/// Where the guest is entered.
pub fn exception_entry() -> usize {
    ENTRY.load(Relaxed)
}

/// Opens MSR\[EE\].
#[inline(always)]
pub fn take_exceptions() {
    // SAFETY: there is a handler at every moment; other exceptions that it masks have no source.
    unsafe { asm!(harness::by_width!("mtmsrd {0}, 1", "mtmsr {0}"), in(reg) state(1 << 15), options(nostack)) };
}

/// Closes MSR\[EE\].
#[inline(always)]
pub fn hold_exceptions() {
    // SAFETY: what is pending waits.
    unsafe { asm!(harness::by_width!("mtmsrd {0}, 1", "mtmsr {0}"), in(reg) state(0), options(nostack)) };
}

/// MSR with this EE.
#[inline(always)]
fn state(external: usize) -> usize {
    const RECOVERABLE: usize = 1 << 1;
    harness::by_width!(external | RECOVERABLE, crate::processor::machine_state() & !(1 << 15) | external | RECOVERABLE)
}

pmu::pmi_entry! {
    /// Where every performance monitor exception arrives; SPRG1 and SPRG2 are the host's.
    pub Pmi, on_performance_monitor, stack: Sprg0, scratch: Sprg3
}

pmu::pmi_entry! {
    /// The same, with the stack pointer of the code that is interrupted.
    pub FramedPmi, framed: on_framed_monitor, stack: Sprg0, scratch: Sprg3
}

unsafe extern "C" {
    static framed_vector: u8;
}

assembly!(
    r#"
    .section .text.entries, "ax"
    .align 4
    .global framed_vector
framed_vector:
    b {entry}
    "#,
    entry = sym <FramedPmi as pmu::arch::powerpc::entry::Handler>::stub,
);

static FRAMED_HANDLER: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

fn on_framed_monitor(at: Interrupted, stack_pointer: u64) {
    // SAFETY: only such functions are ever stored there.
    let handler: fn(Interrupted, u64) = unsafe { transmute(FRAMED_HANDLER.load(Relaxed)) };
    handler(at, stack_pointer);
}

/// Calls `handler` at each performance monitor exception from now on, with the stack pointer of the code that it
/// interrupts; above the host.
pub fn on_overflow_framed(handler: fn(Interrupted, u64)) {
    FRAMED_HANDLER.store(handler as *mut (), Relaxed);
    enter_by(FramedPmi::address());
    name_vector(&raw const framed_vector as usize);
}

fn on_performance_monitor(at: Interrupted) {
    // SAFETY: only handlers are ever stored there.
    let handler: Handler = unsafe { transmute(HANDLER.load(Relaxed)) };
    handler(at);
}

fn unexpected(at: Interrupted) {
    panic!("a performance monitor exception at {:#x} that the test does not expect", at.address);
}

/// Ends the test on QEMU's own unit with this reason.
pub fn fail_natively(reason: fmt::Arguments) -> ! {
    let words = Words::from(reason);
    // SAFETY: the test's own call of `enter_native` runs.
    unsafe { low::leave_native(&raw const words as usize) }
}
