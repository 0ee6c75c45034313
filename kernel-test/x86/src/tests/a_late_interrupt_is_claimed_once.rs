//! An interrupt that comes long after its overflow is the unit's, once: if the counter was stopped
//! meanwhile, and if it was stopped and let go on. No event is lost.

use harness::{Tally, Verdicts};
use pmu::{CounterId, Interrupted, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_nmi_at, mischief, truth};
use crate::identity;

const PERIOD: u64 = 1000;
const NONE: Tally = Tally { overflow: 0, late: 0, foreign: 0 };

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
        is_late_after_a_stop(&pmu, counter);
        is_an_overflow_if_another_has_joined_it(&pmu, counter);
    }
}

fn is_late_after_a_stop(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let before = (unit::accounted(&UNIT), truth::overflows());
    let mut sampler = Booked::open(pmu, clocked::request(counter).every(PERIOD));
    sampler.session.start().expect("it is stopped");
    mischief::hold_interrupts(PERIOD * 3);
    exactly(PERIOD * 3 / 2);
    sampler.session.stop().expect("it runs");
    assert_eq!((unit::accounted(&UNIT) - before.0, truth::overflows() - before.1), (1, 1));
    assert_eq!(VERDICTS.take(), NONE, "it is on its way");
    exactly(PERIOD * 3);
    assert_eq!(VERDICTS.take(), Tally { late: 1, ..NONE });
    mischief::interrupt_after(0);
    assert_eq!(VERDICTS.take(), Tally { foreign: 1, ..NONE }, "there is no second one");
    assert_eq!((sampler.count() / PERIOD, unit::accounted(&UNIT) - before.0), (1, 1), "nor a second sample");
}

/// Until the first interrupt comes, a further overflow meets the line that this one has masked, or
/// pulls it when it is pulled already.
fn is_an_overflow_if_another_has_joined_it(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let before = (unit::accounted(&UNIT), truth::masked_overflows());
    let mut sampler = Booked::open(pmu, clocked::request(counter).every(PERIOD));
    sampler.session.start().expect("it is stopped");
    mischief::hold_interrupts(PERIOD * 3);
    exactly(PERIOD * 3 / 2);
    sampler.session.stop().expect("it runs");
    sampler.session.resume().expect("it is stopped");
    exactly(PERIOD * 3);
    sampler.session.stop().expect("it runs");
    let masked = identity::presented().processor.masks_line();
    assert_eq!(truth::masked_overflows() - before.1, masked.into());
    assert_eq!(unit::accounted(&UNIT) - before.0, sampler.count() / PERIOD);
    assert_eq!(VERDICTS.take().foreign, 0);
    if !masked {
        assert_one_more_is_claimed();
    }
}

/// Two overflows came as one interrupt, which the driver cannot know: the next that finds nothing is
/// taken for the other's, and none after it.
fn assert_one_more_is_claimed() {
    for expected in [Tally { late: 1, ..NONE }, Tally { foreign: 1, ..NONE }] {
        mischief::interrupt_after(0);
        assert_eq!(VERDICTS.take(), expected);
    }
}
