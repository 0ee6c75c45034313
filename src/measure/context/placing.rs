//! Where a thread's requests count. Remembers the last placement, and the last epoch without one.
//!
//! A placement depends on the kind of unit and on what sessions have in use there. The unit has a number for both: equal
//! numbers are equal epochs. So a switch compares one number, and places requests anew only if it is another one.

use super::entry::Place;
use super::{Context, NEVER, Position};
use crate::contract::{Driver, Image, Slot, Steps};
use crate::event::{CounterSet, Error, Request, Result};
use crate::measure::open::encode_all;
use crate::unit::Pmu;

/// No epoch.
pub(super) const NOWHERE: u64 = 0;

/// Where requests count.
pub(super) struct Placement<D: Driver, const N: usize> {
    /// The counters that count.
    pub(super) counters: CounterSet,
    /// Those that the next thread cannot go on from: restless ones; and all, with the second ones of pairs, if two count as one.
    pub(super) unsure: CounterSet,
    pub(super) program: D::Program,
    pub(super) slots: [Slot; N],
    /// The same counters, and how they are read.
    pub(super) places: [Place<D::Handle>; N],
}

impl<D: Driver, const N: usize> Clone for Placement<D, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Driver, const N: usize> Copy for Placement<D, N> {}

impl<D: Driver, const N: usize> Placement<D, N> {
    /// Looks for a placement of these requests beside what is in use.
    pub(super) fn find(driver: &D, requests: &[Request], beside: &D::Occupancy, steps: Steps) -> Result<Self> {
        let (mut demands, mut slots) = ([D::Demand::default(); N], [Slot::EMPTY; N]);
        let (demands, placed) = (&mut demands[..requests.len()], &mut slots[..requests.len()]);
        encode_all(driver, requests, demands)?;
        let program = driver.place(beside, demands, steps, placed).map_err(|conflict| conflict.among(requests))?;
        let counters = placed.iter().map(|slot| slot.counter).collect();
        let taken = placed.iter().map(Slot::occupies).fold(CounterSet::EMPTY, CounterSet::or);
        let unsure = if taken == counters { counters.and(D::RESTLESS) } else { taken };
        let places = slots.each_ref().map(|slot| Place::of(driver, slot));
        Ok(Self { counters, unsure, program, slots, places })
    }
}

impl<D: Driver, const N: usize> Context<D, N> {
    /// Returns true if the requests have a placement beside this unit's sessions. It is looked for only in epochs
    /// that are not those of the last placement, nor those where there was none.
    #[inline(always)]
    pub(super) fn is_placed(&mut self, pmu: Pmu<'_, D>) -> bool {
        let epoch = pmu.epoch();
        self.placed == epoch || self.place_anew(pmu, epoch)
    }

    /// Looks for a placement, within what a switch may take, and remembers it or that there is none. One whose selections
    /// the hardware does not keep is none.
    #[cold]
    #[inline(never)]
    fn place_anew(&mut self, pmu: Pmu<'_, D>, epoch: u64) -> bool {
        if epoch != self.failed {
            let found = self.find(pmu.driver, &pmu.image().occupancy(), Steps::SWITCH).ok();
            let length = self.set.requests().len();
            match found.filter(|placement| pmu.check_kept(&placement.slots[..length]).is_ok()) {
                Some(placement) => self.take_place(placement, epoch),
                None => self.failed = epoch,
            }
        }
        epoch == self.placed
    }

    /// Stores the placement for the next switch beside the same sessions.
    pub(super) fn take_place(&mut self, placement: Placement<D, N>, epoch: u64) {
        (self.placement, self.placed) = (Some(placement), epoch);
    }

    /// Looks for a placement on this driver's unit, beside what is in use there.
    fn find(&self, driver: &D, beside: &D::Occupancy, steps: Steps) -> Result<Placement<D, N>> {
        if driver.kind().codes() == self.home() {
            return Placement::find(driver, self.set.requests(), beside, steps);
        }
        Placement::find(driver, self.translated(driver)?.requests(), beside, steps)
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Looks for counters on this CPU for a thread that waits, for longer than a switch may: up to 50,000 instructions,
    /// and as many as it takes to look its events' names up. What was found is remembered. A context that is switched in
    /// and waits counts from now on.
    ///
    /// A switch that finds no counters within 2,000 instructions lets the thread wait. So does one to a kind of unit where the
    /// names of the thread's events were not looked up yet ([`Context::bind_by_name`]). While [`Context::is_waiting`] returns
    /// true, a kernel calls this where it has time for it.
    ///
    /// # Errors
    /// The thread goes on waiting. [`Error::Refused`] for a code, or for an event by name, that this kind of unit does not
    /// have; [`Error::Swallowed`] for a selection that it does not keep; [`Error::Conflict`] if the requests do not fit beside
    /// the sessions that are open here; [`Error::ThreadIn`] while another context is switched in here; [`Error::NotBound`],
    /// [`Error::Invalidated`]; [`Error::WrongCpu`], [`Error::Suspended`], [`Error::Halted`], [`Error::NotClaimed`].
    pub fn place<const N: usize>(&self, context: &mut Context<D, N>) -> Result<()> {
        context.checked()?;
        if context.position == Position::In {
            return self.thread_counts(context).map(drop);
        }
        let (epoch, occupancy) = self.sessions_in_use(context.ticket)?;
        context.look_names_up(self.driver);
        context.failed = NOWHERE;
        let placement = context.find(self.driver, &occupancy, Steps::OPEN)?;
        self.enter()?.check_kept(&placement.slots[..context.set.requests().len()])?;
        let is_waiting = context.is_waiting();
        self.switch_out(context);
        if context.is_in() {
            return Err(Error::WrongCpu { owner: context.cpu, here: self.cpu() });
        }
        context.ticket = NEVER;
        context.take_place(placement, epoch);
        if is_waiting {
            self.switch_in(context);
        }
        Ok(())
    }

    /// Checks that no session is open here to which threads yield, if the unit can be asked here.
    pub(super) fn check_yields_to_none(self) -> Result<()> {
        match self.enter() {
            Ok(operation) if operation.yields_to_sessions() => Err(Error::InUse(operation.shared.residency.reserved())),
            _ => Ok(()),
        }
    }

    /// Returns what sessions have in use, with their epoch, while no other context than the one with
    /// this ticket is in.
    fn sessions_in_use(self, ticket: u64) -> Result<(u64, D::Occupancy)> {
        let operation = self.enter()?;
        if operation.shared.counting.is_halted() {
            return Err(Error::Halted);
        }
        let residency = &operation.shared.residency;
        if !residency.is_vacant() && !residency.is_occupant(ticket) {
            return Err(Error::ThreadIn);
        }
        operation.free_dropped();
        operation.free_resident();
        Ok((operation.epoch(), operation.image().occupancy()))
    }
}
