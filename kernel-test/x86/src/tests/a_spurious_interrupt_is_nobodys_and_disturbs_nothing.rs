//! An NMI that no counter asked for is not claimed, and nothing is lost or miscounted: on whichever
//! instruction it comes, of a session's or of the handler of an overflow just before.

use harness::Verdicts;
use harness::spurious::Spurious;
use pmu::Interrupted;

use super::amid::Here;
use super::clocked;
use crate::guest::enter_nmi_at;
use crate::guest::unit::{self, Unit};

const PERIOD: u64 = 800;
/// Longer than the test lasts.
const NEVER: u64 = 1 << 40;

static UNIT: Unit<64> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let spurious = Spurious::<Here> { unit: &UNIT, verdicts: &VERDICTS, period: PERIOD, stride: 1, never: NEVER };
    clocked::kinds(&pmu.description()).for_each(|counter| spurious.expect_nobodys(&pmu, counter));
}
