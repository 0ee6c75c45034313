//! What becomes of a thread's counts when it creates another one, when its counters are taken from it, and when it
//! is given another period: sentences that each kernel shows by its own instructions, on each of its counters.

use pmu::{CounterId, Counts, Error, Pmu, Request, Unit};

use crate::amid::{Accounts, Book, Booked};
use crate::follow::Followed;

/// Longer than any turn.
const PERIOD: u64 = 40_009;
/// Another one, of which neither is a multiple.
const OTHER: u64 = 30_011;
/// Instructions of a turn, beside those of a switch.
const TURN: u64 = 500;

type Threads<K> = Unit<<K as Book>::Driver, 64>;

fn each_counter<K: Book>(pmu: &Pmu<'static, K::Driver>, body: impl FnMut(CounterId)) {
    K::counters(&pmu.description()).into_iter().for_each(body);
}

/// A created thread has its creator's requests from 0 on. One that notifies does so on its first event, as libcpc has
/// it, so that the thread can choose a period of its own; its creator's goes on where it was.
pub fn inherit<K: Book>(unit: &'static Threads<K>, pmu: &Pmu<'static, K::Driver>) {
    each_counter::<K>(pmu, |counter| {
        let ((), accounts) = Accounts::around::<K, _>(unit, || {
            let mut creator = Followed::<K>::new(pmu, 1, K::request(counter).once_after(PERIOD));
            creator.run(pmu, TURN);
            let mut created = Followed::<K>::of(creator.context.inherit(2));
            assert_eq!(created.count(), 0, "{counter}");
            created.run(pmu, TURN);
            created.assert_frozen_after(1);
            created.run(pmu, TURN);
            assert_eq!(created.count(), 1, "{counter}: it is not counted");
            expect_sample(unit, &created, &creator);
            created.set_period(pmu, OTHER);
            created.restart();
            run_until_frozen(pmu, &mut created, OTHER);
            assert!(!creator.context.is_frozen() && creator.count() >= TURN, "{counter}");
            run_until_frozen(pmu, &mut creator, PERIOD);
        });
        // That of the created thread's first event was read above.
        assert_eq!(accounts, Accounts::kept(3), "{counter}");
    });
}

/// There is one, and it is this thread's.
fn expect_sample<K: Book>(unit: &'static Threads<K>, thread: &Followed<K>, other: &Followed<K>) {
    let mut samples = unit.samples().expect("nobody else reads");
    let sample = samples.next().expect("its overflow left one");
    assert_eq!((thread.context.request_of(&sample), other.context.request_of(&sample)), (Some(0), None), "{sample:?}");
    assert_eq!(samples.next(), None);
}

/// Runs until its request notifies, and sees that it does on its very event.
fn run_until_frozen<K: Book>(pmu: &Pmu<'static, K::Driver>, thread: &mut Followed<K>, period: u64) {
    while !thread.context.is_frozen() {
        assert!(thread.count() < period, "thread {} notifies late", thread.context.thread());
        thread.run(pmu, TURN);
    }
    thread.assert_frozen_after(period);
}

/// Where threads yield to sessions, the counts of a thread whose counters were taken are an error, whoever has those
/// counters by now, until it is bound anew; and then they are right from 0 on.
pub fn evict<K: Book>(pmu: &Pmu<'static, K::Driver>) {
    each_counter::<K>(pmu, |counter| {
        let request = K::request(counter);
        let mut thread = Followed::<K>::new(pmu, 1, request);
        thread.run(pmu, TURN);
        assert!(thread.count() >= TURN, "{counter}");
        let mut session = None;
        thread.run_with(pmu, || session = Some(Booked::<K>::open(pmu, request)));
        let mut session = session.expect("it was opened while the thread was in");
        assert_eq!(thread.context.counts(), Err(Error::Invalidated), "{counter}: a session was opened");
        session.session.start().expect("it is stopped");
        thread.run(pmu, TURN);
        session.session.stop().expect("it runs");
        assert!(session.count() >= TURN, "{counter}");
        assert_eq!(thread.context.counts(), Err(Error::Invalidated), "{counter}: a session runs");

        thread.bind_anew(pmu, request);
        thread.run(pmu, TURN);
        assert_eq!(thread.context.counts(), Err(Error::Invalidated), "{counter}: a session is open");
        drop(session);
        expect_to_count_anew(pmu, &mut thread, request);
    });
}

/// A thread that is evicted while it is in has no counts to read from then on, though another thread counts with its
/// counter; and then it is counted anew.
pub fn evict_for_another_thread<K: Book>(pmu: &Pmu<'static, K::Driver>) {
    each_counter::<K>(pmu, |counter| {
        let request = K::request(counter);
        let [mut thread, mut other] = [1, 2].map(|number| Followed::<K>::new(pmu, number, request));
        thread.run_with(pmu, || {
            K::exactly(TURN);
            pmu.evict().expect("nothing is amid an operation");
        });
        assert_eq!(thread.context.counts(), Err(Error::Invalidated), "{counter}: it was evicted");

        thread.bind_anew(pmu, request);
        pmu.switch_in(&mut thread.context).expect("nobody is in");
        pmu.evict().expect("nothing is amid an operation");
        let mut read = Ok(Counts { raw: [0], enabled: 0, running: 0 });
        other.run_with(pmu, || {
            K::exactly(TURN);
            read = pmu.thread_counts(&thread.context);
        });
        assert_eq!(read, Err(Error::Invalidated), "{counter}: another thread is in");
        assert!(other.count() >= TURN, "{counter}");
        pmu.switch_out(&mut thread.context).expect("it is told that it is invalid");
        expect_to_count_anew(pmu, &mut thread, request);
    });
}

fn expect_to_count_anew<K: Book>(pmu: &Pmu<'static, K::Driver>, thread: &mut Followed<K>, request: Request) {
    assert_eq!(thread.context.counts(), Err(Error::Invalidated));
    thread.bind_anew(pmu, request);
    thread.run(pmu, TURN);
    assert!(thread.count() >= TURN, "thread {} is counted anew", thread.context.thread());
}

/// Another period, given to a bound context, in or out, moves no count and begins with the next restart: then each of
/// its ends is on its very event.
pub fn set_period<K: Book>(unit: &'static Threads<K>, pmu: &Pmu<'static, K::Driver>) {
    each_counter::<K>(pmu, |counter| {
        let mut thread = Followed::<K>::new(pmu, 1, K::request(counter).every(PERIOD));
        expect_periods(unit, pmu, &mut thread, PERIOD);
        thread.set_period(pmu, OTHER);
        let before = thread.count();
        thread.run(pmu, TURN);
        assert!(thread.count() >= before + TURN, "{counter}: it goes on");
        thread.restart();
        expect_periods(unit, pmu, &mut thread, OTHER);

        let mut context = thread.context;
        pmu.switch_in(&mut context).expect("nobody is in");
        context.set_period(pmu, 0, PERIOD).expect("it may be in meanwhile");
        pmu.switch_out(&mut context).expect("it is in");
        let mut thread = Followed::<K>::of(context);
        thread.restart();
        expect_periods(unit, pmu, &mut thread, PERIOD);
    });
}

/// From 0 on there is an overflow on each event that ends a period, and on no other.
fn expect_periods<K: Book>(
    unit: &'static Threads<K>,
    pmu: &Pmu<'static, K::Driver>,
    thread: &mut Followed<K>,
    period: u64,
) {
    for turns in [period - TURN, period, 2 * period, 5] {
        let before = thread.count() / period;
        let ((), accounts) = Accounts::around::<K, _>(unit, || thread.run(pmu, turns));
        assert_eq!(accounts, Accounts::kept(thread.count() / period - before), "{turns} of {period}");
    }
    assert!(thread.count() > 3 * period);
}
