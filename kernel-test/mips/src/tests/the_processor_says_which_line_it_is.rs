//! The line of the unit's interrupt is asked of the processor: here it is the timer's too.

use pmu::arch::mips::Line;

use crate::guest::unit;

pub fn test() {
    assert_eq!(unit::hardware().line(), Line::Pending { bit: 7, is_timers: true });
}
