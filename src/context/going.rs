//! A thread's context leaves a CPU's unit, with its counts.

use super::Context;
use super::outcome::{Outcome, not_begun};
use super::stay::{State, Stay};
use crate::backend::Backend;
use crate::event::CounterSet;
use crate::phase::Here;
use crate::pmu::Pmu;

impl<B: Backend> Pmu<'_, B> {
    /// The context leaves its counters behind.
    #[inline(never)]
    pub(super) fn go<const N: usize>(&self, context: &mut Context<B, N>, here: Here) -> Outcome {
        let (shared, owner) = (self.shared, self.owner);
        let Some(operation) = shared.enter_on(here, owner) else { return not_begun() };
        if !self.has_plainly(context) {
            operation.hand_on();
            return self.go_carefully(context);
        }
        shared.halt_kept(&owner.backend, context.stay.others);
        let now = owner.backend.ticks();
        context.enabled = context.enabled.wrapping_add(now);
        if self.leave_seats(context) {
            operation.hand_on();
            return self.go_after_overflows(context);
        }
        self.leave_behind(context);
        drop(operation);
        Ok(())
    }

    /// Notes how the stopped counters were left. Has any overflowed, whether it was accounted for or not?
    #[inline(always)]
    pub(super) fn leave_seats<const N: usize>(&self, context: &mut Context<B, N>) -> bool {
        if context.seats.leave(&self.owner.backend) {
            return true;
        }
        self.owner.backend.fence();
        self.shared.overflows() != context.stay.overflows
    }

    /// The context is out; it finds its counters when it comes back, if nobody has needed them.
    #[inline(always)]
    fn leave_behind<const N: usize>(&self, context: &mut Context<B, N>) {
        self.shared.threads.pass();
        context.stay.pass();
    }

    /// The context leaves: it may have no counters, may not leave them behind, or may not be in here.
    #[cold]
    #[inline(never)]
    fn go_carefully<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        let operation = self.shared.carry_on(self.owner);
        let outcome = self.stop(context);
        drop(operation);
        outcome
    }

    /// [`Pmu::stop_after_overflows`], and the end of the operation.
    #[cold]
    #[inline(never)]
    fn go_after_overflows<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        let operation = self.shared.carry_on(self.owner);
        self.stop_after_overflows(context);
        drop(operation);
        Ok(())
    }

    /// The context leaves in any case.
    #[inline(never)]
    pub(super) fn stop<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        if !self.has(context) {
            return self.lose(context);
        }
        self.shared.halt(&self.owner.backend, context.stay.set);
        context.count_until(self.owner.backend.ticks());
        self.book(context);
        Ok(())
    }

    /// The context, which is stopped and has counted no longer, leaves after interrupts that may have been its own counters', or
    /// with some on their way.
    pub(super) fn stop_after_overflows<const N: usize>(&self, context: &mut Context<B, N>) {
        self.shared.halt_again(&self.owner.backend);
        self.book(context);
    }

    /// Books what the stopped counters have counted, also what has overflowed; they are left behind or
    /// given back.
    #[inline(never)]
    pub(super) fn book<const N: usize>(&self, context: &mut Context<B, N>) {
        let (shared, backend, set) = (self.shared, &self.owner.backend, context.stay.set);
        shared.hush(backend, set);
        if !set.is_empty() {
            self.settle(context);
        }
        if context.stay.keeps && set.and(shared.spent()).is_empty() {
            shared.heed(set);
            self.leave_behind(context);
        } else {
            self.give_up(context);
        }
    }

    /// Reads the stopped counters and their accounts, once what has overflowed is in them.
    fn settle<const N: usize>(&self, context: &mut Context<B, N>) {
        let (shared, backend) = (self.shared, &self.owner.backend);
        context.seats.iter_mut().for_each(|seat| _ = seat.leave(backend));
        let pending: CounterSet =
            context.seats.iter().filter(|seat| seat.is_past()).map(|seat| seat.counter()).collect();
        if !pending.is_empty() {
            shared.settle_pending(backend, pending);
            context.seats.iter_mut().for_each(|seat| _ = seat.leave(backend));
        }
        context.stay.overflows = shared.overflows();
        context.seats.iter_mut().for_each(|seat| seat.compare(shared));
    }

    /// Its counters are given back.
    fn give_up<const N: usize>(&self, context: &mut Context<B, N>) {
        let (shared, set) = (self.shared, context.stay.set);
        let is_frozen = !set.and(shared.once.counters()).and(shared.spent()).is_empty();
        shared.take_back(&self.owner.backend);
        context.begin_stay(Stay::NOWHERE);
        if context.elsewhere {
            context.unseat();
        }
        context.become_state(if is_frozen { State::Frozen } else { State::Bound });
    }
}
