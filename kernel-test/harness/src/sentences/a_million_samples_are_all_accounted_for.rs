//! Of every overflow there is a sample, or a loss with a cause: of a million on all processors together, while a reader
//! drains a ring that is sometimes too small, and the session is stopped with interrupts on their way.

use pmu::CounterId;

use crate::accounts::accounted;
use crate::booked::Booked;
use crate::claim::sampling_little;
use crate::distance::Distance;
use crate::effort::Effort;
use crate::kernel::{Claimed, Kernel, LITTLE_ROOM};

const ROUNDS_TO_A_STOP: u64 = 8;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling_little::<K>();
    let counters = K::punctual(&pmu.description());
    let (overflows, wanted) = (K::overflows(), Effort::length(K::samples()));
    for counter in counters {
        sample::<K>(&pmu, counter, wanted.div_ceil(counters.len().into()));
    }
    let samples = K::small_unit().samples().expect("nobody else reads");
    let all = samples.received() + samples.lost().total();
    assert!(all >= wanted && (!K::has_book() || all >= K::overflows() - overflows), "{all}");
    assert!(samples.lost().ring_full > 0 && samples.lost().stopped > 0, "too few losses: {}", samples.lost());
}

fn sample<K: Kernel>(pmu: &Claimed<K>, counter: CounterId, samples: u64) {
    let period = K::short_period(pmu, counter);
    // In these there are more samples than fit.
    let most_rows = 2 * LITTLE_ROOM as u64 * period / K::ROW + 1;
    let before = accounted(K::small_unit());
    let mut sampler = Booked::<K>::open(pmu, K::request(counter).every(period));
    sampler.start();
    let mut rounds = 0..;
    while sampler.read() < samples * period {
        let round = rounds.next().unwrap_or(0);
        K::run_row(most_rows - round % most_rows);
        drain::<K>(counter);
        if round % ROUNDS_TO_A_STOP == 0 {
            stop_too_early(&mut sampler, period);
        }
    }
    sampler.stop();
    assert_eq!(accounted(K::small_unit()) - before, sampler.count() / period, "{counter}");
}

/// Stops, and goes on, before an interrupt that is due has come.
fn stop_too_early<K: Kernel>(sampler: &mut Booked<K>, period: u64) {
    K::without_interrupts(2 * period, || {
        K::exactly(period);
        sampler.stop();
    });
    sampler.start();
}

/// Takes the samples out; those of one stretch of the row are at equal distances.
fn drain<K: Kernel>(counter: CounterId) {
    let mut distance = Distance::default();
    for sample in K::small_unit().samples().expect("nobody else reads") {
        assert_eq!(sample.counter, counter);
        assert!(distance.is_kept::<K>(&sample), "a sample is out of its place");
    }
}
