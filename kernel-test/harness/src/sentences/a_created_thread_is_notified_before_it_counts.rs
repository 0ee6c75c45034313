//! A thread that inherits a request which notifies is notified of its first event, chooses a period of its own, and does
//! not disturb its creator's.

use pmu::CounterId;

use crate::accounts::Accounts;
use crate::claim::{least_once, sampling_threads};
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

/// A created thread has its creator's requests. As libcpc has it, one that notifies reads 2^64 - 1 and does so on its first
/// event, or the first that the unit can be preset to, so that the thread can choose a period of its own; its creator's
/// goes on where it was.
fn inherit<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
    let first = least_once::<K>(pmu, K::request(counter));
    let ((), accounts) = Accounts::around::<K, _>(|| {
        let mut creator = Followed::<K>::new(pmu, 1, K::request(counter).once_after(PERIOD));
        creator.run(pmu, TURN);
        let mut created = Followed::<K>::of(creator.context.inherit(2));
        assert_eq!(created.count(), u64::MAX, "{counter}");
        created.run(pmu, TURN);
        created.assert_frozen_after(first - 1);
        created.run(pmu, TURN);
        assert_eq!(created.count(), first - 1, "{counter}: it is not counted");
        expect_sample(&created, &creator);
        created.set_period(pmu, OTHER);
        created.restart();
        run_until_frozen(pmu, &mut created, OTHER);
        assert!(!creator.context.is_frozen() && creator.count() >= TURN, "{counter}");
        run_until_frozen(pmu, &mut creator, PERIOD);
    });
    // That of the created thread's first event was read above.
    assert!(accounts.keep::<K>(3), "{counter}: {accounts:?}");
}

/// There is one, and it is this thread's.
fn expect_sample<K: Kernel>(thread: &Followed<K>, other: &Followed<K>) {
    let mut samples = K::unit().samples().expect("nobody else reads");
    let sample = samples.next().expect("its overflow left one");
    assert_eq!((thread.context.request_of(&sample), other.context.request_of(&sample)), (Some(0), None), "{sample:?}");
    assert_eq!(samples.next(), None);
}

/// Runs until its request notifies, and sees that it does on its very event.
fn run_until_frozen<K: Kernel>(pmu: &Claimed<K>, thread: &mut Followed<K>, period: u64) {
    while !thread.context.is_frozen() {
        assert!(thread.count() < period, "thread {} notifies late", thread.context.thread());
        thread.run(pmu, TURN);
    }
    thread.assert_frozen_after(period);
}
