//! Two sessions sample beside each other, each at its own period; when one is closed as it runs,
//! the other goes on undisturbed, and its counter is free.

use harness::Verdicts;
use harness::beside::SideBySide;
use pmu::Interrupted;

use super::amid::Here;
use super::clocked;
use crate::guest::enter_nmi_at;
use crate::guest::unit::{self, Unit};
use crate::identity;

const PERIODS: [u64; 2] = [700, 2300];
const STRETCH: u64 = 50_000;

static UNIT: Unit<512> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let sessions = SideBySide::<Here> { unit: &UNIT, verdicts: &VERDICTS, periods: PERIODS, stretch: STRETCH };
    let late = sessions.expect_no_disturbance(&pmu, clocked::kinds(&pmu.description()));
    // Where the line stays open, an overflow amid the other's interrupt has been seen to when its own comes.
    assert!(late == 0 || !identity::presented().processor.masks_line());
}
