//! An overflow on every instruction of an operation, as [`harness::amid`] brings it about in this kernel.

use harness::amid::Book;
pub use harness::amid::{Accounts, Passage, on_every_instruction};
use pmu::{CounterId, CounterSet, Description, Pmu, Request};

use super::clocked;
use crate::guest::unit::Driver;
use crate::guest::{instructions, truth};
use crate::identity;

/// This kernel, and its host's book.
#[derive(Debug)]
pub struct Here;

/// A session beside that book.
pub type Booked = harness::amid::Booked<Here>;

impl Book for Here {
    type Driver = Driver;
    const LEAD: u64 = 100_000;

    #[inline(always)]
    fn counted(counter: CounterId) -> u64 {
        truth::counted(counter)
    }

    #[inline(always)]
    fn retired() -> u64 {
        truth::retired()
    }

    fn overflows() -> u64 {
        truth::overflows()
    }

    #[inline(always)]
    fn exactly(instructions: u64) {
        instructions::exactly(instructions);
    }

    fn counters(unit: &Description) -> CounterSet {
        clocked::counters(unit)
    }

    fn request(counter: CounterId) -> Request {
        clocked::request(counter)
    }

    /// All of a short operation; of a longer one as many as a second's steps allow, but a dozen at least,
    /// which are others on each processor and counter.
    fn tried(instructions: u64) -> impl Iterator<Item = u64> {
        const FEWEST: u64 = 12;
        const STEPS: u64 = 400_000;
        /// A session's life around the operation, which opens, starts, stops and closes.
        const AROUND: u64 = 12_000;
        let shots = (STEPS / (AROUND + 2 * instructions)).max(FEWEST);
        let stride = instructions.div_ceil(shots);
        let first = 1 + (u64::from(identity::presented().version()) >> 16) % stride;
        (first..=instructions).step_by(stride as usize)
    }
}

/// Each counter can be opened: nobody has kept one.
pub fn assert_all_free(pmu: &Pmu<'static, Driver>) {
    harness::amid::assert_all_free::<Here>(pmu);
}
