//! Periods by the overflow interrupt.

use core::fmt::Write;

use pmu::driver::Driver;
use pmu::{Event, Request, Unit};

use crate::{Stopped, Work};

/// The cycles from one interrupt to the next: far more than a firmware's way into its handler takes.
const PERIOD: u64 = 100_000;
/// How often the loop is run: some forty periods, where each of its instructions takes a cycle.
const TIMES: u64 = 2_000_000;

/// Samples a loop. The overflow interrupt calls [`Unit::on_overflow`] of this unit.
///
/// # Errors
/// Those of the unit, and of `out`.
pub fn interrupts<D: Driver, const N: usize>(
    unit: &Unit<D, N>,
    work: &impl Work,
    out: &mut impl Write,
) -> Result<(), Stopped> {
    let mut session = unit.here()?.open([Request::new(Event::CYCLES).every(PERIOD)])?;
    session.start()?;
    work.run(TIMES);
    session.stop()?;
    let [cycles] = session.read()?;
    let (mut inside, mut outside) = (0, 0);
    let mut samples = unit.samples()?;
    for sample in samples.by_ref() {
        if work.addresses().contains(&sample.address) { inside += 1 } else { outside += 1 }
    }
    writeln!(out, "interrupt, every so many cycles: {PERIOD}")?;
    writeln!(out, "interrupt, samples in the loop: {inside}")?;
    writeln!(out, "interrupt, samples in the firmware's own work: {outside}")?;
    writeln!(out, "interrupt, periods without a sample: {}", (cycles / PERIOD).abs_diff(inside + outside))?;
    writeln!(out, "interrupt, samples lost: {}", samples.lost())?;
    Ok(())
}
