//! A thread that inherits a request which notifies is notified before it counts anything, chooses a period of its own, and
//! does not disturb its creator's.

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
    K::counters(&pmu.description()).into_iter().for_each(|counter| inherit::<K>(&pmu, counter));
}

/// A created thread has its creator's requests. As libcpc has it, one that notifies reads 2^64 - 1, and the thread is told
/// when it comes for the first time, so that it can choose a period of its own; its creator's goes on where it was.
fn inherit<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
    let ((), accounts) = Accounts::around::<K, _>(|| {
        let mut creator = Followed::<K>::new(pmu, 1, K::request(counter).once_after(PERIOD));
        creator.run(pmu, TURN);
        let mut created = Followed::<K>::of(creator.context.inherit(2));
        for is_first in [true, false] {
            assert_eq!(created.come(pmu), is_first, "{counter}: it is told once");
            K::exactly(TURN);
            pmu.switch_out(&mut created.context);
            assert_eq!(created.context.counts().map(|counts| counts.raw), Ok([u64::MAX]), "{counter}");
        }
        created.set_period(pmu, OTHER);
        created.restart();
        run_until_frozen(pmu, &mut created, OTHER);
        assert!(!creator.context.is_frozen() && creator.count() >= TURN, "{counter}");
        run_until_frozen(pmu, &mut creator, PERIOD);
    });
    assert!(accounts.keep::<K>(2), "{counter}: {accounts:?}");
}

/// Runs until its request notifies, and sees that it does on its very event.
fn run_until_frozen<K: Kernel>(pmu: &Claimed<K>, thread: &mut Followed<K>, period: u64) {
    while !thread.context.is_frozen() {
        assert!(thread.count() < period, "thread {} notifies late", thread.context.thread());
        thread.run(pmu, TURN);
    }
    thread.assert_frozen_after(period);
}
