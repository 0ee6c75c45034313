//! What is done with sessions.

use pmu::{Counts, Error, Session};

use super::book::Book;
use super::{Kernel, SESSIONS};
use crate::{HERE, Subject};

/// A session, and what it should have counted.
pub(super) struct Opened<S: Subject> {
    pub(super) session: Session<'static, S::Driver, 1>,
    pub(super) book: Book,
    pub(super) is_running: bool,
    pub(super) enabled: u64,
}

impl<S: Subject> Kernel<S> {
    pub(super) fn check_sessions(&self) {
        for opened in &self.sessions {
            let counts = Counts::new([opened.book.count], opened.enabled, opened.enabled);
            assert_eq!(opened.session.counts(), Ok(counts), "session {:?}", opened.session.id());
            assert_eq!(opened.session.has_ended(0), opened.book.has_ended);
        }
    }

    pub(super) fn open(&mut self) {
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

    pub(super) fn start_or_stop(&mut self, session: usize) {
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

    pub(super) fn reset(&mut self, session: usize) {
        self.note(format!("reset session {session}"));
        let Some(opened) = self.sessions.get_mut(session) else { return };
        opened.session.reset().expect("this is its CPU");
        opened.book.begin();
        opened.enabled = 0;
    }

    /// Closes a session, here or on another CPU, where it is home that frees it.
    pub(super) fn close(&mut self, session: usize) {
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
}
