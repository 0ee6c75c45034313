//! OpenSBI 1.5.1 answers a request for a firmware's event by the counter's distance from the base, and gives that counter the
//! event: a start of it would make the firmware fail. So the driver's base is 0.

use crate::guest::calls::{CONFIGURE, PMU, call};

/// The first of the firmware's counters, and its event of a timer that is set.
const FIRST: usize = 19;
const SET_TIMER: usize = 0xF_0005;

pub fn test() {
    assert_eq!(call(PMU, CONFIGURE, [FIRST - 3, 1 << 3, 0, SET_TIMER, 0]), (0, 3));
    assert_eq!(call(PMU, CONFIGURE, [0, 1 << FIRST, 0, SET_TIMER, 0]), (0, FIRST));
}
