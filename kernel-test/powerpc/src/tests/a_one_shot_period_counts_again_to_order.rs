//! A one-shot period ends once and says so; it counts another one after `again`, and after a stop
//! and a `resume`; and a start begins from 0.

use harness::Verdicts;
use harness::one_shot::OneShot;
use pmu::Interrupted;

use super::amid::Here;
use super::clocked;
use crate::guest::on_overflow;
use crate::guest::unit::{self, Unit};

const PERIOD: u64 = 3000;

static UNIT: Unit<8> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

fn handle(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let one_shot = OneShot::<Here> { unit: &UNIT, verdicts: &VERDICTS, period: PERIOD };
    for counter in clocked::kinds(&pmu.description()) {
        one_shot.counts_again(&pmu, counter);
    }
}
