//! A generic event is what the driver says of it: the code of the processor's own event counts the same.

use harness::native::{Work, assert_native_is_generic};

use crate::kernel::instructions::{FEWEST, exactly};
use crate::kernel::unit::{self, Unit};

static UNIT: Unit<0> = unit::new();

pub fn test() {
    assert_native_is_generic(&unit::claim(&UNIT), Work { exactly, fewest: FEWEST });
}
