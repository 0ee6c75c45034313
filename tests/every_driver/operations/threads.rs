//! What is done with threads.

use pmu::{Context, Counts, Error, Request};

use super::book::Book;
use super::{Kernel, Stay};
use crate::{Bench, INSTRUCTIONS, Subject};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    Bound,
    Disabled,
    Frozen,
    Invalid,
}

/// A thread, and what it should have counted.
pub(super) struct Thread<S: Subject> {
    pub(super) context: Context<S::Driver, 2>,
    pub(super) books: Vec<Book>,
    pub(super) stay: Stay,
    pub(super) state: State,
    pub(super) enabled: u64,
    pub(super) running: u64,
}

impl<S: Subject> Thread<S> {
    pub(super) fn new(number: u32) -> Self {
        let context = Context::new(number);
        Self { context, books: Vec::new(), stay: Stay::Out, state: State::Invalid, enabled: 0, running: 0 }
    }

    pub(super) fn bind(&mut self, bench: &Bench<S>, requests: &[Request]) {
        self.context.unbind().expect("it is out");
        match *requests {
            [first, second] => self.context.bind(bench.pmu, [first, second]),
            _ => self.context.bind(bench.pmu, [requests[0]]),
        }
        .expect("the unit counts instructions");
        self.books = requests.iter().map(Book::new).collect();
        (self.state, self.enabled, self.running) = (State::Bound, 0, 0);
    }

    pub(super) fn check(&self, bench: &Bench<S>) {
        let counts = bench.pmu.thread_counts(&self.context);
        if self.stay == Stay::Lost || self.state == State::Invalid {
            assert_eq!(counts.err(), Some(Error::Invalidated));
            return;
        }
        let mut raw = [0; 2];
        raw.iter_mut().zip(&self.books).for_each(|(count, book)| *count = book.count);
        let expected = Counts::new(raw, self.enabled, self.running);
        assert_eq!(counts, Ok(expected), "thread {}, {:?}", self.context.thread(), self.stay);
        assert_eq!(self.context.is_frozen(), self.state == State::Frozen);
    }

    /// It was switched out.
    pub(super) fn note_out(&mut self) {
        match self.stay {
            Stay::Lost => self.state = State::Invalid,
            Stay::In if self.books.iter().any(|book| book.has_ended) => self.state = State::Frozen,
            _ => {}
        }
        self.stay = Stay::Out;
    }

    pub(super) fn thaw(&mut self) {
        if self.state == State::Frozen {
            self.state = State::Bound;
        }
    }
}

impl<S: Subject> Kernel<S> {
    pub(super) fn switch_in(&mut self, thread: usize) {
        self.note(format!("switch in {thread}"));
        let thread_is = &mut self.threads[thread];
        self.bench.pmu.switch_in(&mut thread_is.context);
        self.note_in(thread);
    }

    /// The thread was switched in.
    pub(super) fn note_in(&mut self, thread: usize) {
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

    pub(super) fn switch_out(&mut self, thread: usize) {
        self.note(format!("switch out {thread}"));
        let thread = &mut self.threads[thread];
        self.bench.pmu.switch_out(&mut thread.context);
        thread.note_out();
    }

    /// Switches from whichever thread is in to this one.
    pub(super) fn switch(&mut self, to: usize) {
        let Some(from) = self.threads.iter().position(|thread| thread.stay != Stay::Out) else { return };
        let Ok([leaving, coming]) = self.threads.get_disjoint_mut([from, to]) else { return };
        self.bench.pmu.switch(&mut leaving.context, &mut coming.context);
        leaving.note_out();
        self.note(format!("switch {from} to {to}"));
        self.note_in(to);
    }

    /// Binds the thread anew, to one request or two; two do not end. It is refused where the thread would have to yield.
    pub(super) fn bind(&mut self, thread: usize) {
        let first = self.request();
        if self.yields && !self.sessions.is_empty() {
            self.note(format!("bind {thread}, which is refused"));
            let refused = self.threads[thread].context.bind(self.bench.pmu, [first]);
            return assert!(matches!(refused, Err(Error::AlreadyBound | Error::InUse(_))), "{refused:?}");
        }
        let second = self.chance.below(2) == 0 && !Book::new(&first).is_once();
        let requests = [first, INSTRUCTIONS];
        let requests = &requests[..1 + usize::from(second)];
        self.note(format!("bind {thread} to {} of {:?}", requests.len(), first.sampling));
        self.threads[thread].bind(&self.bench, requests);
    }

    /// Changes what a thread that is out does.
    pub(super) fn change(&mut self, number: usize) {
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

    pub(super) fn place(&mut self, number: usize) {
        self.note(format!("place {number}"));
        let (occupied, yields) = (self.is_occupied(), self.yields && !self.sessions.is_empty());
        let thread = &mut self.threads[number];
        if thread.stay == Stay::Lost || thread.state == State::Invalid {
            return;
        }
        match self.bench.pmu.place(&mut thread.context) {
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
}
