//! An interrupt that no counter asked for is not claimed, and nothing is lost or miscounted: on whichever
//! instruction it comes, of a session's or of the handler of an overflow just before.

use harness::Verdicts;
use harness::spurious::Spurious;

use super::amid::Here;
use super::clocked;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{self, Unit};

const PERIOD: u64 = 2100;
/// Longer than the test lasts.
const NEVER: u64 = 1 << 40;

static UNIT: Unit<64> = unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::irq_entry!(Irq, |at| gic::service(|| VERDICTS.note(UNIT.on_overflow(at))));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let spurious = Spurious::<Here> { unit: &UNIT, verdicts: &VERDICTS, period: PERIOD, stride: 1, never: NEVER };
    clocked::pair(&pmu.description()).for_each(|counter| spurious.expect_nobodys(&pmu, counter));
}
