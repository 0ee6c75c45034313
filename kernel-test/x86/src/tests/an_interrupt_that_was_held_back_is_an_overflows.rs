//! An interrupt that is held back while its counter runs on is an overflow's when it comes, however
//! long it was held. No event is lost.

use harness::{Tally, Verdicts};
use pmu::{CounterId, Interrupted, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_nmi_at, mischief};

const PERIOD: u64 = 1000;

static UNIT: Unit<64> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        (1..PERIOD * 4).step_by(97).for_each(|held| is_an_overflow(&pmu, counter, held));
    }
}

fn is_an_overflow(pmu: &Pmu<'static, Driver>, counter: CounterId, held: u64) {
    let before = unit::accounted(&UNIT);
    let mut sampler = Booked::open(pmu, clocked::request(counter).every(PERIOD));
    sampler.session.start().expect("it is stopped");
    mischief::hold_interrupts(held);
    exactly(PERIOD * 5);
    sampler.session.stop().expect("it runs");
    let Tally { late, foreign, .. } = VERDICTS.take();
    assert_eq!((late, foreign), (0, 0), "held for {held}");
    assert_eq!(unit::accounted(&UNIT) - before, sampler.count() / PERIOD, "held for {held}");
}
