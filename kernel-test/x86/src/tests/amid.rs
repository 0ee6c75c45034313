//! An overflow on every instruction of an operation, as [`harness::amid`] brings it about in this kernel.

use super::clocked;
use crate::guest::unit::Driver;
use crate::guest::{instructions, mischief, truth};

harness::book! {
    driver: Driver,
    truth: truth,
    instructions: instructions,
    mischief: mischief,
    clocked: clocked,
    lead: 2500,
}
