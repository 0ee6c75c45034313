//! Many overflows: of each there is a sample, or a loss with a cause.

use crate::support::effort;
use crate::{Bench, INSTRUCTIONS, Of, Processor, SAMPLES, Subject, choose};

/// A tenth of them in a short run.
fn overflows() -> u64 {
    effort::whole_or(1_000_000, 100_000)
}

const PERIOD: u64 = 400;
/// So many at once that the ring is sometimes too small for them.
const MOST: u64 = SAMPLES as u64 * 5 / 4;

/// Takes a million overflows of these processors' units, or a tenth of them.
pub(crate) fn all_of<const N: usize>(parts: [fn() -> u64; N]) {
    assert!(parts.map(|part| part()).iter().sum::<u64>() >= overflows() / 2);
}

/// Takes a processor's part, and returns how many overflows were accounted for.
pub(crate) fn part<P: Processor>() -> u64 {
    choose::<P>();
    accounted::<Of<P>>()
}

/// Samples for an eighth of the overflows. Now and then a stop finds a period that has ended, whose interrupt is to come.
fn accounted<S: Subject>() -> u64 {
    let bench = Bench::<S>::new();
    let mut session = bench.pmu.open([INSTRUCTIONS.every(PERIOD)]).expect("the unit is free");
    let mut samples = bench.unit.samples().expect("nobody else reads");
    let [mut drained, mut counted] = [0; 2];
    while counted < overflows() / 8 * PERIOD {
        session.start().expect("it is stopped");
        bench.machine.work(PERIOD * (MOST - drained % (MOST / 2)));
        bench.machine.wire.held.set(true);
        bench.machine.work(PERIOD);
        session.stop().expect("it runs");
        bench.machine.wire.held.set(false);
        bench.machine.deliver();
        drained += samples.by_ref().count() as u64;
        [counted] = session.read().expect("this is its CPU");
    }
    let lost = samples.lost();
    assert_eq!(samples.received() + lost.total(), counted / PERIOD);
    assert!(lost.ring_full > 0 && lost.stopped > 0, "{lost}");
    assert_eq!(bench.unit.spurious().foreign, 0);
    counted / PERIOD
}
