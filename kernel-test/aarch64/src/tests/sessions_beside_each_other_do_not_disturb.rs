//! Two sessions sample beside each other, each at its own period; when one is closed as it runs,
//! the other goes on undisturbed, and its counter is free.

use harness::Verdicts;
use harness::beside::SideBySide;

use super::amid::Here;
use super::clocked;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{self, Unit};

const PERIODS: [u64; 2] = [2300, 4100];
const STRETCH: u64 = 80_000;

static UNIT: Unit<512> = unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::irq_entry!(Irq, |at| gic::service(|| VERDICTS.note(UNIT.on_overflow(at))));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let sessions = SideBySide::<Here> { unit: &UNIT, verdicts: &VERDICTS, periods: PERIODS, stretch: STRETCH };
    let late = sessions.expect_no_disturbance(&pmu, clocked::kinds(&pmu.description()));
    assert_eq!(late, 0, "an overflow that another's interrupt has seen to withdraws the line");
}
