//! A kernel whose interrupt takes 10,000 instructions of its own gets on at every period from 1 to 100,000 that the unit
//! takes: the period is doubled until the interrupt can keep up. The count stays exact, and each period that ended left a
//! sample or a loss with its cause.

use pmu::Request;

use crate::accounts::accounted;
use crate::booked::Booked;
use crate::claim::{claim, least_period};
use crate::{Claimed, Kernel};

/// The interrupt's instructions before the handler, and after it.
const HALF: u64 = 5_000;
const PERIODS: [u64; 6] = [1, 128, 2_203, 5_000, 10_007, 100_000];

/// Shows it.
pub fn test<K: Kernel>() {
    K::on_overflow(|at| {
        K::exactly(HALF);
        _ = K::unit().on_overflow(at);
        K::exactly(HALF);
    });
    let pmu = claim::<K>();
    let counter = K::few(&pmu.description()).lowest().expect("the unit has counters");
    let request = K::densest_request(counter);
    let least = least_period::<K>(&pmu, request);
    accounted(K::unit());
    let stride = if K::STEPS { 2 } else { 1 };
    for period in PERIODS.into_iter().skip(stride - 1).step_by(stride) {
        gets_on::<K>(&pmu, request, period.max(least));
    }
}

fn gets_on<K: Kernel>(pmu: &Claimed<K>, request: Request, period: u64) {
    let work = if K::STEPS { 110_000 } else { 400_000 };
    let throttled = || K::unit().sample_statistics().lost.throttled;
    let (before, interrupts) = (throttled(), K::overflows());
    let mut session = Booked::<K>::open(pmu, request.every(period));
    let (kept, count) = kept_around::<K>(&mut session, work);
    assert_eq!(kept, count / period, "period {period}: what was received and lost");
    assert_eq!(throttled() == before, period == 100_000, "period {period}: {}", throttled() - before);
    // From the period 1 to one of which the interrupt takes an eighth are 17 doublings at the most, each after eight.
    let interrupts = K::overflows() - interrupts;
    assert!(interrupts < 8 * 17 + work / HALF, "period {period}: {interrupts} interrupts");
}

/// Returns how many samples were received and lost while so many instructions were counted, and the count.
fn kept_around<K: Kernel>(session: &mut Booked<K>, work: u64) -> (u64, u64) {
    let before = accounted(K::unit());
    session.around(|| K::exactly(work));
    (accounted(K::unit()) - before, session.count())
}
