//! Counters are given back: by their session, after it was dropped elsewhere, or by a thread that yields.

use super::Residency;
use crate::contract::Driver;
use crate::event::CounterSet;
use crate::unit::Pmu;

impl<D: Driver> Pmu<'_, D> {
    /// Stops and frees the counters of a session.
    #[inline(always)]
    pub(crate) fn free(self, counters: CounterSet) {
        let (counting, residency) = (&self.shared.counting, &self.shared.residency);
        self.disarm(counters);
        self.driver.release(self.image(), counters);
        residency.reserved.set(residency.reserved().without(counters).bits());
        _ = counting.clear_ended(counters);
        counting.note_change();
    }

    /// Frees the counters of sessions that were dropped where the unit could not be touched.
    #[inline(always)]
    pub(crate) fn free_dropped(self) {
        if !self.shared.residency.abandoned.counters().is_empty() {
            self.free_abandoned();
        }
    }

    #[cold]
    #[inline(never)]
    fn free_abandoned(self) {
        let residency = &self.shared.residency;
        self.free(residency.dropped_among(residency.abandoned.take()));
    }

    /// Returns true if threads yield to sessions, and one is open, after freeing the counters of those that were dropped.
    pub(crate) fn yields_to_sessions(self) -> bool {
        self.free_dropped();
        self.shared.residency.threads_yield() && !self.shared.residency.reserved().is_empty()
    }

    /// Frees the counters of the resident thread, unless a thread is switched in.
    #[inline(always)]
    pub(crate) fn free_resident(self) {
        if self.shared.residency.is_vacant() {
            _ = self.shared.counting.clear_ended(self.shared.residency.resident_counters());
            self.free_absent();
        }
    }

    /// Frees the counters of the resident thread, which is not switched in. None of them has ended, unless the unit was halted.
    #[inline(always)]
    pub(crate) fn free_absent(self) {
        let counters = self.shared.residency.resident_counters();
        self.shared.residency.settle(0, CounterSet::EMPTY);
        self.driver.release(self.image(), counters);
    }

    /// Takes the counters from the thread that is switched in. Its context finds itself invalidated.
    #[cold]
    #[inline(never)]
    pub(crate) fn evict_occupant(self) {
        let residency = &self.shared.residency;
        let counters = residency.scheduled();
        self.withdraw(counters);
        self.disarm(counters);
        self.shared.counting.forget_rooms(counters);
        residency.unschedule();
        self.free_resident();
    }

    /// Stops the counters of sessions that were dropped elsewhere. *Interrupt.*
    #[inline(always)]
    pub(in crate::unit) fn end_dropped(self) {
        let residency = &self.shared.residency;
        if !residency.abandoned.counters().is_empty() {
            self.shared.counting.end(residency.dropped());
        }
    }
}

impl<D: Driver> Residency<D> {
    /// A session is dropped where the unit cannot be touched: on another CPU, or while the unit sleeps. The next
    /// operation at home frees its counters, and the next overflow interrupt stops them.
    pub(crate) fn abandon(&self, counters: CounterSet, serial: u64) {
        counters.into_iter().for_each(|counter| self.owner(counter).abandon(serial));
        self.abandoned.include(counters);
    }

    /// Returns the counters of sessions that were dropped. *Interrupt.*
    #[cold]
    #[inline(never)]
    fn dropped(&self) -> CounterSet {
        self.dropped_among(self.abandoned.observe())
    }

    /// Returns those of these counters that are still reserved for a session that was dropped.
    fn dropped_among(&self, counters: CounterSet) -> CounterSet {
        let reserved = self.reserved().and(counters);
        reserved.into_iter().filter(|counter| self.owner(*counter).is_dropped()).collect()
    }
}
