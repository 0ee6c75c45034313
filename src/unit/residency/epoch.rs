//! A number for all that a thread's placement depends on: the kind of unit, and what sessions have in use on it.
//!
//! Equal numbers mean equal epochs, also on different units. All units of a kind on which sessions have nothing in use share
//! one number. Any other unit has numbers of its own, and a new one whenever its sessions change.

use super::Residency;
use crate::contract::{Driver, Kind};
use crate::sync::Cell;
use crate::unit::Pmu;

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
        let residency = &self.shared.residency;
        if residency.reserved.get() == 0 {
            return self.driver.kind().alone();
        }
        let last = &residency.epoch;
        if last.opened.get() != residency.serials.get() || last.reserved.get() != residency.reserved.get() {
            residency.begin_epoch();
        }
        last.number.get()
    }
}

impl<D: Driver> Residency<D> {
    #[cold]
    #[inline(never)]
    fn begin_epoch(&self) {
        self.epoch.opened.set(self.serials.get());
        self.epoch.reserved.set(self.reserved.get());
        self.epoch.number.set(Kind::beside(self.next_ticket()));
    }
}
