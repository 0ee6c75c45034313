//! One thread's context leaves a CPU's unit, and another one comes.
//!
//! Mostly they have the same counters, as groups of requests have that take turns: then a counter is
//! stopped, read, given the other one's control word if that is another, and the other one's value.

use super::Context;
use super::outcome::{Outcome, not_begun};
use crate::backend::{Backend, Image};
use crate::event::CounterSet;
use crate::phase::Here;
use crate::pmu::Pmu;

impl<B: Backend> Pmu<'_, B> {
    /// The one leaves, the other comes.
    #[inline(never)]
    pub(super) fn make_way<const N: usize, const M: usize>(
        &self,
        from: &mut Context<B, N>,
        to: &mut Context<B, M>,
        here: Here,
    ) -> Outcome {
        let (shared, owner) = (self.shared, self.owner);
        let Some(operation) = shared.enter_on(here, owner) else { return not_begun() };
        if !self.has_plainly(from) || !self.has_its_like(from, to) {
            operation.hand_on();
            return self.make_way_carefully(from, to);
        }
        shared.halt_kept(&owner.backend, from.stay.others);
        let now = owner.backend.ticks();
        from.enabled = from.enabled.wrapping_add(now);
        if self.leave_seats(from) {
            operation.hand_on();
            return self.make_way_after_overflows(from, to);
        }
        self.follow(from, to);
        operation.hand_on();
        self.begin(to)
    }

    /// Was the context in here last with the counters that the other one has now, and may it have them
    /// as they are?
    #[inline(always)]
    fn has_its_like<const N: usize, const M: usize>(&self, other: &Context<B, N>, context: &Context<B, M>) -> bool {
        context.is_bound()
            && context.stay.resumable == other.stay.resumable
            && context.stay.resumable == self.shared.image.occupied()
            && context.stay.unit == self.shared.address()
            && !context.is_in()
    }

    /// The one, whose counters are stopped and read, leaves them to the other.
    #[inline(always)]
    fn follow<const N: usize, const M: usize>(&self, from: &mut Context<B, N>, to: &mut Context<B, M>) {
        let (shared, backend) = (self.shared, &self.owner.backend);
        shared.threads.relieve();
        from.stay.pass();
        to.stay.follow(&from.stay);
        to.stay.overflows = from.stay.overflows;
        if !from.stay.sampling.or(to.stay.sampling).is_empty() {
            self.sample_instead(from.stay.others, to);
        }
        to.seats.resume(shared, backend);
    }

    /// The context's requests have samples, or the last ones on its counters had.
    #[inline(never)]
    fn sample_instead<const N: usize>(&self, others: CounterSet, context: &Context<B, N>) {
        self.shared.sample_instead(others, context.stay.sampling);
        context.seats.iter().for_each(|seat| seat.open(self.shared));
    }

    /// They have other counters, or either is to be dealt with carefully.
    #[cold]
    #[inline(never)]
    fn make_way_carefully<const N: usize, const M: usize>(
        &self,
        from: &mut Context<B, N>,
        to: &mut Context<B, M>,
    ) -> Outcome {
        match self.stop(from) {
            Ok(()) => self.come_if_bound(to),
            refused => self.end(refused),
        }
    }

    /// The same after interrupts that may have been the stopped counters', or with some on their way.
    #[cold]
    #[inline(never)]
    fn make_way_after_overflows<const N: usize, const M: usize>(
        &self,
        from: &mut Context<B, N>,
        to: &mut Context<B, M>,
    ) -> Outcome {
        self.stop_after_overflows(from);
        self.come_if_bound(to)
    }

    #[inline(always)]
    fn come_if_bound<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        if context.is_bound() { self.come_anew(context) } else { self.end(Ok(())) }
    }

    /// The operation ends with this.
    fn end(&self, outcome: Outcome) -> Outcome {
        drop(self.shared.carry_on(self.owner));
        outcome
    }
}
