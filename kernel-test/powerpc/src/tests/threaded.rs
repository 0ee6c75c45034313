//! A kernel whose threads are measured: at each tick one context is switched out and another one in, and
//! what the one has counted is compared with the host's book of its counters.
//!
//! Its threads run in a loop that says how many of its instructions have retired, for ever, unless the
//! test's [`Plan`] is another. The host knows nothing of threads: it keeps a book of each counter, whosever
//! it is. QEMU's own unit has no book.

use core::array;
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use harness::Chance;
use pmu::{Context, CounterId, Interrupted, Pmu, Request, Set};

use crate::guest::threads::{Beginning, Scheduler, Threads, Turn};
use crate::guest::unit::{Driver, Unit};
use crate::guest::{World, position, truth, world};
use crate::{by_width, low};

/// The most requests of a thread.
pub const REQUESTS: usize = 4;

/// How often a test of threads switches them; a step of 32 bits takes the host longer.
pub const SWITCHES: u64 = by_width!(600, 450);

/// Rounds that no thread ever completes.
const FOR_EVER: usize = usize::MAX;

/// In the loop that says how many of its instructions have retired.
pub fn in_loop() -> Beginning {
    Beginning::in_kernel(position::entry(), [0, 0, position::rounds_place()], FOR_EVER)
}

/// What a test does with its threads. To look at each that has left is a plan, too.
pub trait Plan {
    /// Where this one begins.
    fn beginning(&self, _number: usize) -> Beginning {
        in_loop()
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

    /// Its number.
    pub fn number(&self) -> usize {
        self.context.thread() as usize
    }

    /// What it has counted; it is out.
    pub fn counts(&self) -> [u64; REQUESTS] {
        self.context.counts().expect("it is bound and out").raw
    }

    /// What the host has booked of its counters so far; nothing where there is no book.
    fn book(&self) -> [u64; REQUESTS] {
        match world() {
            World::Host => self.counters.map(|counter| counter.map_or(0, truth::counted)),
            World::Native => [0; REQUESTS],
        }
    }

    fn come(&mut self) {
        let book = self.book();
        self.booked = array::from_fn(|request| self.booked[request].wrapping_sub(book[request]));
    }

    fn leave(&mut self, frame: &low::Frame) {
        self.own = position::of_thread(frame).unwrap_or(0);
        self.turns += 1;
        let book = self.book();
        self.booked = array::from_fn(|request| self.booked[request].wrapping_add(book[request]));
    }
}

/// Switches threads by chance, so many times.
pub struct Kernel<'k, const THREADS: usize> {
    pmu: &'k Pmu<'static, Driver>,
    pub threads: [Thread; THREADS],
    chance: Chance,
    switches_left: u64,
    plan: &'k mut dyn Plan,
}

impl<'k, const THREADS: usize> Kernel<'k, THREADS> {
    /// Nobody has run yet.
    pub fn new(pmu: &'k Pmu<'static, Driver>, threads: [Thread; THREADS], plan: &'k mut dyn Plan) -> Self {
        Self { pmu, threads, chance: Chance::new(1), switches_left: 0, plan }
    }

    /// Lets the threads take so many turns.
    pub fn run(&mut self, switches: u64) {
        self.switches_left = switches;
        let beginnings: [_; THREADS] = array::from_fn(|number| self.plan.beginning(number));
        Threads::new(self, |number| beginnings[number % THREADS]).run();
    }

    fn leave(&mut self, number: usize, frame: &low::Frame) {
        let thread = &mut self.threads[number];
        self.plan.leaves(self.pmu, thread);
        self.pmu.switch_out(&mut thread.context).expect("it is in");
        thread.leave(frame);
        self.plan.left(self.pmu, thread);
    }
}

impl<const THREADS: usize> Scheduler for Kernel<'_, THREADS> {
    fn switch(&mut self, left: Option<(usize, &low::Frame)>) -> Option<Turn> {
        if let Some((number, frame)) = left {
            self.leave(number, frame);
        }
        self.switches_left = self.switches_left.checked_sub(1)?;
        let number = self.chance.below(THREADS as u64) as usize;
        let ticks = 1 + self.chance.below(LONGEST_TURN) as usize;
        WHO.store(number as u32, Relaxed);
        let thread = &mut self.threads[number];
        thread.come();
        self.pmu.switch_in(&mut thread.context).expect("nobody else is in");
        self.plan.came(self.pmu, thread);
        Some(Turn { thread: number, ticks })
    }
}

/// The most instructions from the order of a tick to the tick: some come as soon as the thread runs.
const LONGEST_TURN: u64 = 600;

/// The thread that runs, to name it in samples: from before its counters start until they have
/// stopped, since an overflow may come in between.
static WHO: AtomicU32 = AtomicU32::new(0);

/// What an exception of the unit's does while threads run.
pub fn service<const SAMPLES: usize>(unit: &Unit<SAMPLES>, at: Interrupted) {
    let _ = unit.on_overflow(at.in_thread(WHO.load(Relaxed)));
}
