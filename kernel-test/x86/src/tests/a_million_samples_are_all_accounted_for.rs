//! Of every overflow there is a sample, or a loss with a cause: of a twelfth of a million on each of
//! twelve processors, while a reader drains a ring that is sometimes too small, and the session is
//! stopped with interrupts on their way.

use pmu::{CounterId, Interrupted, Pmu};

use super::amid::Booked;
use super::clocked;
use crate::console::println;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Driver, Unit};
use crate::guest::{enter_nmi_at, mischief, sled, truth};

const SAMPLES: u64 = 85_000;
const PERIOD: u64 = 199;
/// In the most rows that are run between two drains there are more samples than fit.
const MOST_ROWS: u64 = 12;
const ROUNDS_TO_A_STOP: u64 = 8;

static UNIT: Unit<256> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let counters = clocked::kinds(&pmu.description()).count() as u64;
    for counter in clocked::kinds(&pmu.description()) {
        sample(&pmu, counter, SAMPLES.div_ceil(counters));
    }
    let samples = UNIT.samples().expect("nobody else reads");
    println!("{} samples received, lost: {}", samples.received(), samples.lost());
    assert_eq!(samples.received() + samples.lost().total(), truth::overflows());
    assert!(truth::overflows() >= SAMPLES);
    assert!(samples.lost().ring_full > 0 && samples.lost().stopped > 0, "too few losses were provoked");
}

fn sample(pmu: &Pmu<'static, Driver>, counter: CounterId, samples: u64) {
    let (before, accounted) = (truth::overflows(), unit::accounted(&UNIT));
    let mut sampler = Booked::open(pmu, clocked::request(counter).every(PERIOD));
    sampler.session.start().expect("it is stopped");
    for round in (0..).take_while(|_| truth::overflows() - before < samples) {
        sled::run(1 + round % MOST_ROWS);
        drain(counter);
        if round % ROUNDS_TO_A_STOP == 0 {
            stop_too_early(&mut sampler);
        }
    }
    sampler.session.stop().expect("it runs");
    assert_eq!(unit::accounted(&UNIT) - accounted, sampler.count() / PERIOD, "{counter:?}");
}

/// Stops, and goes on, before an interrupt that may be due has come.
fn stop_too_early(sampler: &mut Booked) {
    mischief::hold_interrupts(PERIOD * 5 / 4);
    exactly(PERIOD / 4);
    sampler.session.stop().expect("it runs");
    sampler.session.resume().expect("it is stopped");
    // What is still held back comes here, and not amid the row.
    exactly(PERIOD * 5 / 4);
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
