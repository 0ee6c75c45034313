//! A bound context is given another period, in or out, which moves no count; from its restart on each end of it is on its
//! very event.

use pmu::CounterId;

use crate::accounts::Accounts;
use crate::claim::sampling_threads;
use crate::follow::Followed;
use crate::{Claimed, Kernel};

/// Longer than any turn.
const PERIOD: u64 = 40_009;
/// Another one, of which neither is a multiple.
const OTHER: u64 = 30_011;
/// Instructions of a turn, beside those of a switch.
const TURN: u64 = 500;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling_threads::<K>();
    K::counters(&pmu.description()).into_iter().for_each(|counter| set_period::<K>(&pmu, counter));
}

/// Another period, given to a bound context, in or out, moves no count and begins with the next restart: then each of
/// its ends is on its very event.
fn set_period<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
        let mut thread = Followed::<K>::new(pmu, 1, K::request(counter).every(PERIOD));
        expect_periods(pmu, &mut thread, PERIOD);
        thread.set_period(pmu, OTHER);
        let before = thread.count();
        thread.run(pmu, TURN);
        assert!(thread.count() >= before + TURN, "{counter}: it goes on");
        thread.restart();
        expect_periods(pmu, &mut thread, OTHER);

        let mut context = thread.context;
        pmu.switch_in(&mut context);
        context.set_period(pmu, 0, PERIOD).expect("it may be in meanwhile");
        pmu.switch_out(&mut context);
        let mut thread = Followed::<K>::of(context);
        thread.restart();
        expect_periods(pmu, &mut thread, PERIOD);
}

/// From 0 on there is an overflow on each event that ends a period, and on no other.
fn expect_periods<K: Kernel>(
    pmu: &Claimed<K>,
    thread: &mut Followed<K>,
    period: u64,
) {
    for turns in [period - TURN, period, 2 * period, 5] {
        let before = thread.count() / period;
        let ((), accounts) = Accounts::around::<K, _>(|| thread.run(pmu, turns));
        assert_eq!(accounts, Accounts::kept(thread.count() / period - before), "{turns} of {period}");
    }
    assert!(thread.count() > 3 * period);
}
