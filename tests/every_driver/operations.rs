//! Whatever is done in whatever order, what was counted is what a book of it says: counts, times, ends and samples.
//!
//! Time passes between operations only, so the book is exact. An overflow interrupt may be on its way when an operation
//! begins, and then comes before some register access of it; so may somebody else's.

mod book;
mod sessions;
mod threads;
mod turns;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use pmu::virt::{Device as _, Snapshot};
use pmu::{Error, Handled, Multiplex, Request, Threads};

use crate::support::chance::Chance;
use crate::{Bench, INSTRUCTIONS, Subject};
use sessions::Opened;
use threads::{State, Thread};
use turns::Turns;

/// The sequences of a whole run.
const SEEDS: u64 = 40;
const STEPS: u64 = 150;
/// The sessions that are open at once, at most.
const SESSIONS: usize = 3;
const THREADS: u64 = 3;

pub(crate) fn any_sequence_of_operations_counts_what_passed<S: Subject>() {
    for seed in S::facts().some(1..=SEEDS) {
        let mut kernel = Kernel::<S>::new(seed);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| kernel.live())) {
            println!("seed {seed}: {:#?}", kernel.log);
            resume_unwind(panic);
        }
    }
}

/// Whether a context is switched in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stay {
    Out,
    In,
    /// It is switched in, and waits for counters.
    Waits,
    /// It is switched in, and the unit does not know of it.
    Unknown,
    /// It is switched in, and its counters were taken from it.
    Lost,
}

/// A kernel that does something at random, and keeps books.
struct Kernel<S: Subject> {
    bench: Bench<S>,
    fresh: Snapshot,
    chance: Chance,
    yields: bool,
    sessions: Vec<Opened<S>>,
    threads: Vec<Thread<S>>,
    turns: Turns<S>,
    /// The periods that have ended, whoever's.
    ended: u64,
    /// The interrupts that were somebody else's.
    foreign: usize,
    not_mine: usize,
    log: Vec<String>,
}

impl<S: Subject> Kernel<S> {
    fn new(seed: u64) -> Self {
        let (mut chance, yields) = (Chance(seed), seed.is_multiple_of(4));
        let fresh = S::machine().device.snapshot();
        let bench = Bench::for_threads(if yields { Threads::Yield } else { Threads::Share });
        chance.below(1);
        let threads = (0..THREADS).map(|number| Thread::new(number as u32)).collect();
        let turns =
            Turns { groups: Multiplex::new(9), stay: Stay::Out, is_invalid: false, enabled: 0, before: [(0, 0); 2] };
        let (sessions, log) = (Vec::new(), Vec::new());
        Self { bench, fresh, chance, yields, sessions, threads, turns, ended: 0, foreign: 0, not_mine: 0, log }
    }

    fn live(&mut self) {
        self.bind_turns();
        for thread in 0..THREADS as usize {
            self.bind(thread);
        }
        for _ in 0..STEPS {
            self.step();
        }
        self.finish();
    }

    /// An operation, before or amid which an interrupt may come.
    fn step(&mut self) {
        let machine = self.bench.machine;
        machine.wire.held.set(self.chance.below(3) == 0);
        let time = self.time(2000);
        self.advance(time);
        if machine.wire.held.get() {
            machine.release_after(self.chance.below(40));
        }
        if self.chance.below(8) == 0 {
            machine.interrupt_after(self.chance.below(40));
            self.foreign += 1;
        }
        self.operate();
        self.deliver();
        self.check();
    }

    /// So many instructions at most. Of a unit that cannot wait for one event, a number that leaves no period so short.
    fn time(&mut self, most: u64) -> u64 {
        let unit = if S::facts().least > 1 { 64 } else { 1 };
        (1 + self.chance.below(most / unit)) * unit
    }

    fn note(&mut self, done: impl Into<String>) {
        self.log.push(done.into());
    }

    /// Instructions pass.
    fn advance(&mut self, time: u64) {
        self.note(format!("{time} pass, held: {}", self.bench.machine.wire.held.get()));
        for opened in self.sessions.iter_mut().filter(|opened| opened.is_running) {
            opened.enabled += time;
            self.ended += opened.book.run(time);
        }
        for thread in self.threads.iter_mut().filter(|thread| ![Stay::Out, Stay::Lost].contains(&thread.stay)) {
            thread.enabled += time;
            if thread.stay == Stay::In {
                thread.running += time;
                self.ended += thread.books.iter_mut().map(|book| book.run(time)).sum::<u64>();
            }
        }
        if [Stay::In, Stay::Unknown].contains(&self.turns.stay) {
            self.turns.enabled += time;
        }
        self.bench.machine.work(time);
    }

    /// Whatever interrupt is on its way comes now.
    fn deliver(&mut self) {
        self.bench.machine.wire.held.set(false);
        self.bench.machine.deliver();
        self.not_mine += self.bench.handled().iter().filter(|handled| **handled == Handled::NotMine).count();
        assert!(self.not_mine <= self.foreign, "an interrupt of the unit was not claimed");
    }

    fn check(&self) {
        self.check_sessions();
        self.threads.iter().for_each(|thread| thread.check(&self.bench));
    }

    /// Returns whether a context is in that the unit knows of.
    fn is_occupied(&self) -> bool {
        let known = |stay| matches!(stay, Stay::In | Stay::Waits);
        known(self.turns.stay) || self.threads.iter().any(|thread| known(thread.stay))
    }

    /// The context that is in loses its counters.
    fn lose_occupant(&mut self) {
        let stays = self.threads.iter_mut().map(|thread| &mut thread.stay).chain([&mut self.turns.stay]);
        stays.filter(|stay| matches!(stay, Stay::In | Stay::Waits)).for_each(|stay| *stay = Stay::Lost);
    }

    fn operate(&mut self) {
        let (thread, session) = (self.chance.below(THREADS) as usize, self.chance.below(SESSIONS as u64) as usize);
        match self.chance.below(24) {
            0..=2 => self.open(),
            3..=5 => self.start_or_stop(session),
            6 => self.reset(session),
            7 => self.close(session),
            8..=10 => self.switch_in(thread),
            11..=13 => self.switch_out(thread),
            14 => self.switch(thread),
            15 => self.change(thread),
            16 => self.place(thread),
            17 => self.sleep(),
            18 => self.give_up(),
            19 => self.lend(),
            20 => self.read_samples(),
            21 | 22 => self.rotate(),
            _ => self.switch_turns(),
        }
    }

    /// A request that counts, samples or ends.
    fn request(&mut self) -> Request {
        let period = 448 + self.time(2048);
        match self.chance.below(4) {
            0 => INSTRUCTIONS,
            1 => INSTRUCTIONS.begin_at(period << 30),
            2 => INSTRUCTIONS.every(period),
            _ => INSTRUCTIONS.once_after(period),
        }
    }

    /// The CPU sleeps, and its unit loses everything. Meanwhile a session may be closed, and a thread may come.
    fn sleep(&mut self) {
        self.note("sleep");
        let pmu = self.bench.pmu;
        if self.is_occupied() {
            return assert_eq!(pmu.suspend(), Err(Error::ThreadIn));
        }
        pmu.suspend().expect("nobody is in");
        self.bench.machine.device.restore(self.fresh.as_bytes()).expect("it was the unit's");
        self.check_sessions();
        self.bench.machine.work(777);
        if self.chance.below(4) == 0 {
            self.note("close the last session asleep");
            drop(self.sessions.pop());
        }
        if self.chance.below(4) == 0 && self.threads[0].stay == Stay::Out && self.threads[0].state == State::Bound {
            self.note("switch in 0 asleep");
            pmu.switch_in(&mut self.threads[0].context);
            self.threads[0].stay = Stay::Unknown;
        }
        self.bench.unit.resume().expect("it sleeps");
    }

    /// The unit is released, or given up whatever is open; and claimed again.
    fn give_up(&mut self) {
        self.deliver();
        let pmu = self.bench.pmu;
        if self.chance.below(4) > 0 {
            self.note("release");
            let in_use = self.is_occupied() || !self.sessions.is_empty();
            assert_eq!(pmu.release().is_err(), in_use);
            if in_use {
                return;
            }
        } else {
            self.note("revoke");
            pmu.revoke().expect("this is its CPU");
            self.lose_occupant();
            for opened in self.sessions.drain(..) {
                assert_eq!(opened.session.read(), Err(Error::Invalidated));
            }
        }
        self.advance(1024);
        self.bench.unit.reclaim().expect("it was given up");
    }

    fn lend(&mut self) {
        let pmu = self.bench.pmu;
        match self.chance.below(3) {
            0 => {
                self.note("evict");
                pmu.evict().expect("this is its CPU");
                self.lose_occupant();
            }
            1 => {
                self.note("lend");
                let has_counters = self.threads.iter().any(|thread| thread.stay == Stay::In);
                let lent = pmu.lend();
                // A group whose turn it is may wait.
                let is_known = self.turns.stay != Stay::In;
                assert!(!is_known || has_counters != (lent == Err(Error::ThreadWaits)), "{lent:?}");
            }
            _ => {
                self.note("take back");
                pmu.take_back().expect("this is its CPU");
            }
        }
    }

    fn read_samples(&mut self) {
        self.note("read samples");
        self.bench.samples();
    }

    /// When all has stopped, each period that has ended has left a sample or is said to be lost.
    fn finish(&mut self) {
        self.note("finish");
        if self.turns.stay != Stay::Out {
            self.switch_turns();
        }
        (0..THREADS as usize).for_each(|thread| self.switch_out(thread));
        self.sessions.iter_mut().for_each(|opened| opened.session.stop().expect("this is its CPU"));
        self.deliver();
        self.check();
        let statistics = self.bench.unit.sample_statistics();
        assert_eq!(statistics.received + statistics.lost.total(), self.ended);
        self.sessions.clear();
        assert_eq!(self.bench.pmu.release(), Ok(()));
    }
}
