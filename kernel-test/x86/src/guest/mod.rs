//! What a test finds when it wakes up: an ordinary kernel in ring 0, with NMIs and a serial port.
//!
//! A test is a function that returns if all is well and panics if it is not. [`on_nmi`] lends it
//! the NMI; [`msr`] are registers that may fault; [`instructions`] are loops of a known length;
//! [`callers`] is a program that keeps frame pointers;
//! [`position`] is a loop that knows where it was interrupted; [`events`] names what else
//! instructions do; [`Here`] asks the host, and [`truth`] what this one alone knows; [`unit`] is the crate's
//! driver, ready to be claimed; [`entry`] leads traps to it; [`paging`] has a page that
//! nobody can write; [`threads`] take turns on the processor; [`sampling`] is the sampler beside the unit, and `precise` that
//! of its counters; [`user`] is ring 3.

pub mod callers;
pub mod entry;
pub mod events;
pub mod instructions;
pub mod kept;
pub mod leftover;
pub mod lvt;
pub mod msr;
pub mod paging;
pub mod position;
#[cfg(target_pointer_width = "64")]
pub mod precise;
pub mod sampling;
pub mod sled;
pub mod threads;
pub mod truth;
pub mod unit;
pub mod user;

use core::arch::{asm, naked_asm};
use core::mem::transmute;
use core::sync::atomic::{AtomicPtr, Ordering::Relaxed};

use harness::{Call, Guest};
use pmu::Interrupted;

use crate::trap::{self, Frame};
use crate::width::by_width;

/// This kernel, as the harness knows it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

/// What is called at an interrupt.
pub type Handler = fn(&mut Frame);

static HANDLER: AtomicPtr<()> = AtomicPtr::new(unexpected as Handler as *mut ());
static ON_TICK: AtomicPtr<()> = AtomicPtr::new(unexpected as Handler as *mut ());

/// What is called at each NMI that the crate's own entry takes.
static ON_OVERFLOW: AtomicPtr<()> = AtomicPtr::new(ignore as fn(Interrupted) as *mut ());

pmu::nmi_entry!(Nmi, on_entered_nmi);

fn on_entered_nmi(at: Interrupted) {
    // SAFETY: only such functions are ever stored there.
    let handler: fn(Interrupted) = unsafe { transmute(ON_OVERFLOW.load(Relaxed)) };
    handler(at);
}

fn ignore(_: Interrupted) {}

/// Calls `handler` at each NMI from now on, through the crate's own entry.
pub fn on_overflow(handler: fn(Interrupted)) {
    ON_OVERFLOW.store(handler as *mut (), Relaxed);
    enter_nmi_at(Nmi::address());
}

/// The guest's first instructions, with a test's body in DI.
#[unsafe(naked)]
pub extern "C" fn wake() -> ! {
    naked_asm!(by_width!("", "sub esp, 12; push edi"), "call {begin}", begin = sym begin)
}

/// The guest's first function: `body` is the test's, a `fn()`.
extern "C" fn begin(body: usize) -> ! {
    on_nmi(unexpected);
    on_tick(unexpected);
    enter_nmi_at(entry::nmi_stub());
    // SAFETY: the last test has ended, and its stack is this one's.
    unsafe {
        unit::SHARED.renew();
        unit::SMALL.renew();
        harness::claim::forget();
    }
    // SAFETY: the host passes on the address of a test's body, which is a `fn()`.
    let body: fn() = unsafe { transmute(body) };
    body();
    Here::pass()
}

/// Calls `handler` at each tick from now on.
pub fn on_tick(handler: Handler) {
    ON_TICK.store(handler as *mut (), Relaxed);
}

/// Calls `handler` at each NMI, and at each interrupt with [`trap::FIXED_VECTOR`], from now on.
pub fn on_nmi(handler: Handler) {
    HANDLER.store(handler as *mut (), Relaxed);
}

/// Lets NMIs arrive at this address from now on, in place of the kernel's own stub.
pub fn enter_nmi_at(address: u64) {
    entry::table().set_nmi(address);
}

/// Where every trap of the guest arrives.
pub extern "C" fn on_trap(frame: &mut Frame) {
    const FIXED: usize = trap::FIXED_VECTOR as usize;
    const TICK: usize = trap::TICK_VECTOR as usize;
    match frame.vector {
        TICK => handler(&ON_TICK)(frame),
        trap::NMI | FIXED => handler(&HANDLER)(frame),
        trap::GENERAL_PROTECTION if msr::is_probe(frame) => msr::recover(frame),
        trap::PAGE_FAULT if paging::is_load(frame) => paging::recover(frame),
        vector => panic!("exception {vector}, error {:#x}, at {:#x}", frame.error, frame.ip),
    }
}

fn handler(of: &AtomicPtr<()>) -> Handler {
    // SAFETY: only handlers are ever stored there.
    unsafe { transmute(of.load(Relaxed)) }
}

fn unexpected(frame: &mut Frame) {
    panic!("an interrupt at {:#x} that the test does not expect", frame.ip);
}

/// How the host finds out what the guest has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Engine {
    /// It does what tells all that the unit wants to know, and no more: asks the clock, or watches the guest go from
    /// ring to ring, or observes.
    AsNeeded,
    /// It looks at each instruction before the guest executes it.
    Observer,
}

/// Has the host find out by this engine what the guest does, from now on.
pub fn observe_by(engine: Engine) {
    Here::call(Call::Own, engine as u64, 0);
}

/// The CPUs, of which one runs at a time.
pub const CPUS: usize = 4;
/// The call beside the [`Engine`]s by which another one does.
pub const GO_ON: u64 = 2;

/// Goes on on this CPU: its unit and its line are the ones that are reached, and it is the one that a driver is told of.
pub fn go_on_on(cpu: usize) {
    Here::call(Call::Own, GO_ON, cpu as u64);
}

impl Guest for Here {
    /// The guest has the serial port, too.
    fn print(text: &str) {
        metal::print(text);
    }

    /// `vmmcall`: EAX holds the call, DI and CX its arguments, and EDX:EAX then its answer. With registers of 32 bits an
    /// argument that is greater than they are is the greatest that there is.
    #[inline(always)]
    fn call(call: Call, first: u64, second: u64) -> u64 {
        let word = |value| usize::try_from(value).unwrap_or(usize::MAX);
        let (low, high): (usize, usize);
        // SAFETY: the host changes nothing but DX, AX and the memory that it is lent, and reads only a failure's reason.
        unsafe {
            asm!(
                "vmmcall",
                inout("eax") call as usize => low,
                out("edx") high,
                in("edi") word(first),
                in("ecx") word(second),
                options(nostack)
            );
        }
        (high as u64) << 32 | low as u64
    }
}
