//! A kernel whose threads are measured: at each tick one context is switched out and another one in, and what the one
//! has counted is compared with the host's book of its counters.
//!
//! Its threads run in a loop that says how many of its instructions have retired, for ever, unless the test's [`Plan`]
//! is another. The host knows nothing of threads: it keeps a book of each counter, whosever it is.

mod beside;
mod cost;

use core::array;

use pmu::{Context, CounterId, Request, Set};

pub use beside::Run;
pub use cost::{Cost, requests};

pub use crate::threads::Preempting;

use crate::Chance;
use crate::kernel::{Claimed, Kernel};
use crate::running;
use crate::threads::{Scheduler, Threads, Turn};

/// The most requests of a thread.
pub const REQUESTS: usize = 4;

/// The most instructions from the order of a tick to the tick: some come as soon as the thread runs.
const LONGEST_TURN: u64 = 600;

/// What a test does with its threads. To look at each that has left is a plan, too.
pub trait Plan<K: Preempting> {
    /// Where this one begins.
    fn beginning(&self, _number: usize) -> K::Frame {
        K::in_loop()
    }
    /// Another thread is next, on whichever CPU: goes on there, and returns its unit. `None` stays on this one.
    fn next_cpu(&mut self, _chance: &mut Chance) -> Option<Claimed<K>> {
        None
    }
    /// It has just been switched in.
    fn came(&mut self, _pmu: &Claimed<K>, _thread: &Thread<K>) {}
    /// It is about to be switched out.
    fn leaves(&mut self, _pmu: &Claimed<K>, _thread: &Thread<K>) {}
    /// It has left.
    fn left(&mut self, pmu: &Claimed<K>, thread: &mut Thread<K>);
    /// All turns were taken. Returns false if there are to be more.
    fn may_end(&mut self) -> bool {
        true
    }
}

impl<K: Preempting, F: FnMut(&mut Thread<K>)> Plan<K> for F {
    fn left(&mut self, _: &Claimed<K>, thread: &mut Thread<K>) {
        self(thread);
    }
}

/// A thread, and what is known of it beside what its context says.
pub struct Thread<K: Kernel> {
    /// What it counts with.
    pub context: Context<K::Driver, REQUESTS>,
    counters: [Option<CounterId>; REQUESTS],
    /// What its counters have counted while it was in, by the host's book.
    pub booked: [u64; REQUESTS],
    /// How many instructions of its loop have retired; 0 if it is in none.
    pub own: u64,
    /// How often it was on the processor.
    pub turns: u64,
    /// Interrupts that came in its last turn, where a switch [leaves](Kernel::LEAVES_INTERRUPTS) them.
    pub interrupts: u64,
}

impl<K: Preempting> Thread<K> {
    /// The thread with this number asks for these requests, each of which is pinned to a counter.
    pub fn new(pmu: &Claimed<K>, number: usize, set: Set<REQUESTS>) -> Self {
        let mut context = Context::new(number as u32);
        context.bind(pmu, set).expect("its counters can be together");
        let pinned = |request: &Request| request.counters.lowest().expect("it is pinned");
        let counters = array::from_fn(|request| set.requests().get(request).map(pinned));
        Self { context, counters, booked: [0; REQUESTS], own: 0, turns: 0, interrupts: 0 }
    }

    /// Its number.
    pub fn number(&self) -> usize {
        self.context.thread() as usize
    }

    /// What it has counted; it is out.
    pub fn counts(&self) -> [u64; REQUESTS] {
        self.context.counts().expect("it is bound and out").raw
    }

    fn come(&mut self) {
        let book = K::booked(&self.counters);
        self.booked = array::from_fn(|request| self.booked[request].wrapping_sub(book[request]));
        self.interrupts = interrupts::<K>();
    }

    fn leave(&mut self, frame: &K::Frame) {
        self.own = K::retired_by(frame).unwrap_or(0);
        self.turns += 1;
        let book = K::booked(&self.counters);
        self.booked = array::from_fn(|request| self.booked[request].wrapping_add(book[request]));
        self.interrupts = interrupts::<K>() - self.interrupts;
    }
}

/// How many interrupts came, where a switch may leave one to the next turn; elsewhere nobody asks, and there may be no host.
fn interrupts<K: Kernel>() -> u64 {
    if K::LEAVES_INTERRUPTS { K::interrupts() } else { 0 }
}

/// Switches threads by chance, so many times.
pub struct Schedule<'k, K: Preempting, const THREADS: usize> {
    pmu: Claimed<K>,
    /// All of them.
    pub threads: [Thread<K>; THREADS],
    chance: Chance,
    switches_left: u64,
    plan: &'k mut dyn Plan<K>,
}

impl<'k, K: Preempting, const THREADS: usize> Schedule<'k, K, THREADS> {
    /// Nobody has run yet.
    pub fn new(pmu: &'k Claimed<K>, threads: [Thread<K>; THREADS], plan: &'k mut dyn Plan<K>) -> Self {
        Self { pmu: *pmu, threads, chance: Chance::new(1), switches_left: 0, plan }
    }

    /// Lets the threads take so many turns, and more until the plan [may end](Plan::may_end).
    pub fn run(&mut self, switches: u64) {
        self.switches_left = switches;
        let beginnings: [K::Frame; THREADS] = array::from_fn(|number| self.plan.beginning(number));
        let mut threads = Threads::<K>::new(self);
        beginnings.into_iter().enumerate().for_each(|(number, beginning)| threads.begin(number, beginning));
        threads.run();
    }

    fn leave(&mut self, number: usize, frame: &K::Frame) {
        let thread = &mut self.threads[number];
        self.plan.leaves(&self.pmu, thread);
        self.pmu.switch_out(&mut thread.context);
        thread.leave(frame);
        self.plan.left(&self.pmu, thread);
    }

    /// Who goes on; nobody when all turns have been taken.
    fn turn(&mut self) -> Option<Turn> {
        self.switches_left = match self.switches_left {
            0 if self.plan.may_end() => return None,
            left => left.saturating_sub(1),
        };
        let number = self.chance.below(THREADS as u64) as usize;
        let instructions = 1 + self.chance.below(LONGEST_TURN);
        if let Some(pmu) = self.plan.next_cpu(&mut self.chance) {
            self.pmu = pmu;
        }
        running::is(number as u32);
        let thread = &mut self.threads[number];
        thread.come();
        self.pmu.switch_in(&mut thread.context);
        self.plan.came(&self.pmu, thread);
        Some(Turn { thread: number, instructions })
    }
}

impl<K: Preempting, const THREADS: usize> Scheduler<K::Frame> for Schedule<'_, K, THREADS> {
    fn switch(&mut self, left: Option<(usize, &K::Frame)>) -> Option<Turn> {
        if let Some((number, frame)) = left {
            self.leave(number, frame);
        }
        self.turn()
    }
}
