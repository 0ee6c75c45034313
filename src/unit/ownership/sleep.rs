//! The unit sleeps, and is woken.

use super::{Claim, Operation, Scope};
use crate::contract::{Driver, Registers};
use crate::event::{CounterSet, Error, Result};
use crate::unit::{Pmu, Unit};

impl<D: Driver, const SAMPLES: usize> Unit<D, SAMPLES> {
    /// Wakes the unit after [`Pmu::suspend`], whatever its registers hold by now: they are saved as by a claim. If a guest has
    /// the unit, takes it back from the guest's [`Mediated`](crate::virt::Mediated), of which only
    /// [`into_guest`](crate::virt::Mediated::into_guest) can still be used.
    ///
    /// # Errors
    /// [`Error::NotClaimed`]; [`Error::AlreadyClaimed`] if it does not sleep; [`Error::WrongCpu`]. Nothing was touched.
    pub fn resume(&self) -> Result<Pmu<'_, D>> {
        let driver = self.shared.ownership.driver().ok_or(Error::NotClaimed)?;
        let pmu = Pmu::new(&self.shared, driver);
        pmu.wake()?;
        Ok(pmu)
    }
}

impl<'u, D: Driver> Pmu<'u, D> {
    /// Puts the unit to sleep: for a CPU that loses its registers. Counts and periods are kept, and go on after
    /// [`Unit::resume`]; sessions can be read meanwhile, and nothing else can be done with them. The registers hold again
    /// what they held before the claim, and what was lent to user programs is withdrawn.
    ///
    /// # Errors
    /// [`Error::ThreadIn`]: switch the thread out first. [`Error::WrongCpu`], [`Error::NotClaimed`],
    /// [`Error::Suspended`], [`Error::GuestIn`]. The unit is as it was.
    pub fn suspend(&self) -> Result<()> {
        let operation = (*self).park_all()?;
        operation.give_back(operation.claim());
        Ok(())
    }

    /// Halts the unit, and takes all counts into their accounts.
    ///
    /// # Errors
    /// Those of [`Pmu::suspend`].
    pub(super) fn park_all(self) -> Result<Operation<'u, D>> {
        let operation = self.enter()?;
        let ownership = &self.shared.ownership;
        if !self.shared.residency.is_vacant() {
            return Err(Error::ThreadIn);
        }
        operation.free_dropped();
        operation.free_resident();
        let armed = operation.armed();
        operation.disarm(armed);
        ownership.parked.set(armed.bits());
        for counter in operation.reserved_counters() {
            operation.park(counter);
        }
        ownership.clock_base.set(operation.now());
        Ok(operation)
    }

    /// Wakes the unit: [`Unit::resume`].
    pub(crate) fn wake(self) -> Result<()> {
        let (ownership, driver) = (&self.shared.ownership, self.driver);
        let scope = Scope::enter(driver);
        let here = driver.registers().cpu();
        let claim = match ownership.home.suspended() {
            Some(claim) if claim.is_of(here) => claim,
            None if ownership.home.awake_on(here).is_some() => return Err(Error::AlreadyClaimed { owner: here }),
            _ => return Err(ownership.home.refusal(here)),
        };
        let clock = driver.registers().clock();
        ownership.clock_base.set(ownership.clock_base.get().wrapping_sub(clock));
        if ownership.guest.is_there() {
            ownership.guest.begin_return();
            driver.restore(&ownership.saved);
        }
        driver.save(&ownership.saved);
        driver.reload(self.image());
        self.shared.counting.forget_rooms(CounterSet::ALL);
        for counter in self.reserved_counters() {
            self.unpark(counter);
        }
        ownership.home.resume(claim);
        ownership.guest.leave();
        self.free_dropped();
        self.arm(ownership.parked.counters().and(self.shared.residency.reserved()));
        drop(scope);
        Ok(())
    }

    /// Puts back what the unit held. The interrupt leaves it alone from now on.
    pub(super) fn give_back(self, claim: Claim) {
        self.end_lending();
        self.shared.ownership.home.suspend(claim);
        self.driver.restore(&self.shared.ownership.saved);
    }

    /// The counters of sessions that are read and preset: the first ones of pairs.
    fn reserved_counters(self) -> CounterSet {
        let residency = &self.shared.residency;
        let reserved = residency.reserved();
        reserved
            .into_iter()
            .filter_map(|counter| residency.slot(counter).partner)
            .fold(reserved, |set, partner| set.without(partner.only()))
    }
}
