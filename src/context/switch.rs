//! A scheduler's calls: a thread comes to a CPU and leaves it.
//!
//! Schedulers switch often, and mostly between threads that nobody measures, or to one that finds its
//! counters again as it left them. So the look whether anything is to be done, and the question which
//! CPU this is, are where the scheduler calls; what is done then is out of line, calls nobody and keeps
//! no register; and what is rare is further away.

use super::Context;
use super::outcome::{Outcome, Refused};
use crate::backend::Backend;
use crate::event::Result;
use crate::phase::Here;
use crate::pmu::Pmu;

impl<B: Backend> Pmu<'_, B> {
    /// The thread of this context runs on this CPU from now on. One that does not count, because it
    /// is not bound, disabled, frozen or invalid, costs a look at its state.
    ///
    /// A context that finds its counters taken waits, or is invalidated: [`Threads`](crate::Threads) says which.
    /// Neither is an error here, where a scheduler could not do anything about it.
    ///
    /// # Errors
    /// [`Error::ThreadIn`](crate::Error::ThreadIn) if another context, or this one, is switched in: switch it out first;
    /// [`Error::WrongCpu`](crate::Error::WrongCpu), [`Error::Busy`](crate::Error::Busy). Nothing has changed.
    #[inline(always)]
    pub fn switch_in<const N: usize>(&self, context: &mut Context<B, N>) -> Result<()> {
        let came = self.come_if_any(context);
        self.said(came, context)
    }

    #[inline(always)]
    fn come_if_any<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        if !context.is_bound() {
            return Ok(());
        }
        if context.is_in() {
            return Err(Refused::Occupied);
        }
        self.come(context, Here::is((self.owner.this_cpu)()))
    }

    /// The thread of this context leaves this CPU. One that is not switched in costs a look at its
    /// state.
    ///
    /// Where the processor allows it ([`Backend::keeps`]), its counters stay as they are until
    /// somebody needs them: a thread that comes back before goes on without programming anything.
    ///
    /// # Errors
    /// [`Error::WrongCpu`](crate::Error::WrongCpu), [`Error::Busy`](crate::Error::Busy); it is still switched in.
    #[inline(always)]
    pub fn switch_out<const N: usize>(&self, context: &mut Context<B, N>) -> Result<()> {
        if !context.is_in() {
            return Ok(());
        }
        let went = self.go(context, Here::is((self.owner.this_cpu)()));
        self.said(went, context)
    }

    /// Both at once, for a scheduler that has both at hand: the thread of `from` leaves this CPU, and
    /// that of `to` runs on it from now on.
    ///
    /// # Errors
    /// As [`Pmu::switch_out`], and nothing has changed; or as [`Pmu::switch_in`], and `from` is out.
    #[inline(always)]
    pub fn switch<const N: usize, const M: usize>(
        &self,
        from: &mut Context<B, N>,
        to: &mut Context<B, M>,
    ) -> Result<()> {
        let outcome = self.exchange(from, to);
        self.said(outcome, from)
    }

    /// [`Pmu::switch`], whose outcome nobody has asked the reason of.
    #[inline(always)]
    pub(crate) fn exchange<const N: usize, const M: usize>(
        &self,
        from: &mut Context<B, N>,
        to: &mut Context<B, M>,
    ) -> Outcome {
        if from.is_in() { self.make_way(from, to, Here::is((self.owner.this_cpu)())) } else { self.come_if_any(to) }
    }

    /// Takes the counters from whichever context is switched in here: that of a thread that was
    /// dropped, or is to make way. It is invalidated.
    ///
    /// # Errors
    /// [`Error::WrongCpu`](crate::Error::WrongCpu), [`Error::Busy`](crate::Error::Busy); nothing has changed.
    pub fn evict(&self) -> Result<()> {
        let Some(operation) = self.shared.enter(self.owner) else { return self.shared.refused(self.owner) };
        self.shared.evict(&self.owner.backend);
        drop(operation);
        Ok(())
    }
}
