//! OpenSBI 1.5.1 has no snapshot memory, which the driver does not need.

use crate::guest::calls::{PMU, SET_SNAPSHOT, call};

/// An address of memory that nobody uses.
const PAGE: usize = 0x83e0_0000;
const NOT_SUPPORTED: isize = -2;

pub fn test() {
    assert_eq!(call(PMU, SET_SNAPSHOT, [PAGE, 0, 0, 0, 0]).0, NOT_SUPPORTED);
}
