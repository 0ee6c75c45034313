//! A special-purpose register that the processor does not have, and the unit's own in problem state:
//! the access is refused, and nothing else happens.

use crate::guest::probe::{self, Refused};

pub fn test() {
    assert_eq!(probe::read_stranger(), Err(Refused));
    assert!(probe::read_counter().is_ok());
    assert!(probe::write_counter(5).is_ok());
    assert_eq!(probe::read_counter(), Ok(5));
}
