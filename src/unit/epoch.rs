//! A number for all that a thread's placement depends on: the kind of unit, and what sessions have in use on it.
//!
//! Equal numbers mean equal epochs, also on different units. All units of a kind on which sessions have nothing in use share
//! one number. Any other unit has numbers of its own, and a new one whenever its sessions change.

use super::Pmu;
use crate::contract::{Driver, Kind};
use crate::sync::Cell;

/// The last number, and the sessions that it stands for.
///
/// Opening and closing a session writes nothing here. The last serial number and the reserved counters together tell which
/// sessions are open: between two openings, sessions can only free counters, and no two have the same counter.
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
