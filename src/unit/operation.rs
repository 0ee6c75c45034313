//! An operation: a scope with ordinary interrupts off, on the unit's own CPU.

use core::ops::Deref;

use super::{Claim, Pmu};
use crate::contract::{Driver, Kernel, Masked, Registers};
use crate::event::{CpuId, Error, Result};

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

impl<'u, D: Driver> Scope<'u, D> {
    #[inline(always)]
    pub(crate) fn enter(driver: &'u D) -> Self {
        let registers = driver.registers();
        Self { driver, before: registers.kernel().enter(registers) }
    }
}

impl<D: Driver> Drop for Scope<'_, D> {
    #[inline(always)]
    fn drop(&mut self) {
        let registers = self.driver.registers();
        registers.kernel().leave(registers, self.before);
    }
}

impl<'u, D: Driver> Pmu<'u, D> {
    /// Begins an operation.
    ///
    /// # Errors
    /// [`Error::NotClaimed`], [`Error::WrongCpu`], [`Error::Suspended`].
    #[inline(always)]
    pub(crate) fn enter(self) -> Result<Operation<'u, D>> {
        let scope = Scope::enter(self.driver);
        let cpu = self.driver.registers().kernel().cpu();
        match self.shared.home.awake_on(cpu) {
            Some(claim) => Ok(Operation { pmu: self, claim, _scope: scope }),
            None => Err(self.shared.home.refusal(cpu)),
        }
    }

    /// Begins an operation of something that was opened under this claim.
    ///
    /// # Errors
    /// As [`Pmu::enter`]; [`Error::Invalidated`] if the unit was given up since.
    #[inline(always)]
    pub(crate) fn enter_under(self, claim: Claim) -> Result<Operation<'u, D>> {
        let scope = Scope::enter(self.driver);
        let cpu = self.driver.registers().kernel().cpu();
        if self.shared.home.is_awake_under(claim) && claim.is_of(cpu) {
            return Ok(Operation { pmu: self, claim, _scope: scope });
        }
        drop(scope);
        Err(self.refusal_under(claim, cpu))
    }

    #[cold]
    #[inline(never)]
    fn refusal_under(self, claim: Claim, cpu: CpuId) -> Error {
        if self.shared.home.is(claim) { self.shared.home.refusal(cpu) } else { Error::Invalidated }
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
