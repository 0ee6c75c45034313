//! A kernel whose threads are measured on whichever CPU they run: at each tick a CPU switches one context out, and
//! another in that may have been elsewhere before.
//!
//! Threads that do not run wait in one queue for all CPUs. What is asked of each when it leaves is the test's.

use core::sync::atomic::{
    AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use harness::Chance;
use pmu::{Context, Interrupted, Pmu, Set};
use spin::mutex::Mutex;

use crate::boot::CPUS;
use crate::cpus;
use crate::guest::baton::Baton;
use crate::guest::threads::{self, Scheduler, State, Turn};
use crate::guest::unit::{self, Driver};
use crate::system::{Yield, cpu};

/// The most requests of a thread.
pub const REQUESTS: usize = 4;

/// A thread, and what is known of it beside what its context says.
pub struct Thread {
    pub number: usize,
    pub context: Context<Driver, REQUESTS>,
    pub state: State,
    /// How often it was on each CPU.
    pub turns: [u64; CPUS],
}

impl Thread {
    /// What it has counted; it is out.
    pub fn counts(&self) -> [u64; REQUESTS] {
        self.context.counts().expect("it is bound and out").raw
    }
}

/// What a test does with the threads.
pub trait Plan: Sync {
    /// What this thread asks for.
    fn requests(&self, pmu: &Pmu<Driver>, number: usize) -> Set<REQUESTS>;
    /// Where it begins.
    fn beginning(&self, number: usize) -> State;
    /// The longest time from the order of a tick to the tick, by the clock of all CPUs: some come as soon as the
    /// thread runs.
    fn longest_turn(&self) -> u64;
    /// Which CPU is next, of all that could be; only that one runs until it has switched. `None` if all run at once.
    fn next_cpu(&self, chance: &mut Chance) -> Option<usize>;
    /// It has just come to a CPU.
    fn came(&self, _pmu: &Pmu<Driver>, _thread: &Thread) {}
    /// It is about to leave a CPU.
    fn leaves(&self, _pmu: &Pmu<Driver>, _thread: &Thread) {}
    /// It has left.
    fn left(&self, pmu: &Pmu<Driver>, thread: &Thread);
}

/// The threads that wait, and what chance will say of them.
struct Waiting {
    numbers: [usize; threads::MOST],
    length: usize,
    chance: Chance,
}

impl Waiting {
    fn take(&mut self) -> usize {
        let place = self.chance.below(self.length as u64) as usize;
        self.length -= 1;
        self.numbers.swap(place, self.length);
        self.numbers[self.length]
    }

    fn add(&mut self, number: usize) {
        self.numbers[self.length] = number;
        self.length += 1;
    }
}

/// Switches threads by chance on all CPUs, so many times in all.
pub struct Kernel {
    plan: &'static dyn Plan,
    units: [pmu::Unit<Driver, 256>; CPUS],
    threads: [Mutex<Option<Thread>, Yield>; threads::MOST],
    /// Who is on each CPU.
    here: [AtomicUsize; CPUS],
    waiting: Mutex<Waiting, Yield>,
    switches_left: AtomicU64,
    baton: Baton,
}

impl Kernel {
    /// Nobody has run yet.
    pub const fn new(plan: &'static dyn Plan) -> Self {
        Self {
            plan,
            units: [const { pmu::Unit::new() }; CPUS],
            threads: [const { Mutex::new(None) }; threads::MOST],
            here: [const { AtomicUsize::new(0) }; CPUS],
            waiting: Mutex::new(Waiting { numbers: [0; threads::MOST], length: 0, chance: Chance::new(1) }),
            switches_left: AtomicU64::new(0),
            baton: Baton::new(),
        }
    }

    /// Lets the threads take so many turns, on all CPUs: each runs `body`, which is to call [`Kernel::run_here`].
    pub fn run(&'static self, switches: u64, body: fn()) {
        let pmu = self.claim();
        for (number, place) in self.threads.iter().enumerate() {
            *place.lock() = Some(self.thread(&pmu, number));
            self.waiting.lock().add(number);
        }
        pmu.release().expect("nothing is open");
        self.switches_left.store(switches, Relaxed);
        cpus::run(CPUS, body);
    }

    fn thread(&self, pmu: &Pmu<Driver>, number: usize) -> Thread {
        let mut context = Context::new(number as u32);
        context.bind(pmu, self.plan.requests(pmu, number)).expect("its counters can be together");
        Thread { number, context, state: self.plan.beginning(number), turns: [0; CPUS] }
    }

    /// Runs threads on this CPU.
    pub fn run_here(&'static self) {
        let pmu = self.claim();
        threads::run(self);
        pmu.release().expect("nothing is open");
    }

    fn claim(&'static self) -> Pmu<'static, Driver> {
        let (unit, driver) = (&self.units[cpu()], unit::detect().expect("it has a unit"));
        unit.claim(driver).or_else(|_| unit.reclaim()).expect("it is new, or was released")
    }

    /// The unit of this CPU.
    pub fn unit(&self) -> &pmu::Unit<Driver, 256> {
        &self.units[cpu()]
    }

    /// A thread that no CPU is switching.
    pub fn with<T>(&self, number: usize, passage: impl FnOnce(&mut Thread) -> T) -> T {
        passage(self.threads[number].lock().as_mut().expect("there are as many"))
    }

    /// What the overflow interrupt does while threads run.
    pub fn service(&self, at: Interrupted) {
        let number = self.here[cpu()].load(Relaxed);
        if self.unit().on_overflow(at.in_thread(number as u32)).is_mine() {
            let pmu = self.unit().here().expect("it was claimed here");
            self.with(number, |thread| self.plan.came(&pmu, thread));
        }
    }

    fn leave(&self, pmu: &Pmu<Driver>, state: &State) {
        let number = self.here[cpu()].load(Relaxed);
        self.with(number, |thread| {
            self.plan.leaves(pmu, thread);
            pmu.switch_out(&mut thread.context);
            thread.state = *state;
            thread.turns[cpu()] += 1;
            self.plan.left(pmu, thread);
        });
        self.waiting.lock().add(number);
    }

    fn enter(&self, pmu: &Pmu<Driver>) -> Turn {
        let mut waiting = self.waiting.lock();
        let (number, ticks) = (waiting.take(), waiting.chance.below(self.plan.longest_turn()));
        drop(waiting);
        self.here[cpu()].store(number, Relaxed);
        self.with(number, |thread| {
            pmu.switch_in(&mut thread.context);
            self.plan.came(pmu, thread);
            Turn { state: thread.state, ticks }
        })
    }

    /// Is it this CPU's turn, and is there one left?
    fn may_go_on(&self, is_first: bool) -> bool {
        let next = self.plan.next_cpu(&mut self.waiting.lock().chance);
        if let Some(next) = next.filter(|_| !is_first) {
            self.baton.give(next);
        }
        if next.is_some() && !self.baton.wait() {
            return false;
        }
        let has_turns = self.switches_left.fetch_update(Release, Acquire, |left| left.checked_sub(1)).is_ok();
        if !has_turns {
            self.baton.end();
        }
        has_turns
    }
}

impl Scheduler for Kernel {
    fn switch(&self, left: Option<&State>) -> Option<Turn> {
        let pmu = self.unit().here().expect("it was claimed here");
        if let Some(state) = left {
            self.leave(&pmu, state);
        }
        self.may_go_on(left.is_none()).then(|| self.enter(&pmu))
    }
}
