//! User programs are lent counters, which they read with an instruction of their own.

use crate::contract::{Driver, Kernel, Lending, Registers, Slot};
use crate::event::{CounterId, CounterSet, Error, Remaining, Result};
use crate::unit::Pmu;

impl<D: Driver> Pmu<'_, D> {
    /// Lets programs read, and on SPARC write, the counters of the thread that is switched in here, and nothing that belongs
    /// to others. Call it after each [`Pmu::switch_in`] of a thread whose program has a page, before [`Pmu::publish`], and call
    /// [`Pmu::take_back`] before another program runs.
    ///
    /// What earlier threads have left in the thread's counters is cleared. For that they are stopped, and preset anew, once
    /// each time that the thread has got counters which another had before.
    ///
    /// Lending ends by itself when the thread's counters are taken from it, and when the unit is suspended, released or given
    /// up. Where counters cannot be lent one by one, a program can read every counter: those that are not its thread's are
    /// cleared first, and lending also ends when a session is opened, or another thread is switched in that gets counters. The
    /// program's next read then faults, and its kernel reads for it ([`Pmu::thread_counts`]).
    ///
    /// On x86 the kernel itself opens the counters to programs. There this only clears the other counters, and the end of
    /// lending calls [`Kernel::close_user_reads`].
    ///
    /// # Errors
    /// [`ThreadWaits`](crate::Error::ThreadWaits) if the thread has no counters that could be lent: it waits for some, or
    /// measures nothing;
    /// [`Unreadable`](crate::Error::Unreadable) if no program can read any of its counters;
    /// [`InUse`](crate::Error::InUse) with the counters of sessions, which cannot be hidden;
    /// [`WrongCpu`](crate::Error::WrongCpu). What was lent is as it was.
    pub fn lend(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.free_dropped();
        operation.free_resident();
        let residency = &self.shared.residency;
        let lent = residency.scheduled();
        if lent.is_empty() {
            return Err(Error::ThreadWaits);
        }
        if !lent.into_iter().any(|counter| operation.is_readable(counter)) {
            return Err(Error::Unreadable(lent));
        }
        if !residency.is_resident(residency.shown.get()) {
            operation.clear_residue(lent);
            residency.shown.set(residency.resident.get());
        }
        if self.driver.description().lending == Lending::Together {
            operation.hide_all_but(residency.resident_counters())?;
        } else {
            residency.lent.set(lent.bits());
        }
        self.driver.lend(self.image(), lent);
        Ok(())
    }

    /// Ends what [`Pmu::lend`] has begun: programs can read no counter any more.
    ///
    /// # Errors
    /// [`WrongCpu`](crate::Error::WrongCpu); what was lent is as it was.
    pub fn take_back(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.end_lending();
        Ok(())
    }

    /// Returns true if a program has an instruction that reads this counter.
    fn is_readable(self, counter: CounterId) -> bool {
        self.driver.counter(&Slot { counter, ..Slot::EMPTY }).user_index.is_some()
    }

    /// Clears all counters but those in `shown`, because they may still hold somebody's last count. From now on programs may
    /// be allowed to read every counter.
    ///
    /// # Errors
    /// [`Error::InUse`] with the other counters that are in use; nothing has changed.
    pub(crate) fn hide_all_but(self, shown: CounterSet) -> Result<()> {
        let others = self.occupied().without(shown);
        if !others.is_empty() {
            return Err(Error::InUse(others));
        }
        let description = self.driver.description();
        for counter in description.general.or(description.fixed).without(shown) {
            self.driver.preset(self.image(), counter, Remaining::events(u64::MAX));
        }
        self.shared.residency.lent.set(CounterSet::ALL.bits());
        Ok(())
    }

    /// Ends what was lent, if any of these counters was.
    #[inline(always)]
    pub(crate) fn withdraw(self, counters: CounterSet) {
        if !self.shared.residency.lent.counters().and(counters).is_empty() {
            self.end_lending();
        }
    }

    /// Lets programs read no counter any more.
    #[cold]
    #[inline(never)]
    pub(in crate::unit) fn end_lending(self) {
        let lent = &self.shared.residency.lent;
        self.driver.lend(self.image(), CounterSet::EMPTY);
        if lent.get() != 0 {
            self.shared.counting.forget_rooms(lent.counters());
            lent.set(0);
            self.driver.registers().kernel().close_user_reads();
        }
    }
}
