//! What a request should have counted.

use pmu::Request;
use pmu::request::{Repeat, Sampling};

/// What a request should have counted.
pub(super) struct Book {
    pub(super) count: u64,
    /// Its one period has ended.
    pub(super) has_ended: bool,
    /// The events that are left of its period.
    left: u64,
    preset: u64,
    sampling: Option<Sampling>,
}

impl Book {
    pub(super) fn new(request: &Request) -> Self {
        let mut book = Self { count: 0, has_ended: false, left: 0, preset: request.preset, sampling: request.sampling };
        book.begin();
        book
    }

    /// It counts from where it begins, with a whole period.
    pub(super) fn begin(&mut self) {
        self.count = self.preset;
        self.left = self.period();
        self.has_ended = false;
    }

    /// If its one period has ended, it begins anew.
    pub(super) fn revive(&mut self) {
        self.has_ended = false;
    }

    /// It counts so many events. Returns how many periods end.
    pub(super) fn run(&mut self, events: u64) -> u64 {
        if self.has_ended {
            return 0;
        }
        if self.sampling.is_none() || events < self.left {
            self.count += events;
            self.left = self.left.saturating_sub(events);
            return 0;
        }
        self.end(events - self.left)
    }

    /// Its period ends so many events ago.
    fn end(&mut self, late: u64) -> u64 {
        let period = self.period();
        self.count += self.left;
        if self.is_once() {
            (self.has_ended, self.left) = (true, period);
            return 1;
        }
        self.count += late;
        self.left = period - late % period;
        1 + late / period
    }

    pub(super) fn is_once(&self) -> bool {
        self.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot)
    }

    /// The next period to begin is another one. Returns false if it does not sample.
    pub(super) fn change_period(&mut self, period: u64) -> bool {
        let before = self.period();
        if let Some(sampling) = &mut self.sampling {
            sampling.period = period;
            self.left = if self.left == before { period } else { self.left };
        }
        self.sampling.is_some()
    }

    fn period(&self) -> u64 {
        self.sampling.map_or(0, |sampling| sampling.period)
    }
}
