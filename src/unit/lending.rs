//! User programs are lent counters, which they read with an instruction of their own.

use super::Pmu;
use crate::contract::{Driver, Lending};
use crate::event::{CounterSet, Error, Remaining, Result};

impl<D: Driver> Pmu<'_, D> {
    /// Lets programs read the counters of the thread that is switched in here, and nothing of anybody else's. To be
    /// called behind each [`Pmu::switch_in`] of a thread whose program has a page; [`Pmu::take_back`] before the
    /// processor is another program's.
    ///
    /// Where counters cannot be lent one by one, a program reads all of them, whosever they are: nothing is left in those
    /// that are not its thread's, and what is opened meanwhile is seen too. On x86 they are open when the kernel has
    /// opened them, and this only hides the others.
    ///
    /// # Errors
    /// [`ThreadWaits`](crate::Error::ThreadWaits) if the thread has no counters that could be lent: it waits for some, or
    /// measures nothing;
    /// [`InUse`](crate::Error::InUse) with the counters of sessions, which cannot be hidden;
    /// [`WrongCpu`](crate::Error::WrongCpu). What was lent is as it was.
    pub fn lend(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.free_dropped();
        operation.free_resident();
        let lent = self.shared.scheduled.counters();
        if lent.is_empty() {
            return Err(Error::ThreadWaits);
        }
        if self.driver.description().lending == Lending::Together {
            operation.hide_all_but(self.shared.resident_set.counters())?;
        }
        self.driver.lend(&self.shared.image, lent);
        Ok(())
    }

    /// Lets programs read no counter any more, as far as [`Pmu::lend`] let them.
    ///
    /// # Errors
    /// [`WrongCpu`](crate::Error::WrongCpu); what was lent is as it was.
    pub fn take_back(&self) -> Result<()> {
        let _operation = (*self).enter()?;
        self.driver.lend(&self.shared.image, CounterSet::EMPTY);
        Ok(())
    }

    /// Leaves nothing in the counters beside these: what is there may be somebody's last count.
    ///
    /// # Errors
    /// [`Error::InUse`] with others that are somebody's; nothing has changed.
    pub(crate) fn hide_all_but(self, shown: CounterSet) -> Result<()> {
        let others = self.occupied().without(shown);
        if !others.is_empty() {
            return Err(Error::InUse(others));
        }
        let description = self.driver.description();
        for counter in description.general.or(description.fixed).without(shown) {
            self.driver.preset(&self.shared.image, counter, Remaining::events(u64::MAX));
        }
        Ok(())
    }
}
