//! Two sessions sample beside each other, each at its own period, or count where no overflow interrupts; when one is closed
//! as it runs, the other goes on undisturbed, and its counter is free.

use pmu::{CounterId, CounterSet};

use crate::accounts::{accounted, assert_all_free};
use crate::booked::Booked;
use crate::claim::{judging, verdicts};
use crate::{Claimed, Kernel};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = judging::<K>();
    let unit = pmu.description();
    let mut late = 0;
    for first in K::kinds(&unit) {
        let rest = K::counters(&unit).without(first.only());
        for second in [rest.lowest(), rest.highest()].into_iter().flatten() {
            late += pass::<K>(&pmu, first, second);
        }
    }
    assert_all_free::<K>(&pmu);
    assert!(late == 0 || !K::masks_line(), "an overflow that another's interrupt has seen to withdraws its own");
}

/// Returns how many interrupts were late while both counted. One that a stop has held back and accounted for may be late,
/// too.
fn pass<K: Kernel>(pmu: &Claimed<K>, first: CounterId, second: CounterId) -> u64 {
    let [short, long] = [K::PERIOD + 103, 2 * K::PERIOD + 303];
    let stretch = 20 * K::PERIOD;
    let before = (accounted(K::unit()), K::counted(second));
    let mut stays = Booked::<K>::open(pmu, K::sampled(K::request(first), short));
    let mut goes = Booked::<K>::open(pmu, K::sampled(K::request(second), long));
    stays.start();
    goes.start();
    K::exactly(stretch);
    let beside = verdicts();
    drop(goes);
    let counted = K::counted(second);
    assert!(sampled::<K>().covers(expected::<K>(first.only().or(second.only()))), "both are sampled");
    K::exactly(stretch);
    assert_eq!(sampled::<K>(), expected::<K>(first.only()), "the other one is closed");
    assert_eq!(K::counted(second), counted, "and counts no more");
    stays.stop();
    let periods = K::periods(stays.count(), short) + K::periods(counted - before.1, long);
    assert_eq!(accounted(K::unit()) - before.0, periods);
    let stopped = verdicts();
    assert_eq!((beside.foreign, stopped.foreign), (0, 0));
    assert!(stopped.late <= 2 || !K::masks_line(), "{stopped:?} around two stops");
    beside.late
}

/// Those of these counters whose overflows leave samples.
fn expected<K: Kernel>(counters: CounterSet) -> CounterSet {
    if K::has_interrupts() { counters } else { CounterSet::EMPTY }
}

/// The counters whose samples wait to be read.
fn sampled<K: Kernel>() -> CounterSet {
    K::unit().samples().expect("nobody else reads").map(|sample| sample.counter).collect()
}
