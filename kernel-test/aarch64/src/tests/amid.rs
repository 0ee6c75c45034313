//! An overflow on every instruction of an operation, as [`harness::amid`] brings it about in this kernel.

use harness::amid::Book;
pub use harness::amid::{Accounts, Passage, on_every_instruction};
use pmu::{CounterId, CounterSet, Description, Pmu, Request};

use super::clocked;
use crate::kernel::unit::Driver;
use crate::kernel::{instructions, truth};

/// This kernel, and its host's book.
#[derive(Debug)]
pub struct Here;

/// A session beside that book.
pub type Booked = harness::amid::Booked<Here>;

impl Book for Here {
    type Driver = Driver;
    const LEAD: u64 = 2500;

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
}

/// Each counter can be opened: nobody has kept one.
pub fn assert_all_free(pmu: &Pmu<'static, Driver>) {
    harness::amid::assert_all_free::<Here>(pmu);
}
