//! An interrupt that is held back while its counter runs on is an overflow's when it comes, however long it was held. No
//! event is lost.

use pmu::CounterId;

use crate::accounts::accounted;
use crate::booked::Booked;
use crate::claim::{judging, verdicts};
use crate::{Claimed, Kernel, Tally};

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = judging::<K>();
    for counter in K::few(&pmu.description()) {
        K::tried(40).for_each(|number| is_an_overflow::<K>(&pmu, counter, number * 97 * K::PERIOD / 1000));
    }
}

fn is_an_overflow<K: Kernel>(pmu: &Claimed<K>, counter: CounterId, held: u64) {
        let before = accounted(K::unit());
        let mut sampler = Booked::<K>::open(pmu, K::request(counter).every(K::PERIOD));
        sampler.start();
        K::hold_interrupts(held);
        K::exactly(K::PERIOD * 5);
        sampler.stop();
        let Tally { late, foreign, .. } = verdicts();
        assert_eq!((late, foreign), (0, 0), "held for {held}");
        assert_eq!(accounted(K::unit()) - before, sampler.count() / K::PERIOD, "held for {held}");
}
