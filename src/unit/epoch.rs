//! A number for all that a thread's placement depends on: the kind of unit, and what sessions have in use on it.
//!
//! Equal numbers are equal epochs, on whichever unit. Units of a kind on which sessions have nothing in use have the
//! same number. Others have numbers of their own, and a new one whenever their sessions change.

use super::Pmu;
use crate::contract::{Driver, Kind};
use crate::sync::Cell;

/// The last number that was given, and to which sessions.
///
/// Sessions change nothing here. Between two openings they can only give counters back, and no two have the same counter:
/// so how many were ever opened, and the counters that are reserved, together say which are open.
#[derive(Debug)]
pub(super) struct Epoch {
    number: Cell,
    opened: Cell,
    reserved: Cell,
}

impl Epoch {
    pub(super) const fn unknown() -> Self {
        Self { number: Cell::new(0), opened: Cell::new(0), reserved: Cell::new(0) }
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Returns the epoch of the unit's sessions, which is not 0.
    #[inline(always)]
    pub(crate) fn epoch(self) -> u64 {
        let shared = self.shared;
        if shared.reserved.get() == 0 {
            return self.driver.kind().alone();
        }
        let last = &shared.epoch;
        if last.opened.get() != shared.sessions.get() || last.reserved.get() != shared.reserved.get() {
            self.begin_epoch();
        }
        last.number.get()
    }

    #[cold]
    #[inline(never)]
    fn begin_epoch(self) {
        let (shared, last) = (self.shared, &self.shared.epoch);
        last.opened.set(shared.sessions.get());
        last.reserved.set(shared.reserved.get());
        last.number.set(Kind::beside(shared.next_ticket()));
    }
}
