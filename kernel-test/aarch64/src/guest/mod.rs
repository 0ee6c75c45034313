//! What a test finds when it wakes up: an ordinary kernel with interrupts and a serial port.
//!
//! A test is a function that returns if all is well and panics if it is not. [`on_interrupt`] lends it the overflow
//! interrupt; [`instructions`] are loops of a known length, [`position`] is one that knows where it was interrupted,
//! [`sled`] a row of instructions that knows each, [`callers`] a program that keeps frame records; [`entry`] leads
//! traps to it; [`unit`] is the crate's driver, ready to be claimed; [`user`] is EL0, and [`probe`] what may be refused
//! there; [`threads`] take turns there, on any CPU. [`Here`] asks the host.

pub mod baton;
pub mod callers;
pub mod entry;
pub mod fresh;
pub mod instructions;
pub mod kept;
pub mod leftover;
pub mod place;
pub mod position;
pub mod probe;
pub mod registers;
pub mod sled;
pub mod threads;
pub mod unit;
pub mod user;

use core::arch::asm;
use core::mem::transmute;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use harness::{Call, Guest};
use metal::get;
use pmu::Interrupted;

use crate::gic;
use crate::system;
use crate::trap::{self, Frame};
use threads::State;

/// This kernel, as the harness knows it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Guest for Here {
    /// `hvc`, from EL1: X0 holds the call and then its answer, X1 and X2 its arguments. All but the ends of a test and
    /// [`wait`] are the model's host's to answer.
    #[inline(always)]
    fn call(call: Call, first: u64, second: u64) -> u64 {
        let answer;
        // SAFETY: the host changes nothing but X0, and reads memory only for a failure's reason.
        unsafe { asm!("hvc #0", inout("x0") call as u64 => answer, in("x1") first, in("x2") second, options(nostack)) };
        answer
    }

    fn has_book() -> bool {
        place::is_on_model()
    }
}

/// Waits until an interrupt is there for this CPU, which may be masked. Nothing is executed meanwhile.
pub fn wait() {
    Here::call(Call::Own, 0, 0);
}

/// What is called at each overflow interrupt.
pub type Handler = fn(&mut Frame);

static HANDLER: AtomicPtr<()> = AtomicPtr::new(unexpected as Handler as *mut ());
static ON_TICK: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

/// The kernel's first function at EL1: `body` is a `fn()`.
pub extern "C" fn begin(body: usize) -> ! {
    run(body);
    Here::pass()
}

/// Runs a body, a `fn()`, with interrupts on, at whichever level this is.
pub extern "C" fn run(body: usize) {
    gic::open();
    if system::cpu() == 0 {
        on_interrupt(unexpected);
        entry::enter_interrupts_as_traps();
        // SAFETY: the last test has ended, and its stack is this one's.
        unsafe {
            unit::SHARED.renew();
            unit::SMALL.renew();
            harness::claim::forget();
        }
    }
    // SAFETY: the tables of vectors are loaded.
    unsafe { asm!("msr daifclr, #3", options(nostack)) };
    // SAFETY: the host passes on the address of a `fn()`.
    let body: fn() = unsafe { transmute(body) };
    body();
}

/// Lets interrupts arrive at an entry of the crate's, made by [`pmu::irq_entry`], from now on.
macro_rules! enter_interrupts_at {
    ($entry:ident) => {
        $crate::guest::entry::enter_interrupts_at(
            $entry::address(),
            $entry::address_at_el2(),
            $entry::address_of_host(),
        )
    };
}

pub(crate) use enter_interrupts_at;

/// What is called at each overflow interrupt that the crate's own entries take.
static ON_OVERFLOW: AtomicPtr<()> = AtomicPtr::new(core::ptr::null_mut());

pmu::irq_entry!(Irq, |at| gic::service(|| {
    // SAFETY: only such functions are stored there as long as this is the entry.
    let handler: fn(Interrupted) = unsafe { transmute(ON_OVERFLOW.load(Relaxed)) };
    handler(at);
}));

pmu::irq_entry!(FramedIrq, framed: |at, frame_pointer| gic::service(|| {
    // SAFETY: only such functions are stored there as long as this is the entry.
    let handler: fn(Interrupted, u64) = unsafe { transmute(ON_OVERFLOW.load(Relaxed)) };
    handler(at, frame_pointer);
}));

/// Calls `handler` at each overflow interrupt from now on, through the crate's own entry.
pub fn on_overflow(handler: fn(Interrupted)) {
    ON_OVERFLOW.store(handler as *mut (), Relaxed);
    enter_interrupts_at!(Irq);
}

/// The same, with the frame pointer of the code that is interrupted.
pub fn on_overflow_framed(handler: fn(Interrupted, u64)) {
    ON_OVERFLOW.store(handler as *mut (), Relaxed);
    enter_interrupts_at!(FramedIrq);
}

/// Calls `handler` at each tick of the host's from now on, with what it has interrupted: another thread may go on. Where
/// an overflow interrupts as a tick does, it arrives here, too, and is handed on.
pub fn on_tick(handler: fn(&mut State)) {
    ON_TICK.store(handler as *mut (), Relaxed);
    on_interrupt(|frame| {
        // SAFETY: only such functions are stored there as long as this is the handler.
        let handler: fn(Interrupted) = unsafe { transmute(ON_OVERFLOW.load(Relaxed)) };
        handler(unit::interrupted(frame));
    });
    entry::enter_slow_interrupts_as_traps();
}

/// Calls `handler` at each overflow interrupt from now on.
pub fn on_interrupt(handler: Handler) {
    HANDLER.store(handler as *mut (), Relaxed);
}

/// Raises this CPU's overflow interrupt, though no counter overflowed.
pub fn raise_interrupt() {
    if place::is_on_model() { Here::interrupt_after(0) } else { gic::raise(system::cpu()) }
}

/// Where every trap of the kernel arrives.
pub extern "C" fn on_trap(frame: &mut Frame) {
    if trap::INTERRUPTS.contains(&frame.vector) || trap::FAST_INTERRUPTS.contains(&frame.vector) {
        return on_irq(frame);
    }
    let syndrome = if system::level() == 1 { get!("esr_el1") } else { get!("esr_el2") };
    if threads::is_ticks_call(frame, syndrome) {
        return hosts_tick(frame);
    }
    if user::comes_back(frame, syndrome) || threads::is_call(frame, syndrome) || probe::is_refused(frame, syndrome) {
        return;
    }
    panic!(
        "exception by vector {}, class {:#x}, syndrome {syndrome:#x}, at {:#x}",
        frame.vector,
        trap::class(syndrome),
        frame.address
    );
}

fn on_irq(frame: &mut Frame) {
    let interrupt = gic::acknowledge();
    match interrupt {
        gic::OVERFLOW => handler()(frame),
        gic::TICK => return tick(frame),
        gic::WAKE => {}
        gic::NONE => return,
        other => panic!("interrupt {other}, which nobody enabled"),
    }
    gic::end(interrupt);
}

/// It is ended first: who goes on may be somewhere else.
fn tick(frame: &mut Frame) {
    threads::stop_ticking();
    gic::end(gic::TICK);
    if place::is_on_model() { hosts_tick(frame) } else { threads::switch(frame) }
}

fn hosts_tick(frame: &mut Frame) {
    // SAFETY: only such functions are ever stored there, and one is before a tick is ordered.
    let handler: fn(&mut State) = unsafe { transmute(ON_TICK.load(Relaxed)) };
    State::exchanged(frame, handler);
}

fn handler() -> Handler {
    // SAFETY: only handlers are ever stored there.
    unsafe { transmute(HANDLER.load(Relaxed)) }
}

fn unexpected(frame: &mut Frame) {
    panic!("an interrupt at {:#x} that the test does not expect", frame.address);
}
