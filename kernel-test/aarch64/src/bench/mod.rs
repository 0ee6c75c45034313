//! The bench: what the crate's hot paths cost, in instructions.
//!
//! It prints `figure <name> <value> <unit> <how>`; how says whether the code was measured inline
//! or called. `cargo xtask bench --identity cortex-a57` sets the figures beside what they are compared with.

mod device;
mod interrupt;
mod reading;
mod session;
mod stopwatch;

use core::fmt::Display;

use harness::Reached;
use pmu::{Event, Request};

use crate::console::Console;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{Driver, detect};
use crate::system::{read, write};

type Unit = pmu::Unit<Driver, 64>;

static UNIT: Unit = Unit::new();

/// What is counted: every event counter can.
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
/// What interrupts in time, on the cycle counter.
const CYCLES: Request = Request::new(Event::CYCLES);

/// The unit, claimed.
type Pmu = pmu::Pmu<'static, Driver>;
/// A session of so many requests.
type Session<const N: usize> = pmu::Session<'static, Driver, N>;

pmu::irq_entry!(Irq, |at| gic::service(|| _ = this_unit().on_overflow(at)));

/// This CPU's unit, found as a kernel finds what is its CPU's own: by the register for that.
#[inline(always)]
fn this_unit() -> &'static Unit {
    let address = read!("tpidr_el1");
    // SAFETY: `run` has put the unit's address there, and nobody else writes the register.
    unsafe { &*(address as *const Unit) }
}

/// What the kernel runs.
pub fn run() {
    assert_eq!(stopwatch::time(|| ()).0, 0, "the stopwatch measures itself");
    write!("tpidr_el1", &raw const UNIT as u64);
    enter_interrupts_at!(Irq);
    let pmu = UNIT.claim(detect().expect("it has a unit")).expect("nobody else claims it");
    reading::measure(&pmu);
    interrupt::measure(&pmu);
    session::measure(&pmu);
    pmu.release().expect("no session is open any more");
    device::measure();
}

/// The same request on as many counters as are asked for.
fn open<const N: usize>(pmu: &Pmu, request: Request) -> Session<N> {
    pmu.open([request; N]).expect("the unit has as many counters")
}

fn print(name: impl Display, value: u64, reached: Reached) {
    harness::figure(Console, name, value, reached);
}
