//! Of every overflow there is a sample, or a loss with a cause: of a million on each of QEMU's units, and
//! of some hundred on each device, while a reader drains a ring that is sometimes too small, and the
//! session is stopped with interrupts on their way.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{World, hold_exceptions, instructions, on_overflow, sled, take_exceptions, world};
use crate::platform::println;

/// Of cycles, which is all that most counters of QEMU's units count exactly.
const PERIOD: u64 = 2003;
/// Of instructions, where each is a step; not of a raw code that the driver knows no kind of.
const SHORT_PERIOD: u64 = 307;
/// In the many rows that are run between two drains there are more samples than fit.
const MANY: u64 = 110;
const FEW: u64 = 5;
const ROUNDS_TO_A_STOP: u64 = 8;

static UNIT: Unit<32> = Unit::new();
static INTERRUPTS: AtomicUsize = AtomicUsize::new(0);

fn handle(at: Interrupted) {
    assert!(UNIT.on_overflow(at).is_mine());
    INTERRUPTS.fetch_add(1, Relaxed);
}

pub fn test() {
    on_overflow(handle);
    let pmu = unit::claim(&UNIT);
    let samples = if world() == World::Native { 1_000_000 } else { 500 };
    let kinds = clocked::kinds(&pmu.description()).count() as u64;
    clocked::kinds(&pmu.description()).for_each(|counter| sample(&pmu, counter, samples / kinds));
    let samples = UNIT.samples().expect("nobody else reads");
    println!("{} samples received, lost: {}", samples.received(), samples.lost());
    assert!(samples.lost().ring_full > 0 && samples.lost().stopped > 0, "too few losses were provoked");
}

fn sample(pmu: &Pmu<'static, Driver>, counter: CounterId, samples: u64) {
    let before = unit::accounted(&UNIT);
    let is_short = world() == World::Host && pmu.open([clocked::request(counter).every(SHORT_PERIOD)]).is_ok();
    let period = if is_short { SHORT_PERIOD } else { PERIOD };
    let mut session = pmu.open([clocked::request(counter).every(period)]).expect("the counter is free");
    session.start().expect("it is stopped");
    for round in (0..).take_while(|_| unit::accounted(&UNIT) - before < samples) {
        sled::run(if round % ROUNDS_TO_A_STOP == 0 { MANY } else { FEW });
        drain(counter);
        if round % ROUNDS_TO_A_STOP == 0 {
            hold_exceptions();
            instructions::exactly(period);
            session.stop().expect("it runs");
            session.resume().expect("it is stopped");
            take_exceptions();
        }
    }
    session.stop().expect("it runs");
    let [count] = session.read().expect("this is its CPU");
    assert_eq!(unit::accounted(&UNIT) - before, count / period, "{counter:?}");
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
