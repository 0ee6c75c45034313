//! Who has the unit: it is claimed, released, given up, and it sleeps.

use super::operation::Scope;
use super::{Claim, Home, Operation, Pmu, Shared, Threads, Unit};
use crate::contract::{Driver, Registers};
use crate::event::{CounterId, CounterSet, CpuId, Error, Remaining, Result};

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
        match self.shared.reserve_for(&driver) {
            Ok(claim) => {
                let before = scope.into_masked();
                let driver = self.shared.driver.call_once(|| driver);
                let scope = Scope::from_masked(driver, before);
                self.shared.threads.set(threads as u64);
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
        let driver = self.shared.driver.get().ok_or(Error::NotClaimed)?;
        let scope = Scope::enter(driver);
        let claim = self.shared.reserve(driver.registers().cpu())?;
        Ok(self.begin(driver, claim, scope))
    }

    /// Returns the unit of the CPU that this runs on, from a table with one for each CPU, in the order of their numbers.
    ///
    /// May be called anywhere, also in the overflow interrupt. [`Kernel::cpu`](crate::Kernel::cpu) is called with ordinary
    /// interrupts off. A thread may have moved to another CPU when this returns; its next operation then fails with
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
        let driver = self.shared.driver.get().ok_or(Error::NotClaimed)?;
        let pmu = Pmu::new(&self.shared, driver);
        pmu.enter()?;
        Ok(pmu)
    }

    /// Wakes the unit after [`Pmu::suspend`], whatever its registers hold by now: they are saved as by a claim. If a guest has
    /// the unit, takes it back from the guest's [`Mediated`](crate::virt::Mediated), of which only
    /// [`into_guest`](crate::virt::Mediated::into_guest) can still be used.
    ///
    /// # Errors
    /// [`Error::NotClaimed`]; [`Error::AlreadyClaimed`] if it does not sleep; [`Error::WrongCpu`]. Nothing was touched.
    pub fn resume(&self) -> Result<Pmu<'_, D>> {
        let driver = self.shared.driver.get().ok_or(Error::NotClaimed)?;
        let pmu = Pmu::new(&self.shared, driver);
        pmu.wake()?;
        Ok(pmu)
    }

    /// Stops every counter, as [`Pmu::halt`] does: for a panic handler, which has no [`Pmu`]. While a guest has the unit,
    /// [`here`](Self::here) returns none either.
    pub fn halt(&self) {
        self.shared.driver.get().into_iter().for_each(|driver| Pmu::new(&self.shared, driver).halt());
    }

    /// Begins a claim. The overflow handler ignores the unit until its registers are saved.
    fn begin<'u>(&'u self, driver: &'u D, claim: Claim, scope: Scope<'u, D>) -> Pmu<'u, D> {
        let shared = &self.shared;
        shared.expected.forget();
        shared.forget_rooms(CounterSet::ALL);
        shared.ended.exclude(CounterSet::ALL);
        shared.number_tickets(claim, driver.registers().ticks());
        driver.save(&shared.saved);
        driver.reload(&shared.image);
        // Counters that others use are always in `armed`, so that no operation stops them.
        shared.armed.set(driver.description().used_by_others.bits());
        shared.home.resume(claim);
        drop(scope);
        Pmu::new(shared, driver)
    }
}

impl<D: Driver> Shared<D> {
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

    /// Sets the number of the last ticket from the clock, with the CPU in the low bits. A thread keeps its counters for more
    /// than a tick, so tickets never overtake the clock. So no ticket of another unit that was in this one's place before is
    /// valid here. Numbers never go back, so no ticket of an earlier claim is valid either, whatever the clock does.
    fn number_tickets(&self, claim: Claim, ticks: u64) {
        let from = (ticks << CPU_BITS).max(self.tickets.get() >> CPU_BITS << CPU_BITS);
        self.tickets.set(from | (u64::from(claim.cpu().0) + 1));
    }

    /// Returns a number for the thread that is about to have the counters. No other unit gives the same, and none is 0.
    #[inline(always)]
    pub(crate) fn next_ticket(&self) -> u64 {
        self.tickets.add(1 << CPU_BITS);
        self.tickets.get()
    }
}

/// Returns true if two drivers have the same kind, description and line.
fn is_equal<D: Driver>(one: &D, other: &D) -> bool {
    one.kind().alone() == other.kind().alone() && one.description() == other.description() && one.line() == other.line()
}

/// The bits of a ticket that are the number of its CPU plus 1.
const CPU_BITS: u32 = 32;

impl<'u, D: Driver> Pmu<'u, D> {
    /// Gives the unit back and restores what it held when it was claimed: for a CPU that goes offline. What was lent to
    /// user programs is withdrawn. From the first write on, an interrupt leaves the unit alone.
    ///
    /// # Errors
    /// [`Error::InUse`] while sessions are open or a thread is switched in, [`Error::WrongCpu`], [`Error::NotClaimed`],
    /// [`Error::Suspended`]; the unit is as it was.
    pub fn release(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.free_dropped();
        operation.free_resident();
        let occupied = operation.occupied();
        if !occupied.is_empty() || self.shared.occupant.get() != 0 {
            return Err(Error::InUse(occupied));
        }
        operation.give_back(operation.claim());
        self.shared.home.unclaim();
        Ok(())
    }

    /// Gives the unit up, whatever is open: sessions answer [`Error::Invalidated`] from now on, and dropping them does
    /// nothing; the thread that is switched in finds its context invalidated.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::NotClaimed`], [`Error::Suspended`]; the unit is as it was.
    pub fn revoke(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.evict_occupant();
        operation.free(self.shared.reserved.counters());
        operation.give_back(operation.claim());
        self.shared.home.unclaim();
        Ok(())
    }

    /// Puts the unit to sleep: for a CPU that loses its registers. Counts and periods are kept, and go on after
    /// [`Unit::resume`]; sessions can be read meanwhile, and nothing else can be done with them. The registers hold again
    /// what they held before the claim, and what was lent to user programs is withdrawn.
    ///
    /// # Errors
    /// [`Error::ThreadIn`]: switch the thread out first. [`Error::WrongCpu`], [`Error::NotClaimed`],
    /// [`Error::Suspended`]. The unit is as it was.
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
        let shared = self.shared;
        if shared.occupant.get() != 0 {
            return Err(Error::ThreadIn);
        }
        operation.free_dropped();
        operation.free_resident();
        let armed = operation.armed();
        operation.disarm(armed);
        shared.parked.set(armed.bits());
        for counter in operation.reserved_counters() {
            operation.park(counter);
        }
        shared.clock_base.set(operation.now());
        Ok(operation)
    }

    /// Wakes the unit: [`Unit::resume`].
    pub(crate) fn wake(self) -> Result<()> {
        let (shared, driver) = (self.shared, self.driver);
        let scope = Scope::enter(driver);
        let here = driver.registers().cpu();
        let claim = match shared.home.suspended() {
            Some(claim) if claim.is_of(here) => claim,
            None if shared.home.awake_on(here).is_some() => return Err(Error::AlreadyClaimed { owner: here }),
            _ => return Err(shared.home.refusal(here)),
        };
        let clock = driver.registers().clock();
        shared.clock_base.set(shared.clock_base.get().wrapping_sub(clock));
        if shared.guest.is_there() {
            shared.guest.begin_return();
            driver.restore(&shared.saved);
        }
        driver.save(&shared.saved);
        driver.reload(&shared.image);
        shared.forget_rooms(CounterSet::ALL);
        for counter in self.reserved_counters() {
            self.unpark(counter);
        }
        shared.home.resume(claim);
        shared.guest.leave();
        self.free_dropped();
        self.arm(shared.parked.counters().and(shared.reserved.counters()));
        drop(scope);
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
        if self.shared.home.is_awake() || self.shared.guest.is_there() {
            self.shared.end_all();
            self.driver.run(&self.shared.image, CounterSet::EMPTY);
        }
    }

    /// Puts back what the unit held. The interrupt leaves it alone from now on.
    fn give_back(self, claim: Claim) {
        self.end_lending();
        self.shared.home.suspend(claim);
        self.driver.restore(&self.shared.saved);
    }

    /// The counters of sessions that are read and preset: the first ones of pairs.
    fn reserved_counters(self) -> CounterSet {
        let reserved = self.shared.reserved.counters();
        reserved
            .into_iter()
            .filter_map(|counter| self.shared.account(counter).partner(counter))
            .fold(reserved, |set, partner| set.without(partner.only()))
    }

    /// Takes a stopped counter's count into its account, and notes how many events are left.
    fn park(self, counter: CounterId) {
        let account = self.shared.account(counter);
        let known = self.driver.counter(&self.shared.slot(counter));
        let (count, left) = self.collect(counter, &known);
        account.parked.set(left.count());
        account.base.set(count);
    }

    /// Presets the counter to what was left.
    fn unpark(self, counter: CounterId) {
        let account = self.shared.account(counter);
        let width = self.driver.counter(&self.shared.slot(counter)).width;
        self.put(counter, width, account.base.get(), Remaining::events(account.parked.get()));
    }
}
