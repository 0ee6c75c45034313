//! A generic event is what the driver says of it: the code of the processor's own event counts the same.

use harness::native::{Work, assert_native_is_generic};

use crate::guest::instructions::{FEWEST, exactly};
use crate::guest::unit::{self, Unit};

static UNIT: Unit<0> = Unit::new();

pub fn test() {
    assert_native_is_generic(&unit::claim(&UNIT), Work { exactly, fewest: FEWEST });
}
