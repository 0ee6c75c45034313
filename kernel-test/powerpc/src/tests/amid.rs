//! An overflow on every instruction of an operation, as [`harness::amid`] brings it about in this kernel.

use super::clocked;
use crate::guest::unit::Driver;
use crate::guest::{instructions, mischief, truth};
use crate::{by_width, identity};

harness::book! {
    driver: Driver,
    truth: truth,
    instructions: instructions,
    mischief: mischief,
    clocked: clocked,
    lead: 30_000,
    tried: some_of,
}

/// All of a short operation; of a longer one as many as some seconds' steps allow, but a dozen at least,
/// which are others on each processor and counter. Who has the patience sets `STEPS` to `u64::MAX`.
fn some_of(instructions: u64) -> impl Iterator<Item = u64> {
    const FEWEST: u64 = 12;
    const STEPS: u64 = by_width!(24_000_000, 4_000_000);
    /// A session's life around the operation, which opens, starts, stops and closes.
    const AROUND: u64 = 12_000;
    let shots = (STEPS / (AROUND + 2 * instructions)).max(FEWEST);
    let stride = instructions.div_ceil(shots);
    let first = 1 + (u64::from(identity::presented().version()) >> 16) % stride;
    (first..=instructions).step_by(stride as usize)
}
