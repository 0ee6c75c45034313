//! Whatever is done in whatever order, what was counted is what a book of it says: counts, times, ends and samples.
//!
//! Time passes between operations only, so the book is exact. An overflow interrupt may be on its way when an operation
//! begins, and then comes before some register access of it; so may somebody else's.

mod book;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use pmu::virt::Device as _;
use pmu::{Context, Counts, Error, Event, Handled, Multiplex, Request, Session, Threads};

use crate::comebacks::Chance;
use crate::{Bench, HERE, Subject};
use book::Book;

const INSTRUCTIONS: Request = Request::new(Event::INSTRUCTIONS);
/// The sequences of a run; PMU_SEEDS is another number of them.
const SEEDS: u64 = 40;
const STEPS: u64 = 150;
/// The sessions that are open at once, at most.
const SESSIONS: usize = 3;
const THREADS: u64 = 3;

pub(crate) fn any_sequence_of_operations_counts_what_passed<S: Subject>() {
    let seeds = std::env::var("PMU_SEEDS").map_or(SEEDS, |seeds| seeds.parse().expect("it is a number"));
    for seed in 1..=seeds {
        let mut kernel = Kernel::<S>::new(seed);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| kernel.live())) {
            println!("seed {seed}: {:#?}", kernel.log);
            resume_unwind(panic);
        }
    }
}

/// A session, and what it should have counted.
struct Opened<S: Subject> {
    session: Session<'static, S::Driver, 1>,
    book: Book,
    is_running: bool,
    enabled: u64,
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Bound,
    Disabled,
    Frozen,
    Invalid,
}

/// A thread, and what it should have counted.
struct Thread<S: Subject> {
    context: Context<S::Driver, 2>,
    books: Vec<Book>,
    stay: Stay,
    state: State,
    enabled: u64,
    running: u64,
}

/// Groups that take turns, and what they should say.
struct Turns<S: Subject> {
    groups: Multiplex<S::Driver, 2, 1>,
    stay: Stay,
    enabled: u64,
    /// What was counted of each group, and for how long.
    before: [(u64, u64); 2],
}

/// A kernel that does something at random, and keeps books.
struct Kernel<S: Subject> {
    bench: Bench<S>,
    fresh: <S::Device as pmu::virt::Device>::State,
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

impl<S: Subject> Thread<S> {
    fn new(number: u32) -> Self {
        let context = Context::new(number);
        Self { context, books: Vec::new(), stay: Stay::Out, state: State::Invalid, enabled: 0, running: 0 }
    }

    fn bind(&mut self, bench: &Bench<S>, requests: &[Request]) {
        self.context.unbind().expect("it is out");
        match *requests {
            [first, second] => self.context.bind(bench.pmu, [first, second]),
            _ => self.context.bind(bench.pmu, [requests[0]]),
        }
        .expect("the unit counts instructions");
        self.books = requests.iter().map(Book::new).collect();
        (self.state, self.enabled, self.running) = (State::Bound, 0, 0);
    }

    fn check(&self, bench: &Bench<S>) {
        let counts = bench.pmu.thread_counts(&self.context);
        if self.stay == Stay::Lost || self.state == State::Invalid {
            assert_eq!(counts.err(), Some(Error::Invalidated));
            return;
        }
        let mut raw = [0; 2];
        raw.iter_mut().zip(&self.books).for_each(|(count, book)| *count = book.count);
        let (enabled, running) = (self.enabled, self.running);
        assert_eq!(counts, Ok(Counts { raw, enabled, running }), "thread {}, {:?}", self.context.thread(), self.stay);
        assert_eq!(self.context.is_frozen(), self.state == State::Frozen);
    }
}

impl<S: Subject> Kernel<S> {
    fn new(seed: u64) -> Self {
        let (mut chance, yields) = (Chance(seed), seed.is_multiple_of(4));
        let fresh = S::machine().device.state();
        let bench = Bench::for_threads(if yields { Threads::Yield } else { Threads::Share });
        chance.below(1);
        let threads = (0..THREADS).map(|number| Thread::new(number as u32)).collect();
        let turns = Turns { groups: Multiplex::new(9), stay: Stay::Out, enabled: 0, before: [(0, 0); 2] };
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
        let unit = if S::LEAST > 1 { 64 } else { 1 };
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

    fn check_sessions(&self) {
        for opened in &self.sessions {
            let counts = Counts { raw: [opened.book.count], enabled: opened.enabled, running: opened.enabled };
            assert_eq!(opened.session.counts(), Ok(counts), "session {:?}", opened.session.id());
            assert_eq!(opened.session.has_ended(0), opened.book.has_ended);
        }
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

    fn open(&mut self) {
        if self.sessions.len() == SESSIONS {
            return;
        }
        let request = self.request();
        self.note(format!("open {:?}", request.sampling));
        let opened = self.bench.pmu.open([request]);
        if self.yields {
            self.lose_occupant();
        }
        match opened {
            Ok(session) => {
                self.sessions.push(Opened { session, book: Book::new(&request), is_running: false, enabled: 0 });
            }
            Err(error) => {
                assert!(matches!(error, Error::Conflict(_)), "{error}");
                assert!(!self.sessions.is_empty() || self.is_occupied(), "all counters were free");
            }
        }
    }

    fn start_or_stop(&mut self, session: usize) {
        if self.sessions.get(session).is_some_and(|opened| opened.book.has_ended) {
            // Or else it would depend on when the interrupt comes whether the period begins anew.
            self.deliver();
        }
        let starts = self.chance.below(2) == 0;
        self.note(format!("session {session}: start {starts}"));
        let Some(opened) = self.sessions.get_mut(session) else { return };
        if starts {
            opened.session.start().expect("this is its CPU");
            opened.book.revive();
        } else {
            opened.session.stop().expect("this is its CPU");
        }
        opened.is_running = starts;
    }

    fn reset(&mut self, session: usize) {
        self.note(format!("reset session {session}"));
        let Some(opened) = self.sessions.get_mut(session) else { return };
        opened.session.reset().expect("this is its CPU");
        opened.book.begin();
        opened.enabled = 0;
    }

    /// Closes a session, here or on another CPU, where it is home that frees it.
    fn close(&mut self, session: usize) {
        if session >= self.sessions.len() {
            return;
        }
        let elsewhere = self.chance.below(2) == 0;
        self.note(format!("close session {session}, elsewhere: {elsewhere}"));
        HERE.set(elsewhere.into());
        drop(self.sessions.remove(session));
        HERE.set(0);
        if elsewhere {
            let _ = self.bench.pmu.lend();
        }
    }

    fn switch_in(&mut self, thread: usize) {
        self.note(format!("switch in {thread}"));
        let thread_is = &mut self.threads[thread];
        self.bench.pmu.switch_in(&mut thread_is.context);
        self.note_in(thread);
    }

    /// The thread was switched in.
    fn note_in(&mut self, thread: usize) {
        let (occupied, yields) = (self.is_occupied(), self.yields && !self.sessions.is_empty());
        let is_alone = self.sessions.is_empty();
        let thread = &mut self.threads[thread];
        if thread.stay != Stay::Out || thread.state != State::Bound {
            return;
        }
        match (occupied, yields) {
            (true, _) => thread.stay = Stay::Unknown,
            (false, true) => thread.state = State::Invalid,
            (false, false) if thread.context.is_waiting() => thread.stay = Stay::Waits,
            (false, false) => thread.stay = Stay::In,
        }
        assert_eq!(thread.context.is_waiting(), matches!(thread.stay, Stay::Waits | Stay::Unknown));
        assert!(thread.stay != Stay::Waits || !is_alone, "all counters were free");
    }

    fn switch_out(&mut self, thread: usize) {
        self.note(format!("switch out {thread}"));
        let thread = &mut self.threads[thread];
        self.bench.pmu.switch_out(&mut thread.context);
        thread.note_out();
    }

    /// Switches from whichever thread is in to this one.
    fn switch(&mut self, to: usize) {
        let Some(from) = self.threads.iter().position(|thread| thread.stay != Stay::Out) else { return };
        let Ok([leaving, coming]) = self.threads.get_disjoint_mut([from, to]) else { return };
        self.bench.pmu.switch(&mut leaving.context, &mut coming.context);
        leaving.note_out();
        self.note(format!("switch {from} to {to}"));
        self.note_in(to);
    }

    /// Binds the thread anew, to one request or two; two do not end.
    fn bind(&mut self, thread: usize) {
        let first = self.request();
        let second = self.chance.below(2) == 0 && !Book::new(&first).is_once();
        let requests = [first, INSTRUCTIONS];
        let requests = &requests[..1 + usize::from(second)];
        self.note(format!("bind {thread} to {} of {:?}", requests.len(), first.sampling));
        self.threads[thread].bind(&self.bench, requests);
    }

    /// Changes what a thread that is out does.
    fn change(&mut self, number: usize) {
        let (choice, period) = (self.chance.below(5), 448 + self.time(2048));
        if self.threads[number].stay != Stay::Out {
            return;
        }
        if self.threads[number].state == State::Invalid || choice == 0 {
            return self.bind(number);
        }
        self.note(format!("change {number}: {choice}, {period}"));
        let (thread, pmu) = (&mut self.threads[number], self.bench.pmu);
        match choice {
            1 => {
                thread.context.restart().expect("it is out");
                thread.books.iter_mut().for_each(Book::begin);
                thread.thaw();
            }
            2 => {
                thread.context.resume().expect("it is out");
                thread.books.iter_mut().for_each(Book::revive);
                thread.thaw();
            }
            3 if thread.state == State::Disabled => {
                thread.context.enable().expect("it is disabled");
                thread.state = State::Bound;
            }
            3 if thread.state == State::Bound => {
                thread.context.disable().expect("it is out");
                thread.state = State::Disabled;
            }
            3 => assert_eq!(thread.context.disable(), Err(Error::Stopped)),
            _ => {
                let changed = thread.context.set_period(pmu, 0, period);
                assert_eq!(changed.is_ok(), thread.books[0].change_period(period));
            }
        }
    }

    fn place(&mut self, number: usize) {
        self.note(format!("place {number}"));
        let (occupied, yields) = (self.is_occupied(), self.yields && !self.sessions.is_empty());
        let thread = &mut self.threads[number];
        if thread.stay == Stay::Lost || thread.state == State::Invalid {
            return;
        }
        match thread.context.place(self.bench.pmu) {
            Ok(()) if matches!(thread.stay, Stay::Waits | Stay::Unknown) => {
                thread.stay = if thread.context.is_waiting() { Stay::Waits } else { Stay::In };
                if yields {
                    (thread.stay, thread.state) = (Stay::Out, State::Invalid);
                }
            }
            Ok(()) => {}
            Err(Error::ThreadIn) => assert!(occupied && thread.stay != Stay::In),
            Err(error) => assert!(matches!(error, Error::Conflict(_)) && !self.sessions.is_empty(), "{error}"),
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
        self.bench.machine.device.set_state(&self.fresh).expect("it was the unit's");
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
                let waits = self.threads.iter().any(|thread| thread.stay == Stay::Waits);
                let lent = pmu.lend();
                assert!(self.turns.stay == Stay::In || waits == (lent == Err(Error::ThreadWaits)), "{lent:?}");
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

    fn bind_turns(&mut self) {
        self.turns.groups.unbind().expect("they are out");
        self.turns.groups.bind(self.bench.pmu, [[INSTRUCTIONS]; 2]).expect("the unit counts instructions");
        (self.turns.enabled, self.turns.before) = (0, [(0, 0); 2]);
    }

    fn switch_turns(&mut self) {
        self.note(format!("switch turns, {:?}", self.turns.stay));
        if self.turns.stay == Stay::Out {
            self.turns.groups.switch_in(self.bench.pmu);
            self.note_turn();
        } else {
            self.turns.groups.switch_out(self.bench.pmu);
            self.note_turns_end();
        }
    }

    fn rotate(&mut self) {
        self.note("rotate");
        if self.turns.stay == Stay::Out {
            return;
        }
        if self.turns.stay == Stay::Lost {
            return self.switch_turns();
        }
        self.turns.groups.rotate(self.bench.pmu);
        self.note_turns_end();
        self.note_turn();
    }

    /// The turn of a group has begun.
    fn note_turn(&mut self) {
        if self.is_occupied() {
            self.turns.stay = Stay::Unknown;
        } else if self.yields && !self.sessions.is_empty() {
            self.bind_turns();
        } else {
            self.turns.stay = Stay::In;
        }
    }

    /// The turn of a group has ended. What was counted in it is as long as it was counted: an instruction a tick.
    fn note_turns_end(&mut self) {
        let was_lost = self.turns.stay == Stay::Lost;
        self.turns.stay = Stay::Out;
        if was_lost {
            return self.bind_turns();
        }
        let is_out = |group: &usize| self.turns.groups.counts(*group) != Err(Error::ThreadIn);
        for group in [0, 1].into_iter().filter(is_out) {
            let Ok(counts) = self.turns.groups.counts(group) else {
                assert!(self.yields);
                continue;
            };
            let before = &mut self.turns.before[group];
            assert_eq!(counts.raw[0] - before.0, counts.running - before.1, "group {group}");
            assert_eq!(counts.enabled, self.turns.enabled);
            *before = (counts.raw[0], counts.running);
        }
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

impl<S: Subject> Thread<S> {
    /// It was switched out.
    fn note_out(&mut self) {
        match self.stay {
            Stay::Lost => self.state = State::Invalid,
            Stay::In if self.books.iter().any(|book| book.has_ended) => self.state = State::Frozen,
            _ => {}
        }
        self.stay = Stay::Out;
    }

    fn thaw(&mut self) {
        if self.state == State::Frozen {
            self.state = State::Bound;
        }
    }
}
