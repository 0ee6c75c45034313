//! What a test finds when it wakes up: an ordinary kernel with interrupts and a serial port.
//!
//! A test is a function that returns if all is well and panics if it is not. [`entry`] leads traps to [`on_trap`],
//! which hands overflow interrupts, ticks and visitors of user mode on. There are two [ways](way) to the unit, each
//! with a driver that is ready to be claimed: [`unit`], whose registers are [`registers`], and [`calls`]. [`code`] is
//! code of known length.

pub mod calls;
pub mod code;
pub mod entry;
pub mod kept;
pub mod position;
pub mod registers;
pub mod unit;
pub mod user;
pub mod way;

use core::mem::transmute;
use core::ptr;
use core::sync::atomic::{AtomicPtr, AtomicUsize, Ordering::Relaxed};

use harness::Call;
use pmu::arch::riscv::hpm::Capabilities;
use pmu::{Interrupted, Mode};

use crate::csr::put;
use crate::{board, csr, identity};
use calls::Calls;
use entry::Frame;
use unit::Own;
use way::Way;

/// What is called at an interrupt.
pub type Handler = fn(&mut Frame);

static ON_INTERRUPT: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
static ON_TICK: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());
static ON_OVERFLOW: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Overflow interrupts that came.
pub static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

/// Makes everything what it is after a reset, before each test: nothing that one leaves behind is there for the next.
pub fn prepare() {
    put!("csrw", "mie" or "sie", 0);
    put!("csrw", "mscratch" or "sscratch", 0);
    if identity::is_under_firmware() {
        renew::<Calls>();
    } else {
        renew::<Own>();
    }
    put!("csrc", "mip" or "sip", 1 << Capabilities::INTERRUPT);
    on_interrupt(unexpected);
    ON_TICK.store(unexpected as Handler as *mut (), Relaxed);
    // SAFETY: the last test has ended, and its stack is the next one's.
    unsafe { harness::claim::forget() };
}

/// Makes the unit and its registers new.
fn renew<W: Way>() {
    W::reset();
    let (unit, small) = W::units();
    // SAFETY: the last test has ended, and its stack is the next one's.
    unsafe {
        unit.renew();
        small.renew();
    }
}

/// The first function of a guest: `body` is the test's, a `fn()`.
pub extern "C" fn begin(body: usize) -> ! {
    // SAFETY: the host passes on the address of a test's body, which is a `fn()`.
    let body: fn() = unsafe { transmute(body) };
    if csr::is_machine() {
        entry::load_machine();
    } else {
        entry::load_supervisor();
    }
    prepare();
    csr::let_in();
    body();
    board::ask_host(Call::Passed, 0, 0);
    unreachable!("the host does not come back from the end of a test")
}

/// Calls `handler` at each overflow interrupt from now on.
pub fn on_interrupt(handler: Handler) {
    ON_INTERRUPT.store(handler as *mut (), Relaxed);
}

/// Calls `handler` at each overflow interrupt from now on, with where it came.
pub fn on_overflow(handler: fn(Interrupted)) {
    ON_OVERFLOW.store(handler as *mut (), Relaxed);
    on_interrupt(|frame| {
        // SAFETY: only such functions are ever stored there, and one is before this is the handler.
        let handler: fn(Interrupted) = unsafe { transmute(ON_OVERFLOW.load(Relaxed)) };
        handler(frame.interrupted());
    });
}

/// Calls `handler` at each tick from now on, with what it has interrupted: another thread may go on.
pub fn on_tick(handler: Handler) {
    ON_TICK.store(handler as *mut (), Relaxed);
}

/// Takes a tick at once.
pub fn raise_tick() {
    // SAFETY: it leads to the tick's handler, and whoever goes on here has every register as it was.
    unsafe { core::arch::asm!(".option push", ".option norvc", "ebreak", ".option pop") };
}

/// The top bit of the cause says that the trap is an interrupt.
pub const INTERRUPT: usize = 1 << (usize::BITS - 1);
/// `ebreak`, and `ecall` from user mode.
pub const BREAKPOINT: usize = 3;
pub const USER_CALL: usize = 8;

/// Where every trap of the kernel arrives.
pub fn on_trap(frame: &mut Frame) {
    const OVERFLOW: usize = INTERRUPT | Capabilities::INTERRUPT as usize;
    match frame.cause {
        OVERFLOW => on_event(frame),
        _ => on_other_trap(frame),
    }
}

/// Not inlined: the way to the overflow's handler is measured.
#[inline(never)]
fn on_other_trap(frame: &mut Frame) {
    match frame.cause {
        BREAKPOINT => {
            frame.address += 4;
            call(&ON_TICK, frame);
        }
        USER_CALL => user::come_home(frame),
        cause if cause == INTERRUPT | csr::timer() => {
            board::tick_after(0);
            call(&ON_TICK, frame);
        }
        cause if cause & INTERRUPT == 0 => panic!("exception {cause} at {:#x}", frame.address),
        cause => panic!("interrupt {}, which nobody enabled", cause & !INTERRUPT),
    }
}

/// Where the overflow interrupt arrives.
pub fn on_event(frame: &mut Frame) {
    INTERRUPTS.store(INTERRUPTS.load(Relaxed) + 1, Relaxed);
    call(&ON_INTERRUPT, frame);
}

fn call(handler: &AtomicPtr<()>, frame: &mut Frame) {
    // SAFETY: only handlers are ever stored there, before the first trap.
    let handler: Handler = unsafe { transmute(handler.load(Relaxed)) };
    handler(frame);
}

fn unexpected(frame: &mut Frame) {
    panic!("an interrupt at {:#x} that the test does not expect", frame.address);
}

impl Frame {
    /// What the unit is told of it.
    pub fn interrupted(&self) -> Interrupted {
        let mode = if self.status & csr::previous(csr::is_machine()) == 0 { Mode::User } else { Mode::Kernel };
        Interrupted::new(self.address as u64, mode)
    }
}
