//! An operation on a unit: begun on its CPU, amid no other, and done when it is dropped.

use core::mem::forget;

use crate::backend::Backend;
use crate::event::{Error, Result};
use crate::phase::Here;
use crate::shared::{Owner, Shared};

/// The right to change a unit, and what is needed for that, in two words.
pub(crate) struct Operation<'u, B: Backend> {
    pub(crate) shared: &'u Shared<B>,
    pub(crate) owner: &'u Owner<B>,
}

impl<B: Backend> Operation<'_, B> {
    /// What is called next carries it on, by [`Shared::carry_on`]: so it need not be handed over.
    #[inline(always)]
    pub(crate) fn hand_on(self) {
        forget(self);
    }

    /// It ends with the unit given back: from here on the interrupt leaves it alone.
    pub(crate) fn end_unclaimed(self) {
        self.shared.phase.unclaim();
        self.owner.backend.fence();
        forget(self);
    }
}

impl<B: Backend> Drop for Operation<'_, B> {
    #[inline(always)]
    fn drop(&mut self) {
        self.owner.backend.fence();
        self.shared.phase.leave();
    }
}

impl<B: Backend> Shared<B> {
    /// Begins an operation on this unit, on its CPU, that none other on the same CPU is amid.
    /// `None` is to be answered with [`Shared::refused`].
    #[inline(always)]
    pub(crate) fn enter<'u>(&'u self, owner: &'u Owner<B>) -> Option<Operation<'u, B>> {
        self.enter_on(Here::is((owner.this_cpu)()), owner)
    }

    /// The same by who has asked for the CPU already.
    #[inline(always)]
    pub(crate) fn enter_on<'u>(&'u self, here: Here, owner: &'u Owner<B>) -> Option<Operation<'u, B>> {
        if !self.phase.enter(here) {
            return None;
        }
        owner.backend.fence();
        Some(Operation { shared: self, owner })
    }

    /// The operation that a caller has begun, and has handed on ([`Operation::hand_on`]).
    #[inline(always)]
    pub(crate) fn carry_on<'u>(&'u self, owner: &'u Owner<B>) -> Operation<'u, B> {
        Operation { shared: self, owner }
    }

    /// Why an operation could not begin.
    #[cold]
    #[inline(never)]
    pub(crate) fn refused<T>(&self, owner: &Owner<B>) -> Result<T> {
        owner.check()?;
        Err(if self.phase.is_claimed() { Error::Busy } else { Error::NotClaimed })
    }
}
