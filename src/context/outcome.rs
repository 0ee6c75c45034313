//! What became of a switch, and what is known of a context before it.

use core::convert::Infallible;

use super::Context;
use super::stay::{State, Stay};
use crate::backend::Backend;
use crate::event::{Error, Result};
use crate::pmu::Pmu;

/// Why a switch was refused. It fits into a register; an error is made of it where one is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Refused {
    /// The operation could not begin.
    NotBegun,
    /// Another one is in, or this one.
    Occupied,
    /// The one that is to leave is in on another CPU.
    Elsewhere,
}

/// What became of a switch.
pub(crate) type Outcome = Result<(), Refused>;

/// The operation could not begin; out of the way.
#[cold]
#[inline(never)]
pub(super) fn not_begun() -> Outcome {
    Err(Refused::NotBegun)
}

impl<B: Backend> Pmu<'_, B> {
    #[inline(always)]
    pub(crate) fn said<const N: usize>(&self, outcome: Outcome, context: &Context<B, N>) -> Result<()> {
        match outcome {
            Ok(()) => Ok(()),
            Err(refused) => {
                let Err(error) = self.explain(refused, context);
                Err(error)
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn explain<const N: usize>(&self, refused: Refused, context: &Context<B, N>) -> Result<Infallible> {
        match refused {
            Refused::NotBegun => self.shared.refused(self.owner),
            Refused::Occupied => Err(Error::ThreadIn),
            Refused::Elsewhere => Err(Error::WrongCpu { owner: context.stay.cpu, here: self.owner.cpu }),
        }
    }

    /// Is this context's stay the last one here, whether it is in or out, and coming and going no more
    /// than to start its counters and to stop them?
    #[inline(always)]
    pub(super) fn has_plainly<const N: usize>(&self, context: &Context<B, N>) -> bool {
        context.stay.unit == self.shared.address() && self.shared.threads.is_stay(context.stay.mark())
    }

    /// Is this context in here?
    pub(super) fn has<const N: usize>(&self, context: &Context<B, N>) -> bool {
        context.is_in() && self.has_last(&context.stay)
    }

    /// Is this context out, and what it has left behind here is as it was?
    pub(super) fn knows<const N: usize>(&self, context: &Context<B, N>) -> bool {
        !context.is_in() && self.has_last(&context.stay)
    }

    fn has_last(&self, stay: &Stay) -> bool {
        self.shared.threads.is_stay(stay.number()) && stay.unit == self.shared.address()
    }

    /// The context is not in here: it was evicted, or is in on another CPU.
    #[cold]
    #[inline(never)]
    pub(super) fn lose<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        if context.stay.cpu != self.owner.cpu {
            return Err(Refused::Elsewhere);
        }
        context.count_until(self.owner.backend.ticks());
        context.begin_stay(Stay::NOWHERE);
        context.become_state(State::Invalid);
        Ok(())
    }
}

impl<B: Backend, const N: usize> Context<B, N> {
    /// It comes at this tick.
    pub(super) fn count_from(&mut self, now: u64) {
        self.enabled = self.enabled.wrapping_sub(now);
        if self.stay.set.is_empty() {
            self.waited = self.waited.wrapping_sub(now);
        }
    }

    /// It goes at this tick.
    pub(super) fn count_until(&mut self, now: u64) {
        self.enabled = self.enabled.wrapping_add(now);
        if self.stay.set.is_empty() {
            self.waited = self.waited.wrapping_add(now);
        }
    }
}
