//! The bench: what the crate's hot paths cost, in instructions.
//!
//! It prints `figure <name> <value> <unit> <how>`; how says whether the code was measured inline
//! or called. `cargo xtask bench` sets the figures beside what they are compared with.

mod detecting;
mod device;
mod interrupt;
mod placing;
mod reading;
mod reckoning;
mod session;
mod stopwatch;
mod switching;

use core::fmt::Display;

use harness::Reached;
use harness::place::OneCpu;
use pmu::arch::x86::access::{Cpuid, Hardware};
use pmu::arch::x86::intel::Intel;
use pmu::arch::x86::{Apic, Lvtpc};
use pmu::{Event, Request};

use crate::console::Console;
use crate::guest::unit;

/// The driver by its name: who does not know the family pays for that.
type Driver = Intel<Hardware<OneCpu>, Apic<Hardware<OneCpu>>>;

static UNIT: pmu::Unit<Driver, 64> = pmu::Unit::new();

/// What is counted: every unit can.
const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);

/// The unit, claimed.
type Pmu = pmu::Pmu<'static, Driver>;
/// A session of so many requests.
type Session<const N: usize> = pmu::Session<'static, Driver, N>;

pmu::nmi_entry!(Nmi, |at| _ = UNIT.on_overflow(at));

/// What the guest runs.
pub fn run() {
    assert_eq!(stopwatch::time(|| ()).0, 0, "the stopwatch measures itself");
    crate::guest::enter_nmi_at(Nmi::address());
    let pmu = UNIT.claim(detect()).expect("nobody else claims it");
    reading::measure(&pmu);
    interrupt::measure(&pmu);
    session::measure(&pmu);
    switching::measure(&pmu);
    reckoning::measure(&pmu);
    pmu.release().expect("no session is open any more");
    detecting::measure();
    placing::measure();
    device::measure();
}

fn detect() -> Driver {
    let line = Apic::xapic(unit::line(), Lvtpc::NMI);
    Driver::detect(&Cpuid, unit::hardware(), line).expect("the processor that is presented is Intel's")
}

/// Has the unit four counters? The first version's has two, and is measured with those.
fn has_four(pmu: &Pmu) -> bool {
    pmu.description().general.len() >= 4
}

/// The same request on as many counters as are asked for.
fn open<const N: usize>(pmu: &Pmu, request: Request) -> Session<N> {
    pmu.open([request; N]).expect("the unit has as many counters")
}

fn print(name: impl Display, value: u64, reached: Reached) {
    harness::figure(Console, name, value, reached);
}
