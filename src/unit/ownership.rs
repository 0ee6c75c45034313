//! Who has the unit: nobody, a CPU, a guest of its host; and whether it sleeps.

mod claim;
mod guest;
mod home;
mod operation;
mod sleep;

use guest::Guest;
pub(crate) use home::{Claim, Home};
pub(crate) use operation::{Operation, Refused, Scope};
use spin::Once;

use super::Pmu;
use crate::contract::{Driver, Registers};
use crate::sync::{Cell, Word};

/// Who has the unit, and what is kept while somebody else has it.
pub(crate) struct Ownership<D: Driver> {
    home: Home,
    driver: Once<D>,
    /// The guest that has the unit's counters, if there is one.
    guest: Guest,
    /// What is added to the clock, so that time goes on over a sleep. While the unit is suspended: the time of the suspension.
    clock_base: Word,
    /// The counters that shall count again after the sleep.
    parked: Cell,
    /// The number of the last claim.
    claims: Cell,
    /// What the registers held before the claim.
    saved: D::Saved,
}

impl<D: Driver> Ownership<D> {
    pub(super) const fn unclaimed() -> Self {
        Self {
            home: Home::unclaimed(),
            driver: Once::new(),
            guest: Guest::none(),
            clock_base: Word::new(0),
            parked: Cell::new(0),
            claims: Cell::new(0),
            saved: D::NOTHING_SAVED,
        }
    }

    /// Returns the driver of the first claim.
    #[inline(always)]
    pub(super) fn driver(&self) -> Option<&D> {
        self.driver.get()
    }

    /// Returns true if the unit is claimed and awake, on whichever CPU.
    #[inline(always)]
    pub(super) fn is_awake(&self) -> bool {
        self.home.is_awake()
    }

    /// Returns true if this claim still holds, suspended or not.
    pub(crate) fn is(&self, claim: Claim) -> bool {
        self.home.is(claim)
    }

    pub(crate) const fn guest(&self) -> &Guest {
        &self.guest
    }
}

impl<D: Driver> Pmu<'_, D> {
    /// Returns the time, which goes on over a sleep.
    #[inline(always)]
    pub(crate) fn now(self) -> u64 {
        self.driver.registers().clock().wrapping_add(self.shared.ownership.clock_base.get())
    }

    /// Returns the time, or the time at which the unit was suspended, while it is.
    pub(crate) fn time(self) -> u64 {
        let ownership = &self.shared.ownership;
        if ownership.home.suspended().is_none() { self.now() } else { ownership.clock_base.get() }
    }
}
