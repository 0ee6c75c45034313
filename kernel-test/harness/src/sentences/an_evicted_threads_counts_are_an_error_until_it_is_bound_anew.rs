//! A thread whose counters were taken from it has no counts to read until it is bound anew, whoever has them by then: a
//! session, or another thread.

use pmu::{CounterId, Error, Request};

use crate::booked::Booked;
use crate::claim::claim_yielding;
use crate::follow::Followed;
use crate::{Claimed, Kernel};

/// Instructions of a turn, beside those of a switch.
const TURN: u64 = 500;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = claim_yielding::<K>();
    for counter in K::counters(&pmu.description()) {
        evict::<K>(&pmu, counter);
        evict_for_another_thread::<K>(&pmu, counter);
    }
}

/// Where threads yield to sessions, the counts of a thread whose counters were taken are an error, whoever has those
/// counters by now, until it is bound anew; and then they are right from 0 on.
fn evict<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
        let request = K::request(counter);
        let mut thread = Followed::<K>::new(pmu, 1, request);
        thread.run(pmu, TURN);
        assert!(thread.count() >= TURN, "{counter}");
        let mut session = None;
        thread.run_with(pmu, || session = Some(Booked::<K>::open(pmu, request)));
        let mut session = session.expect("it was opened while the thread was in");
        assert_eq!(thread.context.counts(), Err(Error::Invalidated), "{counter}: a session was opened");
        session.start();
        thread.run(pmu, TURN);
        session.stop();
        assert!(session.count() >= TURN, "{counter}");
        assert_eq!(thread.context.counts(), Err(Error::Invalidated), "{counter}: a session runs");

        let refused = thread.context.bind(pmu, [request]);
        assert!(matches!(refused, Err(Error::InUse(_))), "{counter}: a session is open, {refused:?}");
        thread.run(pmu, TURN);
        drop(session);
        expect_to_count_anew(pmu, &mut thread, request);
}

/// A thread that is evicted while it is in has no counts to read from then on, though another thread counts with its
/// counter; and then it is counted anew.
fn evict_for_another_thread<K: Kernel>(pmu: &Claimed<K>, counter: CounterId) {
        let request = K::request(counter);
        let [mut thread, mut other] = [1, 2].map(|number| Followed::<K>::new(pmu, number, request));
        thread.run_with(pmu, || {
            K::exactly(TURN);
            pmu.evict().expect("nothing is amid an operation");
        });
        assert_eq!(thread.context.counts(), Err(Error::Invalidated), "{counter}: it was evicted");

        thread.bind_anew(pmu, request);
        pmu.switch_in(&mut thread.context);
        pmu.evict().expect("nothing is amid an operation");
        let mut read = None;
        other.run_with(pmu, || {
            K::exactly(TURN);
            read = Some(pmu.thread_counts(&thread.context));
        });
        assert_eq!(read, Some(Err(Error::Invalidated)), "{counter}: another thread is in");
        assert!(other.count() >= TURN, "{counter}");
        pmu.switch_out(&mut thread.context);
        expect_to_count_anew(pmu, &mut thread, request);
}

fn expect_to_count_anew<K: Kernel>(pmu: &Claimed<K>, thread: &mut Followed<K>, request: Request) {
    assert_eq!(thread.context.counts(), Err(Error::Invalidated));
    thread.bind_anew(pmu, request);
    thread.run(pmu, TURN);
    assert!(thread.count() >= TURN, "thread {} is counted anew", thread.context.thread());
}

