//! The bench: what the crate's hot paths cost, in instructions.
//!
//! It runs above the host, whose count of the guest's instructions is the stopwatch, and prints
//! `figure <name> <value> <unit> <how>`; how says whether the code was measured inline or called.
//! `cargo xtask bench --identity power9` sets the figures beside what they are compared with.

mod interrupt;
mod reading;
mod session;

use core::fmt::Arguments;

use harness::Reached;
use pmu::{Error, Event, Interrupted, Request};

use crate::family::{Measured, detect_measured};
use crate::guest::{self, stopwatch};
use crate::platform::{Console, println};

static UNIT: pmu::Unit<Measured, 64> = pmu::Unit::new();

/// What is counted: every unit can.
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// The figures' first word.
const FAMILY: &str = crate::by_width!("ppc64", "ppc32");

/// The unit, claimed.
type Pmu = pmu::Pmu<'static, Measured>;
/// A session of so many requests.
type Session<const N: usize> = pmu::Session<'static, Measured, N>;

pmu::pmi_entry! {
    /// As a kernel with one unit has it.
    Pmi, handle, stack: Sprg0, scratch: Sprg3
}

#[inline(always)]
fn handle(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

/// What the guest runs.
pub fn run() {
    assert_eq!(stopwatch::time(|| ()).0, 0, "the stopwatch measures itself");
    guest::enter_by(Pmi::address());
    let pmu = UNIT.claim(detect_measured().expect("it has a unit")).expect("nobody else claims it");
    reading::measure(&pmu);
    interrupt::measure(&pmu);
    session::measure(&pmu);
    pmu.release().expect("no session is open any more");
}

/// The same request on as many counters as are asked for; `None` if the unit has not so many.
fn open<const N: usize>(pmu: &Pmu, request: Request) -> Option<Session<N>> {
    match pmu.open([request; N]) {
        Ok(session) => Some(session),
        Err(Error::Conflict(conflict)) => {
            println!("nothing is measured with {N} counters: {conflict}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn print(name: Arguments, value: u64, reached: Reached) {
    harness::figure(Console, format_args!("{FAMILY}.{name}"), value, reached);
}
