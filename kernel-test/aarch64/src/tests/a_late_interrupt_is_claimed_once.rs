//! An interrupt that comes long after its overflow is the unit's, once: if the counter was stopped
//! meanwhile, if it ran on, and if it was stopped and let go on. No event is lost.

use harness::{Tally, Verdicts};
use pmu::{CounterId, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::gic;
use crate::kernel::instructions::exactly;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{enter_interrupts_at, mischief, truth};

const PERIOD: u64 = 2500;
const NONE: Tally = Tally { overflow: 0, late: 0, foreign: 0 };

static UNIT: Unit<64> = unit::new();
static VERDICTS: Verdicts = Verdicts::new();

pmu::irq_entry!(Irq, |at| gic::service(|| VERDICTS.note(UNIT.on_overflow(at))));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    for counter in clocked::pair(&pmu.description()) {
        is_late_after_a_stop(&pmu, counter);
        is_an_overflow_while_the_counter_runs(&pmu, counter);
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

fn is_an_overflow_while_the_counter_runs(pmu: &Pmu<'static, Driver>, counter: CounterId) {
    for held in (1..PERIOD * 4).step_by(97) {
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

/// A further overflow before the first one's interrupt has come is the same interrupt.
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
    // The interrupt that came was both overflows', and no other is expected.
    mischief::interrupt_after(0);
    assert_eq!(VERDICTS.take(), Tally { foreign: 1, ..NONE });
}
