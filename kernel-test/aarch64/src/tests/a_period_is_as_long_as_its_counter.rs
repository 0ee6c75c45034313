//! The longest period is a counter's: of 32 bits, unless counters have 64 or two can be chained, which QEMU's cannot.

use pmu::{CounterId, Event, Request};

use crate::kernel::place;
use crate::kernel::unit::{self, Unit};

static UNIT: Unit<0> = unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let request = Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::ZERO);
    let is_possible = pmu.open([request.every(1 << 40)]).is_ok();
    let is_wide = pmu.description().general_width.bits() == 64;
    assert_eq!(is_possible, is_wide || place::is_on_model());
}
