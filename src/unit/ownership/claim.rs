//! The unit is claimed, released, given up, and halted.

use super::{Claim, Home, Ownership, Scope};
use crate::contract::{Driver, Registers};
use crate::event::{CounterSet, CpuId, Error, Result};
use crate::unit::{Pmu, Threads, Unit};

impl<D: Driver, const SAMPLES: usize> Unit<D, SAMPLES> {
    /// Claims the unit of this CPU: saves what its registers hold, and halts it.
    ///
    /// [`Kernel::cpu`](crate::Kernel::cpu) tells which CPU this is. A unit keeps the driver of its first claim, because the
    /// overflow handler may use it at any time. A later claim needs an equal driver: one of the same kind, description and
    /// line. A CPU MUST claim only one unit: two would program the same registers.
    ///
    /// # Errors
    /// [`Error::AlreadyClaimed`], [`Error::CpuNumberTooLarge`], [`Error::OtherUnit`]; nothing was touched, and `driver` was
    /// not kept.
    pub fn claim(&self, driver: D) -> Result<Pmu<'_, D>> {
        self.claim_with(driver, Threads::Share)
    }

    /// Like [`Unit::claim`]; `threads` chooses who has the counters if sessions and threads cannot both have them.
    ///
    /// # Errors
    /// As [`Unit::claim`].
    pub fn claim_with(&self, driver: D, threads: Threads) -> Result<Pmu<'_, D>> {
        let scope = Scope::enter(&driver);
        match self.shared.ownership.reserve_for(&driver) {
            Ok(claim) => {
                let before = scope.into_masked();
                let driver = self.shared.ownership.driver.call_once(|| driver);
                let scope = Scope::from_masked(driver, before);
                self.shared.residency.choose(threads);
                Ok(self.begin(driver, claim, scope))
            }
            Err(error) => Err(error),
        }
    }

    /// Takes the unit again that was released: for a CPU that comes back online.
    ///
    /// # Errors
    /// [`Error::NotClaimed`] if it never was, [`Error::AlreadyClaimed`] if it still is; nothing was touched.
    pub fn reclaim(&self) -> Result<Pmu<'_, D>> {
        let driver = self.shared.ownership.driver().ok_or(Error::NotClaimed)?;
        let scope = Scope::enter(driver);
        let claim = self.shared.ownership.reserve(driver.registers().cpu())?;
        Ok(self.begin(driver, claim, scope))
    }

    /// Returns the unit of the CPU that this runs on, from a table with one for each CPU, in the order of their numbers.
    ///
    /// May be called anywhere, also in the overflow interrupt. [`Kernel::cpu`](crate::Kernel::cpu) is called with ordinary
    /// interrupts off: by the processor's own instruction, because an NMI may not call what a kernel has in its place
    /// ([`Kernel::enter`](crate::Kernel::enter)). A thread may have moved to another CPU when this returns; its next operation then fails with
    /// [`Error::WrongCpu`].
    ///
    /// # Errors
    /// [`Error::NoSuchCpu`] if the table is too short.
    #[inline]
    pub fn of_this_cpu<'u>(units: &'u [Self], registers: &D::Registers) -> Result<&'u Self> {
        let before = registers.mask();
        let cpu = registers.cpu();
        registers.unmask(before);
        units.get(cpu.0 as usize).ok_or(Error::NoSuchCpu(cpu))
    }

    /// Returns the [`Pmu`] of a claimed unit, on its own CPU. A kernel need not keep the one that [`Unit::claim`] returned.
    ///
    /// # Errors
    /// [`Error::NotClaimed`], [`Error::WrongCpu`], [`Error::Suspended`].
    #[inline]
    pub fn here(&self) -> Result<Pmu<'_, D>> {
        let driver = self.shared.ownership.driver().ok_or(Error::NotClaimed)?;
        let pmu = Pmu::new(&self.shared, driver);
        pmu.enter()?;
        Ok(pmu)
    }

    /// Stops every counter, as [`Pmu::halt`] does: for a panic handler, which has no [`Pmu`]. While a guest has the unit,
    /// [`here`](Self::here) returns none either.
    pub fn halt(&self) {
        self.shared.ownership.driver().into_iter().for_each(|driver| Pmu::new(&self.shared, driver).halt());
    }

    /// Begins a claim. The overflow handler ignores the unit until its registers are saved.
    fn begin<'u>(&'u self, driver: &'u D, claim: Claim, scope: Scope<'u, D>) -> Pmu<'u, D> {
        let (pmu, ownership) = (Pmu::new(&self.shared, driver), &self.shared.ownership);
        self.shared.counting.begin(driver.description().used_by_others);
        self.shared.residency.begin(claim, driver.registers().clock());
        driver.save(&ownership.saved);
        driver.reload(pmu.image());
        ownership.home.resume(claim);
        drop(scope);
        pmu
    }
}

impl<D: Driver> Ownership<D> {
    /// Reserves the unit for this CPU, if this driver equals the one that it keeps.
    fn reserve_for(&self, driver: &D) -> Result<Claim> {
        let claim = self.reserve(driver.registers().cpu())?;
        if self.driver.get().is_some_and(|kept| !is_equal(kept, driver)) {
            self.home.unclaim();
            return Err(Error::OtherUnit);
        }
        Ok(claim)
    }

    /// Reserves the unit for this CPU.
    fn reserve(&self, cpu: CpuId) -> Result<Claim> {
        if cpu.0 > Home::LARGEST.0 {
            return Err(Error::CpuNumberTooLarge { cpu, largest: Home::LARGEST });
        }
        let claim = self.home.begin(cpu, self.claims.get().wrapping_add(1))?;
        self.claims.add(1);
        Ok(claim)
    }
}

/// Returns true if two drivers have the same kind, description and line.
fn is_equal<D: Driver>(one: &D, other: &D) -> bool {
    one.kind().alone() == other.kind().alone() && one.description() == other.description() && one.line() == other.line()
}

impl<D: Driver> Pmu<'_, D> {
    /// Gives the unit back and restores what it held when it was claimed: for a CPU that goes offline. What was lent to
    /// user programs is withdrawn. From the first write on, an interrupt leaves the unit alone.
    ///
    /// # Errors
    /// [`Error::InUse`] while sessions are open or a thread is switched in, [`Error::WrongCpu`], [`Error::NotClaimed`],
    /// [`Error::Suspended`], [`Error::GuestIn`]; the unit is as it was.
    pub fn release(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.free_dropped();
        operation.free_resident();
        let occupied = operation.occupied();
        if !occupied.is_empty() || !self.shared.residency.is_vacant() {
            return Err(Error::InUse(occupied));
        }
        operation.give_back(operation.claim());
        self.shared.ownership.home.unclaim();
        Ok(())
    }

    /// Gives the unit up, whatever is open: sessions answer [`Error::Invalidated`] from now on, and dropping them does
    /// nothing; the thread that is switched in finds its context invalidated. A guest gives it back before, by
    /// [`Mediated::release`](crate::virt::Mediated::release).
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::NotClaimed`], [`Error::Suspended`], [`Error::GuestIn`]; the unit is as it was.
    pub fn revoke(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.evict_occupant();
        operation.free(self.shared.residency.reserved());
        operation.give_back(operation.claim());
        self.shared.ownership.home.unclaim();
        Ok(())
    }

    /// Stops every counter, for a panic: nothing counts, and nothing interrupts, until the unit was released and claimed
    /// again. May be called anywhere on the unit's CPU, in an NMI too, and amid any operation.
    ///
    /// What is open stays open, and can be read and closed. No session can be opened or started ([`Error::Halted`]), and
    /// threads wait: the time since they were switched in is enabled and not running. An overflow interrupt that is on its way
    /// is still recognized as the unit's. A guest's counters stop too, and [`Mediated::enter`](crate::virt::Mediated::enter)
    /// starts none. Does nothing while the unit is not claimed, or is suspended and no guest has it: its registers then belong
    /// to somebody else.
    pub fn halt(&self) {
        let Ownership { home, guest, .. } = &self.shared.ownership;
        if home.is_awake() || guest.is_there() {
            self.shared.counting.end(CounterSet::ALL);
            self.driver.run(self.image(), CounterSet::EMPTY);
        }
    }
}
