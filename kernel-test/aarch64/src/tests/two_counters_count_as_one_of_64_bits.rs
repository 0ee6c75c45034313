//! A period beyond 32 bits is counted by a pair where counters have no more, and the upper half goes on where the lower
//! one wraps.

use pmu::arch::aarch64::SystemRegister;
use pmu::driver::Registers;
use pmu::{CounterId, Event, Request};

use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<0> = unit::new();

/// The lower half stands so far before its end.
const BEFORE: u64 = 4096;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let request = Request::new(Event::INSTRUCTIONS).once_after(1 << 40);
    let mut session = pmu.open([request]).expect("the period is possible");
    let pair = session.counter(0).expect("it has a counter");
    let is_wide = pmu.description().general_width.bits() == 64;
    session.start().expect("it is stopped");
    let lower = if is_wide { Some(pair) } else { CounterId::new(pair.number() & !1) };
    let lower = SystemRegister::any_counter(lower.expect("there is one"));
    let upper = unit::hardware().read(lower) & !0xffff_ffff;
    unit::hardware().write(lower, upper | (0xffff_ffff - BEFORE));
    let read = || session.read().expect("this is its CPU")[0];
    let before = read();
    exactly(3 * BEFORE);
    let counted = read() - before;
    assert!((3 * BEFORE..3 * BEFORE + 200).contains(&counted), "{counted}");
}
