//! Each increment by software counts one, on the counters that it names and no others; and the n-th interrupts.

use pmu::{CounterId, Event, Pmu, Request};

use crate::gic;
use crate::guest::enter_interrupts_at;
use crate::guest::unit::{self, Driver, Unit};

/// Instructions that software has marked by writing PMSWINC_EL0 (SW_INCR).
const SOFTWARE_INCREMENTS: Event = Event::raw(0x0000);

static UNIT: Unit<64> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

const NAMED: CounterId = CounterId::ZERO;
const OTHER: CounterId = CounterId::new(1).unwrap();
/// A period of what the handler does not do may be as short as this.
const PERIOD: u64 = 2000;

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    for number in [1, 2, 1000] {
        assert_eq!(counted(&pmu, number), [number, 0]);
    }
    assert_eq!(overflows(&pmu), 0);
    let mut session = pmu.open([on(NAMED).every(PERIOD)]).expect("it counts that");
    session.start().expect("it is stopped");
    increment(&pmu, PERIOD - 1);
    assert_eq!(overflows(&pmu), 0, "one too early");
    increment(&pmu, 1);
    assert_eq!(overflows(&pmu), 1);
    increment(&pmu, 3 * PERIOD);
    assert_eq!((overflows(&pmu), session.read()), (3, Ok([4 * PERIOD])));
}

fn on(counter: CounterId) -> Request {
    Request::new(SOFTWARE_INCREMENTS).pinned_to(counter)
}

/// What the named counter and another one count of so many increments.
fn counted(pmu: &Pmu<Driver>, number: u64) -> [u64; 2] {
    let mut session = pmu.open([on(NAMED), on(OTHER)]).expect("they count that");
    session.start().expect("it is stopped");
    increment(pmu, number);
    session.stop().expect("it runs");
    increment(pmu, 5);
    session.read().expect("this is its CPU")
}

fn increment(pmu: &Pmu<Driver>, number: u64) {
    (0..number).for_each(|_| pmu.driver().increment(NAMED.only()));
}

/// Samples of the named counter since this was asked last.
fn overflows(_: &Pmu<Driver>) -> usize {
    let samples = UNIT.samples().expect("nobody else reads");
    samples.filter(|sample| sample.counter == NAMED).count()
}
