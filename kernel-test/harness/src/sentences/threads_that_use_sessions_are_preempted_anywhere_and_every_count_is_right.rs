//! Threads are preempted at random instants while they open, start, read, stop and close sessions, and so does the tick
//! that switches them; each thread has counters of its own, unless a session has them. Every count, a session's and a
//! thread's, is what the host has booked, and each period that has ended is accounted for.

use core::array;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use pmu::{CounterSet, Error};

use crate::accounts::{accounted, assert_all_free};
use crate::booked::Booked;
use crate::claim::sampling_threads;
use crate::threaded::{Plan, Preempting, REQUESTS, Schedule, Thread, requests};
use crate::{Chance, Claimed, Effort};

const THREADS: usize = 8;

/// The threads are to end, and so many have.
static IS_OVER: AtomicBool = AtomicBool::new(false);
static ENDED: AtomicUsize = AtomicUsize::new(0);
/// Sessions that threads have open: on half of the counters at the most, so that threads are counted, too.
static OPEN: AtomicUsize = AtomicUsize::new(0);
/// Sessions that threads have closed, and periods that have ended in them.
static SESSIONS: AtomicUsize = AtomicUsize::new(0);
static PERIODS: AtomicUsize = AtomicUsize::new(0);

/// Shows it.
pub fn test<K: Preempting>() {
    let pmu = sampling_threads::<K>();
    let counters = K::counters(&pmu.description());
    IS_OVER.store(false, Relaxed);
    [&ENDED, &OPEN, &SESSIONS, &PERIODS].iter().for_each(|word| word.store(0, Relaxed));
    let threads = [Seen::new(); THREADS];
    let mut plan = Tick::<K> { chance: Chance::new(2), session: None, periods: 0, sessions: 0, threads };
    let threads = array::from_fn(|number| Thread::new(&pmu, number, requests::<K>(counters, number, 2)));
    let mut schedule = Schedule::<K, THREADS>::new(&pmu, threads, &mut plan);
    schedule.run(switches::<K>());
    let of_threads = schedule.threads.each_ref().map(periods);
    plan.close();
    let periods = of_threads.iter().sum::<u64>() + plan.periods + PERIODS.load(Relaxed) as u64;
    // A thread that was switched in with few events left may be about to end a period that its count has ended.
    let sampled = of_threads.iter().filter(|periods| **periods > 0).count() as u64;
    assert!((periods - sampled..=periods).contains(&accounted(K::unit())), "{periods} periods");
    let may_be_foreign = K::reopens_line() || K::shares_line();
    assert!(K::unit().spurious().foreign == 0 || may_be_foreign, "{:?}", K::unit().spurious());
    let counted = plan.threads.iter().filter(|thread| thread.counted > 10).count();
    assert!(counted > 1, "{counted} threads were counted now and then");
    assert_all_free::<K>(&pmu);
}

/// There are more if threads and tick have had too few sessions by then.
fn switches<K: Preempting>() -> u64 {
    match Effort::chosen() {
        Effort::Whole if K::STEPS => 3 * K::switches(),
        Effort::Whole => K::switches().min(20_000),
        Effort::Every | Effort::Sample => (K::switches() / 20).max(200),
    }
}

/// A period that any counter may have.
const fn period<K: Preempting>() -> u64 {
    2 * K::PERIOD
}

/// How many of its periods have ended.
fn periods<K: Preempting>(thread: &Thread<K>) -> u64 {
    thread.context.requests()[0].sampling.map_or(0, |sampling| thread.counts()[0] / sampling.period)
}

/// What a thread does until it is over.
extern "C" fn use_sessions<K: Preempting>(number: usize) -> ! {
    let mut chance = Chance::new(number as u64);
    let pmu = K::unit().here().expect("it is claimed here");
    let most = K::counters(&pmu.description()).len() as usize / 2;
    while !IS_OVER.load(Relaxed) {
        let session = if OPEN.fetch_add(1, Relaxed) < most { open(&pmu, &mut chance) } else { None };
        if let Some(session) = session {
            PERIODS.fetch_add(use_session::<K>(session, &mut chance) as usize, Relaxed);
            SESSIONS.fetch_add(1, Relaxed);
        }
        OPEN.fetch_sub(1, Relaxed);
        K::exactly(K::FEWEST + chance.below(period::<K>()));
    }
    ENDED.fetch_add(1, Relaxed);
    loop {
        core::hint::spin_loop();
    }
}

/// Opens a session on a random counter, if nobody has it.
fn open<K: Preempting>(pmu: &Claimed<K>, chance: &mut Chance) -> Option<Booked<K>> {
    let counters: CounterSet = K::counters(&pmu.description());
    let counter = counters.into_iter().nth(chance.below(counters.len().into()) as usize)?;
    let request = match chance.below(4) {
        0 => K::sampled(K::request(counter), period::<K>()),
        1 if K::has_interrupts() => K::request(counter).once_after(period::<K>()),
        _ => K::request(counter),
    };
    match Booked::try_open(pmu, request) {
        Ok(session) => Some(session),
        Err(Error::Conflict(_) | Error::Changed) => None,
        Err(error) => panic!("{request:?}: {error}"),
    }
}

/// Starts it, reads it, stops it, once or twice, and closes it. Returns how many periods have ended.
fn use_session<K: Preempting>(mut session: Booked<K>, chance: &mut Chance) -> u64 {
    session.start();
    work(&session, chance);
    session.stop();
    let count = session.count();
    if session.ends_once() {
        return session.session().has_ended(0).into();
    }
    session.start();
    work(&session, chance);
    session.stop();
    assert!(session.count() > count, "it has gone on");
    session.count() / period::<K>() * u64::from(session.is_sampled())
}

/// Works for up to two periods, and reads the session meanwhile: the book's counts before and after enclose its count.
fn work<K: Preempting>(session: &Booked<K>, chance: &mut Chance) {
    K::exactly(K::FEWEST + chance.below(period::<K>()));
    let before = session.booked();
    let count = session.read();
    assert!(session.ends_once() || (before..=session.booked()).contains(&count), "{before}, {count}");
    K::exactly(K::FEWEST + chance.below(period::<K>()));
}

/// What the tick does beside switching threads.
struct Tick<K: Preempting> {
    chance: Chance,
    session: Option<Booked<K>>,
    periods: u64,
    sessions: u64,
    threads: [Seen; THREADS],
}

/// What a thread had when it was switched out last.
#[derive(Clone, Copy)]
struct Seen {
    booked: [u64; REQUESTS],
    counts: [u64; REQUESTS],
    enabled: u64,
    running: u64,
    /// Turns in which it had its counters.
    counted: u64,
}

impl Seen {
    const fn new() -> Self {
        Self { booked: [0; REQUESTS], counts: [0; REQUESTS], enabled: 0, running: 0, counted: 0 }
    }

    /// It has been counted in the whole of its last turn, or it has waited for its counters.
    fn check<K: Preempting>(&mut self, thread: &Thread<K>) {
        let counts = thread.context.counts().expect("it is bound and out");
        let (enabled, running) = (counts.enabled - self.enabled, counts.running - self.running);
        let grown: [u64; REQUESTS] = array::from_fn(|at| counts.raw[at] - self.counts[at]);
        let booked: [u64; REQUESTS] = array::from_fn(|at| thread.booked[at] - self.booked[at]);
        let expected = if running > 0 { booked } else { [0; REQUESTS] };
        assert!(running == 0 || running == enabled, "{running} of {enabled} ticks");
        assert_eq!(grown, expected, "thread {}, turn {}, {running} of {enabled} ticks", thread.number(), thread.turns);
        let counted = self.counted + u64::from(running > 0);
        *self = Self { booked: thread.booked, counts: counts.raw, enabled: counts.enabled, running: counts.running, counted };
    }
}

impl<K: Preempting> Plan<K> for Tick<K> {
    fn beginning(&self, number: usize) -> K::Frame {
        K::in_kernel(use_sessions::<K>, number)
    }

    /// Opens and starts a session, or goes on with the one that it has, or closes it.
    fn came(&mut self, pmu: &Claimed<K>, _: &Thread<K>) {
        match self.chance.below(8) {
            0 => self.close(),
            1 if self.session.is_none() => {
                self.session = open(pmu, &mut self.chance);
                self.session.iter_mut().for_each(Booked::start);
            }
            2 => {
                if let Some(session) = self.session.as_mut().filter(|session| !session.ends_once()) {
                    session.stop();
                    session.count();
                    session.start();
                }
            }
            _ => {}
        }
    }

    fn left(&mut self, _: &Claimed<K>, thread: &mut Thread<K>) {
        self.threads[thread.number()].check(thread);
    }

    /// Not before every thread may have had a session, and the tick some; fewer in a short run.
    fn may_end(&mut self) -> bool {
        let (threads, tick) = if Effort::chosen() == Effort::Whole { (THREADS, 10) } else { (THREADS / 2, 2) };
        if SESSIONS.load(Relaxed) > threads && self.sessions > tick {
            IS_OVER.store(true, Relaxed);
        }
        ENDED.load(Relaxed) == THREADS
    }
}

impl<K: Preempting> Tick<K> {
    fn close(&mut self) {
        let Some(mut session) = self.session.take() else { return };
        session.stop();
        let count = session.count();
        self.sessions += 1;
        self.periods += match session.ends_once() {
            true => session.session().has_ended(0).into(),
            false => count / period::<K>() * u64::from(session.is_sampled()),
        };
    }
}
