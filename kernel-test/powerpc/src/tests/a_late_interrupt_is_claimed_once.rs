//! An interrupt that comes long after its overflow is the unit's, once: if the counter was stopped
//! meanwhile, if it ran on, and if it was stopped and let go on. No event is lost.

use harness::{Tally, Verdicts};
use pmu::{CounterId, Interrupted, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{mischief, on_overflow, truth};

const PERIOD: u64 = 3000;
const NONE: Tally = Tally { overflow: 0, late: 0, foreign: 0 };

static UNIT: Unit<64> = Unit::new();
static VERDICTS: Verdicts = Verdicts::new();

fn handle(at: Interrupted) {
    VERDICTS.note(UNIT.on_overflow(at));
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::kinds(&pmu.description()) {
        is_late_after_a_stop(&pmu, counter);
        is_an_overflow_while_the_counter_runs(&pmu, counter);
        is_an_overflow_if_another_has_joined_it(&pmu, counter);
    }
}

fn is_late_after_a_stop(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let before = (unit::accounted(&UNIT), truth::overflows(), truth::interrupts());
    let mut sampler = Booked::open(pmu, clocked::request(counter).every(PERIOD));
    sampler.session.start().expect("it is stopped");
    mischief::hold_interrupts(PERIOD * 3);
    exactly(PERIOD * 3 / 2);
    sampler.session.stop().expect("it runs");
    assert_eq!((unit::accounted(&UNIT) - before.0, truth::overflows() - before.1), (1, 1));
    assert_eq!(VERDICTS.take(), NONE, "it is on its way");
    exactly(PERIOD * 3);
    // Where the exception is a bit of the unit's (PMAO), the stop has taken it back.
    let came = truth::interrupts() - before.2;
    (came..2).for_each(|_| mischief::interrupt_after(0));
    assert_eq!(VERDICTS.take(), Tally { late: 1, foreign: 1, ..NONE }, "there is no second one");
    assert_eq!((sampler.count() / PERIOD, unit::accounted(&UNIT) - before.0), (1, 1), "nor a second sample");
}

fn is_an_overflow_while_the_counter_runs(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    for held in (1..PERIOD * 4).step_by(1397) {
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
}

/// Until the first interrupt comes, the session is stopped and goes on, and overflows once more.
fn is_an_overflow_if_another_has_joined_it(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    let before = unit::accounted(&UNIT);
    let mut sampler = Booked::open(pmu, clocked::request(counter).every(PERIOD));
    sampler.session.start().expect("it is stopped");
    mischief::hold_interrupts(PERIOD * 3);
    exactly(PERIOD * 3 / 2);
    sampler.session.stop().expect("it runs");
    sampler.session.resume().expect("it is stopped");
    exactly(PERIOD * 3);
    sampler.session.stop().expect("it runs");
    assert_eq!(unit::accounted(&UNIT) - before, sampler.count() / PERIOD);
    assert_eq!(VERDICTS.take().foreign, 0);
}
