//! OpenSBI 1.5.1 starts with OF set in every mhpmevent, and sets it in one that it configures, until the counter is started: so
//! scountovf shows overflows of counters that have had none.

use core::sync::atomic::Ordering::Relaxed;

use crate::csr::get;
use crate::guest::calls::{AT_BOOT, CONFIGURE, PMU, call};
use crate::identity::COUNTERS;

const INSTRUCTIONS: usize = 2;

pub fn test() {
    assert_eq!(AT_BOOT.load(Relaxed), COUNTERS as usize & !7);
    assert_eq!(get!("scountovf"), 0, "its reset clears them");
    assert_eq!(call(PMU, CONFIGURE, [0, 1 << 4, 0, INSTRUCTIONS, 0]), (0, 4));
    assert_eq!(get!("scountovf"), 1 << 4);
}
