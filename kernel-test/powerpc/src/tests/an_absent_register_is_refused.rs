//! A special-purpose register that the processor does not have, and the unit's own in problem state:
//! the access is refused, and nothing else happens.

use crate::guest::probe::{self, Refused};

pub fn test() {
    assert_eq!(probe::try_access(probe::probe_read_stranger, 0), Err(Refused));
    assert!(probe::try_access(probe::probe_read_counter, 0).is_ok());
    assert!(probe::try_access(probe::probe_write_counter, 5).is_ok());
    assert_eq!(probe::try_access(probe::probe_read_counter, 0), Ok(5));
}
