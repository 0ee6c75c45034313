//! Counters are given back: by their session, after it was dropped elsewhere, or by a thread that yields.

use super::{Pmu, Shared};
use crate::contract::{Driver, Image};
use crate::event::CounterSet;

impl<D: Driver> Pmu<'_, D> {
    /// Returns the counters that are loaded.
    pub(crate) fn occupied(self) -> CounterSet {
        self.shared.image.counters()
    }

    /// Stops and frees the counters of a session.
    #[inline(always)]
    pub(crate) fn free(self, counters: CounterSet) {
        let shared = self.shared;
        self.disarm(counters);
        self.driver.release(&shared.image, counters);
        shared.reserved.set(shared.reserved.counters().without(counters).bits());
        _ = shared.clear_ended(counters);
        shared.changes.advance();
    }

    /// Frees the counters of sessions that were dropped where the unit could not be touched.
    #[inline(always)]
    pub(crate) fn free_dropped(self) {
        if !self.shared.abandoned.counters().is_empty() {
            self.free_abandoned();
        }
    }

    #[cold]
    #[inline(never)]
    fn free_abandoned(self) {
        let abandoned = self.shared.abandoned.take();
        self.free(self.shared.dropped_among(abandoned));
    }

    /// Returns true if sessions are open, after freeing the counters of those that were dropped.
    pub(crate) fn has_sessions(self) -> bool {
        self.free_dropped();
        self.shared.reserved.get() != 0
    }

    /// Frees the counters of the resident thread, unless a thread is switched in.
    #[inline(always)]
    pub(crate) fn free_resident(self) {
        let shared = self.shared;
        if shared.occupant.get() == 0 && shared.resident.get() != 0 {
            shared.resident.set(0);
            self.driver.release(&shared.image, shared.resident_set.counters());
            _ = shared.clear_ended(shared.resident_set.counters());
        }
    }

    /// Takes the counters from the thread that is switched in. Its context finds itself invalidated.
    #[cold]
    #[inline(never)]
    pub(crate) fn evict_occupant(self) {
        let shared = self.shared;
        self.withdraw(shared.scheduled.counters());
        self.disarm(shared.scheduled.counters());
        shared.forget_rooms(shared.scheduled.counters());
        shared.unschedule();
        self.free_resident();
    }
}

impl<D: Driver> Shared<D> {
    /// A session is dropped where the unit cannot be touched: on another CPU, or while the unit sleeps. The next
    /// operation at home frees its counters, and the next overflow interrupt stops them.
    pub(crate) fn abandon(&self, counters: CounterSet, serial: u64) {
        for counter in counters {
            self.account(counter).dropped.publish(serial);
        }
        self.abandoned.include(counters);
    }

    /// Returns those of these counters that are still reserved for a session that was dropped.
    fn dropped_among(&self, counters: CounterSet) -> CounterSet {
        let reserved = self.reserved.counters().and(counters);
        reserved.into_iter().filter(|counter| self.account(*counter).is_dropped()).collect()
    }

    /// Stops the counters of sessions that were dropped elsewhere. *Interrupt.*
    #[cold]
    #[inline(never)]
    pub(crate) fn end_dropped(&self) {
        self.ended.include(self.dropped_among(self.abandoned.observe()));
    }
}
