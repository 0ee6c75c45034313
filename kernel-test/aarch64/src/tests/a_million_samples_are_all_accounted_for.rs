//! Of every overflow there is a sample, or a loss with a cause: a seventh of a million on each of seven processors,
//! a fifth of them by the book of the model's host, while a reader drains a ring that is sometimes too small, and the
//! session is stopped with overflows pending.

use pmu::{CounterId, Pmu};

use super::clocked;
use crate::gic;
use crate::kernel::place::Place;
use crate::kernel::unit::{self, Driver, Unit};
use crate::kernel::{enter_interrupts_at, place, sled, truth};
use crate::system;

const PERIOD: u64 = 2003;
/// In the most rows that are run between two drains there are more samples than fit.
const MOST_ROWS: u64 = 12;
const ROUNDS_TO_A_STOP: u64 = 8;

static UNIT: Unit<16> = unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

pub fn test() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let wanted: u64 = if place::is(Place::Model) { 30_000 } else { 57_000 };
    let counters = clocked::punctual(&pmu.description()).count() as u64;
    for counter in clocked::punctual(&pmu.description()) {
        sample(&pmu, counter, wanted.div_ceil(counters));
    }
    let samples = UNIT.samples().expect("nobody else reads");
    assert!(samples.lost().ring_full > 0 && samples.lost().stopped > 0, "too few losses: {}", samples.lost());
}

fn sample(pmu: &Pmu<'static, Driver>, counter: CounterId, wanted: u64) {
    let (accounted, booked) = (unit::accounted(&UNIT), book(counter));
    let mut session = pmu.open([clocked::request(counter).every(PERIOD)]).expect("the counter is free");
    session.start().expect("it is stopped");
    let mut rounds = 0..;
    while session.read().is_ok_and(|[count]| count < wanted * PERIOD) {
        let round = rounds.next().unwrap_or(0);
        sled::run(1 + round % MOST_ROWS);
        drain(counter);
        if round % ROUNDS_TO_A_STOP == 0 {
            // Before an interrupt that may be due has come.
            system::without_interrupts(|| {
                sled::run(1);
                session.stop().expect("it runs");
            });
            session.resume().expect("it is stopped");
        }
    }
    session.stop().expect("it runs");
    let [count] = session.read().expect("this is its CPU");
    assert_eq!(unit::accounted(&UNIT) - accounted, count / PERIOD, "{counter}");
    assert!(count >= wanted * PERIOD);
    if place::is(Place::Model) {
        assert_eq!(book(counter) - booked, count, "{counter}: the host has another count");
    }
}

/// What the model's host has booked for a counter.
fn book(counter: CounterId) -> u64 {
    if place::is(Place::Model) { truth::counted(counter) } else { 0 }
}

/// Takes the samples out; those of one stretch of the row are at equal distances.
fn drain(counter: CounterId) {
    let mut last = None;
    let mut distance = None;
    for sample in UNIT.samples().expect("nobody else reads") {
        assert_eq!(sample.counter, counter);
        let place = sled::of(sample.address);
        if let Some((from, to)) = last.zip(place) {
            let here = sled::distance(from, to);
            assert_eq!(*distance.get_or_insert(here), here, "a sample is out of its place");
        }
        last = place;
    }
}
