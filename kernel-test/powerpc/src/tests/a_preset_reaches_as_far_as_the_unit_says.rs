//! A counter fires as its top bit is set: it waits for 2^31 events at most, and then stands that far before it. A longer
//! period takes several such parts.

use pmu::{CounterId, Pmu, Request};

use super::clocked;
use crate::family;
use crate::guest::unit::{self, Driver, Unit};

static UNIT: Unit<0> = Unit::new();

const LONGEST: u64 = 1 << 31;

pub fn test() {
    let pmu = unit::claim(&UNIT);
    for counter in pmu.description().general {
        for period in [1, 2, 3, 0x7fff_ffff, LONGEST] {
            assert_eq!(preset(&pmu, counter, period), LONGEST - period, "{counter}: {period}");
        }
        assert_eq!(preset(&pmu, counter, LONGEST + 2), LONGEST / 2 - 1, "{counter}: in two parts");
    }
}

fn once_after(counter: CounterId, period: u64) -> Request {
    clocked::request(counter).once_after(period)
}

/// What the counter holds once the period is set up.
fn preset(pmu: &Pmu<'static, Driver>, counter: CounterId, period: u64) -> u64 {
    let session = pmu.open([once_after(counter, period)]).expect("the period is possible");
    let raw = family::read(family::counter(counter));
    drop(session);
    raw
}
