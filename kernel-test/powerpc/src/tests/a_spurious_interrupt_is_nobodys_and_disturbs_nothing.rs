//! An exception that no counter asked for is not claimed, and nothing is lost or miscounted: on whichever
//! instruction it comes, of a session's or of the handler of an overflow just before.

use harness::Verdicts;
use harness::spurious::Spurious;
use pmu::Interrupted;

use super::amid::Here;
use super::clocked;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Unit};

const PERIOD: u64 = 3000;
/// A step is slow, so not every instruction has its turn.
const STRIDE: u64 = 211;
/// Longer than the test lasts.
const NEVER: u64 = 1 << 31;

static UNIT: Unit<64> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

fn handle(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let spurious = Spurious::<Here> { unit: &UNIT, verdicts: &VERDICTS, period: PERIOD, stride: STRIDE, never: NEVER };
    clocked::kinds(&pmu.description()).for_each(|counter| spurious.expect_nobodys(&pmu, counter));
}
