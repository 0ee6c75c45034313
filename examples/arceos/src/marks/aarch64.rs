//! Marks: what a program makes its own CPU count, one by one. QEMU's cycles and instructions are those of all CPUs.

use pmu::arch::aarch64::SystemRegister;
use pmu::driver::{Plan, Registers};
use pmu::{Event, Request};

use crate::glue::this_unit;

/// What software counts by writing a register (SW_INCR).
pub const MARKS: Event = Event::raw(0);
/// Software increments interrupt, so threads are sampled by them too.
pub const SAMPLED: (Request, &str) = (Request::new(MARKS).every(PERIOD), "marks");
pub const PERIOD: u64 = 2000;
/// What two threads do that move between CPUs.
pub const MOVING: [u32; 2] = [60_000, 20_000];

pub fn mark(times: u32) {
    let registers = this_unit().and_then(|unit| Ok(*unit.here()?.driver().registers()));
    let registers = registers.expect("each CPU has come online");
    (0..times).for_each(|_| registers.write(SystemRegister::SOFTWARE_INCREMENT, u64::MAX));
}
