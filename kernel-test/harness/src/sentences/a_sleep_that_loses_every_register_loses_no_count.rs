//! A CPU sleeps, and its unit loses every register, its line and its clock meanwhile: sessions and threads count on
//! afterwards from where they were, their periods too, and what is lent to programs is withdrawn. The registers hold
//! what they held before the claim while it sleeps.

use pmu::{CounterId, CpuId, Error, UserPage};

use crate::accounts::{accounted, assert_all_free};
use crate::booked::Booked;
use crate::claim::{claim_again, sampling_threads};
use crate::follow::Followed;
use crate::kernel::{Claimed, Kernel};
use crate::place;

/// Instructions of a turn, beside those of a switch.
const TURN: u64 = 500;
/// Instructions that the CPU sleeps for, and more than it takes to wake it and to read a session.
const SLEEP: u64 = 20_000;
const AWAKE: u64 = 12_000;

/// Shows it.
pub fn test<K: Kernel>() {
    let pmu = sampling_threads::<K>();
    assert_eq!(K::unit().resume().err(), Some(Error::AlreadyClaimed { owner: CpuId(0) }));
    pmu.release().expect("nothing is open");
    assert_eq!(K::unit().resume().err(), Some(Error::NotClaimed));
    let pmu = claim_again::<K>();
    for counter in K::punctual(&pmu.description()) {
        let mut life = Life::<K>::begin(pmu, counter);
        while life.sleeps_once_more() {}
        life.end();
    }
    what_is_lent_is_withdrawn::<K>(&pmu);
    if K::has_book() && K::has_interrupts() {
        (1..8).for_each(|held| an_interrupt_on_its_way_is_claimed::<K>(&pmu, held * K::PERIOD));
    }
    assert_all_free::<K>(&pmu);
}

/// A session that samples, one that is stopped, a thread, and another thread that waits for the first session's counter.
struct Life<K: Kernel> {
    pmu: Claimed<K>,
    sampling: Booked<K>,
    stopped: Option<Booked<K>>,
    thread: Followed<K>,
    waiting: Followed<K>,
    accounted: u64,
    sleeps: usize,
    /// What the registers held when the unit was woken last.
    held: Option<u64>,
}

impl<K: Kernel> Life<K> {
    fn begin(pmu: Claimed<K>, counter: CounterId) -> Self {
        let unit = pmu.description();
        let others = K::counters(&unit).without(counter.only());
        let threads = others.lowest().expect("there are two counters");
        let is_punctual = K::punctual(&unit).contains(threads);
        let request = K::request(threads);
        let request = if is_punctual { K::sampled(request, K::PERIOD) } else { request };
        let stopped = others.without(threads.only()).highest().map(|third| {
            let mut session = Booked::open(&pmu, K::request(third));
            session.around(|| K::exactly(TURN));
            session
        });
        let accounted = accounted(K::unit());
        let [thread, waiting] = [request, K::request(counter)];
        let [thread, waiting] = [Followed::new(&pmu, 1, thread), Followed::new(&pmu, 2, waiting)];
        let mut sampling = Booked::open(&pmu, K::sampled(K::request(counter), K::PERIOD));
        sampling.start();
        Self { pmu, sampling, stopped, thread, waiting, accounted, sleeps: 0, held: None }
    }

    /// Works and sleeps. Returns false if the registers hold nothing new this time: all that there is was tried.
    fn sleeps_once_more(&mut self) -> bool {
        let pmu = &self.pmu;
        K::exactly(K::PERIOD * 2 / 3);
        for thread in [&mut self.thread, &mut self.waiting] {
            thread.run_with(pmu, || {
                K::exactly(TURN);
                assert_eq!(pmu.suspend(), Err(Error::ThreadIn));
            });
        }
        self.thread.count();
        assert_eq!(pmu.suspend(), Ok(()));
        assert!(self.held.is_none_or(|held| held == K::registers()), "sleep {}", self.sleeps);
        let is_new = K::leave_something(&pmu.description(), self.sleeps);
        self.held = Some(K::registers());
        self.sleeps += 1;
        let enabled = self.sampling.counts().enabled;
        self.check_asleep();
        K::reset_clock();
        K::exactly(SLEEP);
        K::unit().resume().expect("it sleeps");
        assert_eq!(K::unit().resume().err(), Some(Error::AlreadyClaimed { owner: CpuId(0) }));
        let passed = self.sampling.counts().enabled - enabled;
        assert!(passed < AWAKE || !K::CLOCK_IS_EXACT, "{passed} ticks of the sleep are counted");
        is_new
    }

    /// Counts can be read. Everything else is refused, and changes nothing.
    fn check_asleep(&mut self) {
        let (pmu, unit, asleep) = (&self.pmu, K::unit(), Err(Error::Suspended));
        self.sampling.count();
        self.thread.count();
        let counts = self.waiting.context.counts().expect("it is bound and out");
        assert_eq!((counts.raw, counts.running), ([0], 0), "it has waited for its counter");
        assert_eq!([pmu.suspend(), pmu.release(), pmu.revoke()], [asleep; 3]);
        assert_eq!([pmu.evict(), pmu.lend(), pmu.take_back()], [asleep; 3]);
        let request = K::request(K::few(&pmu.description()).lowest().expect("there are counters"));
        assert_eq!([pmu.open([request]).err(), unit.here().err()], [Some(Error::Suspended); 2]);
        assert_eq!(unit.reclaim().err(), Some(Error::AlreadyClaimed { owner: CpuId(0) }));
        assert_eq!(self.sampling.session().stop(), asleep);
        if let Some(stopped) = &mut self.stopped {
            stopped.count();
            assert_eq!(stopped.session().start(), asleep);
        }
        place::seem_to_be_on(Some(CpuId(1)));
        assert!(matches!(unit.resume(), Err(Error::WrongCpu { .. })), "another CPU cannot wake it");
        place::seem_to_be_on(None);
    }

    /// Ends both, with a sample of each period. A session that is dropped while its unit sleeps is freed.
    fn end(mut self) {
        assert_eq!(self.pmu.suspend(), Ok(()));
        drop(self.stopped.take());
        K::unit().resume().expect("it sleeps");
        self.sampling.stop();
        let count = self.sampling.count();
        let is_sampled = self.thread.context.requests()[0].sampling.is_some();
        let thread = if is_sampled { self.thread.count() / K::PERIOD } else { 0 };
        assert!(count > K::PERIOD, "its period has ended");
        assert_eq!(accounted(K::unit()) - self.accounted, K::periods(count, K::PERIOD) + thread);
    }
}

/// What a program was lent it is not lent while the unit sleeps, nor afterwards: its page has its count all the same.
fn what_is_lent_is_withdrawn<K: Kernel>(pmu: &Claimed<K>) {
    let Some(read) = K::read_as_program() else { return };
    let counter = K::few(&pmu.description()).lowest().expect("there are counters");
    let (page, mut thread) = (UserPage::<1>::new(), Followed::<K>::new(pmu, 1, K::request(counter)));
    let mut held = None;
    for variant in 0..2 {
        thread.come(pmu);
        pmu.lend().expect("no session is open");
        pmu.publish(&thread.context, &page).expect("it is in");
        K::exactly(TURN);
        let bounds = thread.booked_so_far();
        let count = page.read(0, read).expect("it is published");
        assert!((bounds..=thread.booked_so_far()).contains(&count) || !K::has_book(), "{count} instead of {bounds}");
        thread.leave(pmu);
        pmu.publish(&thread.context, &page).expect("it is bound");
        assert_eq!(pmu.suspend(), Ok(()));
        assert!(held.is_none_or(|held| held == K::registers()), "something is lent");
        K::leave_something(&pmu.description(), variant);
        held = Some(K::registers());
        assert_eq!(page.read(0, |_| unreachable!("it has no counter")), Some(thread.count()));
        K::unit().resume().expect("it sleeps");
    }
}

/// An interrupt is held back, so that it comes while the unit sleeps, or when it has been woken. There is no other.
fn an_interrupt_on_its_way_is_claimed<K: Kernel>(pmu: &Claimed<K>, held: u64) {
    let counter = K::few(&pmu.description()).lowest().expect("there are counters");
    let (before, spurious) = (accounted(K::unit()), K::unit().spurious());
    let mut session = Booked::<K>::open(pmu, K::request(counter).once_after(K::PERIOD));
    session.start();
    K::hold_interrupts(held);
    K::exactly(K::PERIOD * 3 / 2);
    assert_eq!(pmu.suspend(), Ok(()));
    session.count();
    K::exactly(2 * K::PERIOD);
    K::unit().resume().expect("it sleeps");
    K::exactly(6 * K::PERIOD);
    session.stop();
    assert_eq!((session.count(), accounted(K::unit()) - before), (K::PERIOD, 1), "held for {held}");
    assert_eq!(K::unit().spurious().foreign, spurious.foreign, "held for {held}");
}
