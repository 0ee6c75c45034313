//! A one-shot period ends once and says so; it counts another one after `again`, and after a stop
//! and a `resume`; and a start begins from 0.

use harness::Verdicts;
use harness::one_shot::OneShot;

use super::amid::Here;
use super::clocked;
use crate::gic;
use crate::kernel::enter_interrupts_at;
use crate::kernel::unit::{self, Unit};

const PERIOD: u64 = 1000;

static UNIT: Unit<8> = unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::irq_entry!(Irq, |at| gic::service(|| VERDICTS.note(UNIT.on_overflow(at))));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let one_shot = OneShot::<Here> { unit: &UNIT, verdicts: &VERDICTS, period: PERIOD };
    for counter in clocked::punctual(&pmu.description()) {
        one_shot.counts_again(&pmu, counter);
    }
}
