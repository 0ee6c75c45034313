//! Which session has a counter.

use crate::event::{CounterId, CounterSet};
use crate::sync::{Cell, Word};

/// The session that a counter is reserved for.
#[derive(Debug)]
pub(super) struct Owner {
    /// Its serial number, or that of the last one. None is 0.
    serial: Cell,
    /// The serial number of the last session that was dropped where the unit could not be touched. Any CPU may
    /// write it. Writes cannot race: the counter is not reused until its own CPU has seen `abandoned`.
    dropped: Word,
    /// The counter itself, and the second one of a pair.
    taken: Cell,
}

impl Owner {
    pub(super) const fn none() -> Self {
        Self { serial: Cell::new(0), dropped: Word::new(0), taken: Cell::new(0) }
    }

    /// Reserves the counter for the session with this number, which uses these counters as one: this one, and the second of
    /// a pair. The second counter of a pair is reserved alone.
    #[inline(always)]
    pub(super) fn reserve(&self, serial: u64, counters: CounterSet) {
        self.serial.set(serial);
        self.taken.set(counters.bits());
    }

    /// Returns the second counter of the pair whose first one this is.
    pub(super) fn partner(&self, first: CounterId) -> Option<CounterId> {
        self.taken.counters().without(first.only()).lowest()
    }

    /// The session with this number is dropped where the unit cannot be touched.
    pub(super) fn abandon(&self, serial: u64) {
        self.dropped.publish(serial);
    }

    /// Returns true if the session that the counter is reserved for, or was last, was dropped elsewhere.
    pub(super) fn is_dropped(&self) -> bool {
        self.dropped.observe() == self.serial.get()
    }
}
