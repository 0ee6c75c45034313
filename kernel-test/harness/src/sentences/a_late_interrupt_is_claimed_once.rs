//! An interrupt that comes long after its overflow is the unit's, once: if the counter was stopped meanwhile, and if it
//! was stopped and let go on. No event is lost.

use pmu::CounterId;

use crate::accounts::accounted;
use crate::booked::Booked;
use crate::claim::{judging, verdicts};
use crate::{Claimed, Kernel, Tally};

const NONE: Tally = Tally { overflow: 0, late: 0, foreign: 0 };

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = judging::<K>();
    for counter in K::few(&pmu.description()) {
        is_late_after_a_stop::<K>(&pmu, counter);
        is_an_overflow_if_another_has_joined_it::<K>(&pmu, counter);
    }
}

fn is_late_after_a_stop<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
    let before = (accounted(K::unit()), K::overflows(), K::interrupts());
    let mut sampler = Booked::<K>::open(pmu, K::request(counter).every(K::PERIOD));
    sampler.start();
    K::hold_interrupts(K::PERIOD * 3);
    K::exactly(K::PERIOD * 3 / 2);
    sampler.stop();
    assert_eq!((accounted(K::unit()) - before.0, K::overflows() - before.1), (1, 1));
    assert_eq!(verdicts(), NONE, "it is on its way");
    K::exactly(K::PERIOD * 3);
    let came = K::interrupts() - before.2;
    assert!(came == 1 || came == 0 && K::TAKES_INTERRUPTS_BACK);
    (came..2).for_each(|_| K::interrupt_after(0));
    assert_eq!(verdicts(), Tally { late: 1, foreign: 1, ..NONE }, "there is no second one");
    assert_eq!((sampler.count() / K::PERIOD, accounted(K::unit()) - before.0), (1, 1), "nor a second sample");
}

/// Until the first interrupt comes, the session is stopped and goes on, and overflows once more.
fn is_an_overflow_if_another_has_joined_it<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
    let before = accounted(K::unit());
    let mut sampler = Booked::<K>::open(pmu, K::request(counter).every(K::PERIOD));
    sampler.start();
    K::hold_interrupts(K::PERIOD * 3);
    K::exactly(K::PERIOD * 3 / 2);
    sampler.stop();
    sampler.start();
    K::exactly(K::PERIOD * 3);
    sampler.stop();
    assert_eq!(accounted(K::unit()) - before, sampler.count() / K::PERIOD);
    assert_eq!(verdicts().foreign, 0);
    // Where the line stays open, two overflows came as one interrupt, which the driver cannot know: the next that finds
    // nothing is taken for the other's, and none after it.
    let claimed = [Tally { late: 1, ..NONE }].into_iter().filter(|_| !K::masks_line());
    for expected in claimed.chain([Tally { foreign: 1, ..NONE }]) {
        K::interrupt_after(0);
        assert_eq!(verdicts(), expected);
    }
}
