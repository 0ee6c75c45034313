//! An operation: a scope with ordinary interrupts off, on the unit's own CPU.

use core::ops::Deref;

use super::{Claim, Guest, Home, Ownership};
use crate::contract::{Driver, Masked, Registers};
use crate::event::{CpuId, Error};
use crate::unit::Pmu;

/// The scope of an operation. Ordinary interrupts are off until it is dropped.
pub(crate) struct Operation<'u, D: Driver> {
    pmu: Pmu<'u, D>,
    claim: Claim,
    _scope: Scope<'u, D>,
}

/// Ordinary interrupts are off until it is dropped.
pub(crate) struct Scope<'u, D: Driver> {
    driver: &'u D,
    before: Masked,
}

/// Why no operation can begin. Converts to [`Error`] lazily, because [`Error`] is large.
#[derive(Clone, Copy)]
pub(crate) struct Refused<'u> {
    home: &'u Home,
    guest: &'u Guest,
    /// The claim that the operation required, or `None` if any would do.
    claim: Option<Claim>,
    here: CpuId,
}

impl From<Refused<'_>> for Error {
    #[cold]
    #[inline(never)]
    fn from(Refused { home, guest, claim, here }: Refused<'_>) -> Self {
        match claim {
            Some(claim) if !home.is(claim) => Self::Invalidated,
            _ if home.held_by(here).is_some() && guest.is_there() => Self::GuestIn,
            _ => home.refusal(here),
        }
    }
}

impl<'u, D: Driver> Scope<'u, D> {
    #[inline(always)]
    pub(crate) fn enter(driver: &'u D) -> Self {
        Self { driver, before: driver.registers().enter() }
    }

    /// Leaves interrupts off, while the driver is moved.
    pub(crate) fn into_masked(self) -> Masked {
        core::mem::ManuallyDrop::new(self).before
    }

    /// The same scope, after the driver was moved.
    pub(crate) const fn from_masked(driver: &'u D, before: Masked) -> Self {
        Self { driver, before }
    }
}

impl<D: Driver> Drop for Scope<'_, D> {
    #[inline(always)]
    fn drop(&mut self) {
        self.driver.registers().leave(self.before);
    }
}

impl<'u, D: Driver> Pmu<'u, D> {
    /// Begins an operation.
    ///
    /// # Errors
    /// [`Error::NotClaimed`], [`Error::WrongCpu`], [`Error::Suspended`], [`Error::GuestIn`].
    #[inline(always)]
    pub(crate) fn enter(self) -> Result<Operation<'u, D>, Refused<'u>> {
        self.enter_with(None)
    }

    /// Begins an operation of something that was opened under this claim.
    ///
    /// # Errors
    /// As [`Pmu::enter`]; [`Error::Invalidated`] if the unit was given up since.
    #[inline(always)]
    pub(crate) fn enter_under(self, claim: Claim) -> Result<Operation<'u, D>, Refused<'u>> {
        self.enter_with(Some(claim))
    }

    #[inline(always)]
    fn enter_with(self, required: Option<Claim>) -> Result<Operation<'u, D>, Refused<'u>> {
        let (scope, here) = (Scope::enter(self.driver), self.driver.registers().cpu());
        let Ownership { home, guest, .. } = &self.shared.ownership;
        let awake = match required {
            Some(claim) if claim.is_of(here) && home.is_awake_under(claim) => Some(claim),
            Some(_) => None,
            None => home.awake_on(here),
        };
        // A closure would keep what it captures on the stack, for every operation.
        let entered = match awake {
            Some(claim) => Some(claim),
            None => self.wake_abandoned(required, here),
        };
        match entered {
            Some(claim) => Ok(Operation { pmu: self, claim, _scope: scope }),
            None => Err(Refused { home, guest, claim: required, here }),
        }
    }

    /// Wakes this CPU's unit if it was given to a guest whose pass-through was dropped on another CPU. Returns its claim then,
    /// if it is the required one.
    #[cold]
    #[inline(never)]
    fn wake_abandoned(self, required: Option<Claim>, here: CpuId) -> Option<Claim> {
        let Ownership { home, guest, .. } = &self.shared.ownership;
        let claim = home.held_by(here).filter(|claim| required.is_none_or(|required| required == *claim))?;
        (guest.is_abandoned() && self.wake().is_ok()).then_some(claim)
    }

    /// Returns the claim of this CPU, suspended or not.
    ///
    /// # Errors
    /// [`Error::NotClaimed`], [`Error::WrongCpu`].
    pub(crate) fn held_here(self) -> Result<Claim, Error> {
        let _scope = Scope::enter(self.driver);
        let (home, here) = (&self.shared.ownership.home, self.cpu());
        home.held_by(here).ok_or_else(|| home.refusal(here))
    }
}

impl<D: Driver> Operation<'_, D> {
    #[inline(always)]
    pub(crate) fn claim(&self) -> Claim {
        self.claim
    }
}

impl<'u, D: Driver> Deref for Operation<'u, D> {
    type Target = Pmu<'u, D>;

    #[inline(always)]
    fn deref(&self) -> &Pmu<'u, D> {
        &self.pmu
    }
}
