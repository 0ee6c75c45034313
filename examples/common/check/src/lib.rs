//! What is asked of a unit on hardware, and the report that it answers with.
//!
//! A report is lines of `name: value`, between a first and a last line that say so. [`begin`], [`check`], [`interrupts`] and
//! [`end`] write one, over any driver: `examples/check` does it on a machine, and `tests/devices.rs` over the devices.
//! [`read`] reads one, and [`model`] says which value a line has over our devices. Lines that it does not know are said
//! for their own sake: costs, widths, names.
//!
//! Whatever is asked, the unit is as it was before when the answer is there.

#![no_std]

mod alone;
mod costs;
mod counters;
mod interrupts;
mod model;
mod registers;
mod report;

pub use interrupts::interrupts;
pub use model::model;
pub use registers::{of_arm, of_x86};
pub use report::{Line, Refused, begin, end, read};

use core::fmt::{self, Write};
use core::ops::Range;

use pmu::driver::Driver;
use pmu::{Error, Unit};

/// A loop of two instructions.
pub trait Work {
    /// Runs it so often. What it executes besides is the same number of instructions each time.
    fn run(&self, times: u64);

    /// The addresses of its instructions.
    fn addresses(&self) -> Range<u64>;
}

/// Why a report ends early.
#[derive(Debug)]
pub enum Stopped {
    /// The unit refuses something.
    Unit(Error),
    /// The report cannot be written.
    Report,
}

impl From<Error> for Stopped {
    fn from(error: Error) -> Self {
        Self::Unit(error)
    }
}

impl From<fmt::Error> for Stopped {
    fn from(_: fmt::Error) -> Self {
        Self::Report
    }
}

/// Asks everything that takes no interrupt of a unit that this CPU has claimed, and on which nothing is open.
///
/// # Errors
/// Those of the unit, and of `out`.
pub fn check<D: Driver, const N: usize>(
    unit: &Unit<D, N>,
    work: &impl Work,
    out: &mut impl Write,
) -> Result<(), Stopped> {
    let pmu = unit.here()?;
    counters::check(pmu.driver(), work, out)?;
    costs::check(&pmu, work, out)
}

fn yes(is_so: bool) -> &'static str {
    if is_so { "yes" } else { "no" }
}
