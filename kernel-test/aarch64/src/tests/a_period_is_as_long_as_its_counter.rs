//! A long period takes a wide counter, or two that are chained; where there is neither, as in QEMU, it takes several
//! overflows of a narrow one.

use pmu::{CounterId, Event, Request};

use crate::guest::place;
use crate::guest::unit::{self, Unit};

static UNIT: Unit<0> = unit::new();

pub fn test() {
    let pmu = unit::claim(&UNIT);
    let request = Request::new(Event::INSTRUCTIONS).pinned_to(CounterId::ZERO);
    let session = pmu.open([request.every(1 << 40)]).expect("no period is too long");
    let is_wide = pmu.description().general_width.bits() == 64;
    let takes_two = pmu.open([request]).is_err() && pmu.open([request.pinned_to(CounterId::new(1).unwrap())]).is_err();
    drop(session);
    assert_eq!(takes_two, !is_wide && place::is_on_model());
}
