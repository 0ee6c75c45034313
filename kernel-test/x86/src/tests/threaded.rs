//! A kernel whose threads are measured: at each tick one context is switched out and another one
//! in, and what the one has counted is compared with the host's book of its counters.
//!
//! Its threads run in a loop that says how many of its instructions have retired, for ever, unless the test's
//! [`Plan`] is another. The host knows nothing of threads: it keeps a book of each counter, whosever it is.

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use core::{array, mem};

use harness::Chance;
use pmu::{Context, CounterId, Interrupted, Pmu, Request, Set};

use crate::guest::threads::{Beginning, Cause, Left, Scheduler, Threads, Turn};
use crate::guest::unit::{Driver, Unit};
use crate::guest::{position, truth};
use crate::identity;

/// The most requests of a thread.
pub const REQUESTS: usize = 4;

/// The processors on which threads are switched the most: of each vendor the one that users have.
const SWITCHED_MOST: [&str; 2] = ["skylake", "zen4"];

/// How often a test of threads switches them: `often` on those, `seldom` on the others.
pub fn switches(seldom: u64, often: u64) -> u64 {
    if SWITCHED_MOST.contains(&identity::presented().name) { often } else { seldom }
}

/// Rounds that no thread ever completes.
pub const FOR_EVER: u64 = u64::MAX;

/// What a test does with its threads. To look at each that has left is a plan, too.
pub trait Plan {
    /// Where this one begins.
    fn beginning(&self, _number: usize) -> Beginning {
        Beginning::in_kernel(position::entry(), FOR_EVER)
    }
    /// It has just been switched in.
    fn came(&mut self, _pmu: &Pmu<Driver>, _thread: &Thread) {}
    /// It is about to be switched out.
    fn leaves(&mut self, _pmu: &Pmu<Driver>, _thread: &Thread) {}
    /// It has left.
    fn left(&mut self, pmu: &Pmu<Driver>, thread: &mut Thread);
}

impl<F: FnMut(&mut Thread)> Plan for F {
    fn left(&mut self, _: &Pmu<Driver>, thread: &mut Thread) {
        self(thread);
    }
}

/// A thread, and what is known of it beside what its context says.
pub struct Thread {
    pub context: Context<Driver, REQUESTS>,
    counters: [Option<CounterId>; REQUESTS],
    /// What its counters have counted while it was in, by the host's book.
    pub booked: [u64; REQUESTS],
    /// How many instructions of its loop have retired; 0 if it is in none.
    pub own: u64,
    /// How often it was on the processor.
    pub turns: u64,
}

impl Thread {
    /// The thread with this number asks for these requests, each of which is pinned to a counter.
    pub fn new(pmu: &Pmu<Driver>, number: usize, set: Set<REQUESTS>) -> Self {
        let mut context = Context::new(number as u32);
        context.bind(pmu, set).expect("its counters can be together");
        let pinned = |request: &Request| request.counters.lowest().expect("it is pinned");
        let counters = array::from_fn(|request| set.requests().get(request).map(pinned));
        Self { context, counters, booked: [0; REQUESTS], own: 0, turns: 0 }
    }

    /// What it has counted; it is out.
    pub fn counts(&self) -> [u64; REQUESTS] {
        self.context.counts().expect("it is bound and out").raw
    }

    fn leave(&mut self, left: &Left, book: &mut Book) {
        assert_eq!(left.cause, Cause::Tick, "it runs for ever");
        self.own = position::of(left.frame).unwrap_or(0);
        self.turns += 1;
        let passed = book.passed();
        for (counter, booked) in self.counters.iter().zip(&mut self.booked) {
            *booked += counter.map_or(0, |counter| passed[usize::from(counter.number())]);
        }
    }
}

/// What the host had booked of each counter when this was asked last.
struct Book([u64; 64]);

impl Book {
    /// What each has counted since then.
    fn passed(&mut self) -> [u64; 64] {
        let before = mem::replace(&mut self.0, truth::book());
        array::from_fn(|counter| self.0[counter] - before[counter])
    }
}

/// Switches threads by chance, so many times.
pub struct Kernel<'k, const THREADS: usize> {
    pmu: &'k Pmu<'static, Driver>,
    pub threads: [Thread; THREADS],
    book: Book,
    chance: Chance,
    switches_left: u64,
    plan: &'k mut dyn Plan,
}

impl<'k, const THREADS: usize> Kernel<'k, THREADS> {
    /// Nobody has run yet.
    pub fn new(pmu: &'k Pmu<'static, Driver>, threads: [Thread; THREADS], plan: &'k mut dyn Plan) -> Self {
        Self { pmu, threads, book: Book(truth::book()), chance: Chance::new(1), switches_left: 0, plan }
    }

    /// Lets the threads take so many turns.
    pub fn run(&mut self, switches: u64) {
        self.switches_left = switches;
        let beginnings: [_; THREADS] = array::from_fn(|number| self.plan.beginning(number));
        let mut threads = Threads::new(self);
        beginnings.into_iter().enumerate().for_each(|(number, beginning)| threads.begin(number, beginning));
        threads.run();
    }

    fn leave(&mut self, left: &Left) {
        let thread = &mut self.threads[left.thread];
        self.plan.leaves(self.pmu, thread);
        self.pmu.switch_out(&mut thread.context).expect("it is in");
        thread.leave(left, &mut self.book);
        self.plan.left(self.pmu, thread);
    }
}

impl<const THREADS: usize> Scheduler for Kernel<'_, THREADS> {
    fn switch(&mut self, left: Option<Left>) -> Option<Turn> {
        if let Some(left) = left {
            self.leave(&left);
        }
        self.switches_left = self.switches_left.checked_sub(1)?;
        let thread = self.chance.below(THREADS as u64) as usize;
        let instructions = 1 + self.chance.below(LONGEST_TURN);
        WHO.store(thread as u32, Relaxed);
        self.pmu.switch_in(&mut self.threads[thread].context).expect("nobody else is in");
        self.plan.came(self.pmu, &self.threads[thread]);
        Some(Turn { thread, instructions })
    }
}

/// The most instructions from the order of a tick to the tick: some come as soon as the thread runs.
const LONGEST_TURN: u64 = 600;

/// The thread that runs, to name it in samples: from before its counters start until they have
/// stopped, since an overflow may come in between.
static WHO: AtomicU32 = AtomicU32::new(0);

/// What an NMI does while threads run.
pub fn service<const SAMPLES: usize>(unit: &Unit<SAMPLES>, at: Interrupted) {
    let _ = unit.on_overflow(at.in_thread(WHO.load(Relaxed)));
}
