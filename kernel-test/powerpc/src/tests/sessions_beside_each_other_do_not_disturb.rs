//! Two sessions sample beside each other, each at its own period; when one is closed as it runs,
//! the other goes on undisturbed, and its counter is free.

use harness::Verdicts;
use harness::beside::SideBySide;
use pmu::Interrupted;

use super::amid::Here;
use super::clocked;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Unit};

const PERIODS: [u64; 2] = [3100, 7300];
const STRETCH: u64 = 50_000;

static UNIT: Unit<512> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

fn handle(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let sessions = SideBySide::<Here> { unit: &UNIT, verdicts: &VERDICTS, periods: PERIODS, stretch: STRETCH };
    let late = sessions.expect_no_disturbance(&pmu, clocked::kinds(&pmu.description()));
    assert_eq!(late, 0);
}
