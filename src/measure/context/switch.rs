//! A scheduler's calls: a thread is switched in on a CPU, and switched out.
//!
//! The unit remembers whose values its counters hold. If the same thread is switched in again and nobody has needed the
//! counters meanwhile, they are only enabled.

use super::{Context, NEVER, Position, State};
use crate::contract::{Driver, Image};
use crate::event::{CpuId, Result};
use crate::sample::Label;
use crate::unit::{Operation, Pmu, Scope};

impl<D: Driver> Pmu<'_, D> {
    /// Switches in a context: its thread runs on this CPU from now on. A context that does not count, because it is unbound,
    /// disabled, frozen or invalid, costs the test of its state.
    ///
    /// Returns true if the kernel is to notify the thread: it was created with a request that notifies
    /// ([`Context::inherit`]), is frozen, and this is the first time that it comes.
    ///
    /// There is no error, because a scheduler could do nothing about it: [`Context::counts`] tells later. A context whose
    /// counters are taken waits or is invalidated: [`Threads`](crate::Threads) says which. A context also waits while another
    /// one is in here, while the unit is suspended or halted, and on another CPU than this unit's. While it waits, its time
    /// enabled grows and its time running does not.
    ///
    /// A context that is in here already stays in. One that is still in on another CPU, for instance because that CPU's unit
    /// was given up ([`Pmu::revoke`]) before the thread moved, is invalidated. If the other unit is still claimed,
    /// [`Pmu::evict`] there frees its counters.
    #[inline(always)]
    pub fn switch_in<const N: usize>(&self, context: &mut Context<D, N>) -> bool {
        if context.state == State::Bound {
            self.schedule_in(context);
            return false;
        }
        context.state == State::Created && context.be_frozen()
    }

    /// Switches out a context: its thread leaves this CPU. A context that is not in costs the test of its state.
    ///
    /// Its values stay in the counters until somebody else needs the counters: a thread that returns before that only enables
    /// them. A context whose counters were taken from it is invalidated: its [`counts`](Context::counts) are an error until it
    /// is bound anew. A context that is in on another CPU stays in there.
    #[inline(always)]
    pub fn switch_out<const N: usize>(&self, context: &mut Context<D, N>) {
        if context.is_in() {
            self.schedule_out(context);
        }
    }

    /// [`Pmu::switch_out`] and [`Pmu::switch_in`], for a scheduler that has both contexts at hand. Returns what `switch_in`
    /// does. Two threads of which nothing is counted cost a look at their states.
    #[inline(always)]
    pub fn switch<const N: usize, const M: usize>(&self, from: &mut Context<D, N>, to: &mut Context<D, M>) -> bool {
        self.switch_out(from);
        self.switch_in(to)
    }

    /// Takes the counters from the context that is switched in here, and invalidates it: for a thread that was dropped, or
    /// whose counters are needed.
    ///
    /// # Errors
    /// [`WrongCpu`](crate::Error::WrongCpu), [`Suspended`](crate::Error::Suspended),
    /// [`NotClaimed`](crate::Error::NotClaimed); nothing has changed.
    pub fn evict(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.evict_occupant();
        Ok(())
    }

    #[inline(never)]
    fn schedule_out<const N: usize>(self, context: &mut Context<D, N>) {
        let operation = match self.enter() {
            Ok(operation) if operation.shared.occupant.get() == context.ticket => operation,
            _ => return self.lose(context),
        };
        let (shared, now) = (operation.shared, operation.now());
        if context.position == Position::In {
            operation.take(context);
        }
        context.leave(now);
        shared.unschedule();
        if context.is_changed {
            context.forget_placement();
        }
    }

    /// Switches out a context that is not the unit's occupant: it only waited, its counters were taken from it, or it is in on
    /// another CPU.
    #[cold]
    #[inline(never)]
    fn lose<const N: usize>(self, context: &mut Context<D, N>) {
        let _scope = Scope::enter(self.driver);
        if context.ticket == NEVER {
            context.leave(self.time());
        } else if context.cpu == self.cpu() {
            context.invalidate();
        }
    }

    #[inline(never)]
    fn schedule_in<const N: usize>(self, context: &mut Context<D, N>) {
        if context.is_in() {
            return self.check_in(context);
        }
        let operation = match self.enter() {
            Ok(operation) if operation.shared.occupant.get() == 0 => operation,
            _ => return self.wait(context),
        };
        let shared = operation.shared;
        if shared.threads_yield() && operation.has_sessions() {
            return context.invalidate();
        }
        let is_resident = shared.resident.get() == context.ticket;
        let has_counters =
            (is_resident || operation.bring(context)) && shared.clear_ended(shared.resident_set.counters());
        context.enter(operation.now(), operation.claim().cpu(), has_counters);
        shared.occupant.set(context.ticket);
        if has_counters {
            let counters = context.placement.counters;
            shared.scheduled.set(counters.bits());
            operation.arm(counters);
        }
    }

    /// Invalidates a context that is in, unless it is in here.
    #[cold]
    #[inline(never)]
    fn check_in<const N: usize>(self, context: &mut Context<D, N>) {
        let _scope = Scope::enter(self.driver);
        let is_here = match context.ticket {
            NEVER => context.cpu == self.cpu(),
            ticket => self.enter().is_ok_and(|operation| operation.shared.occupant.get() == ticket),
        };
        if !is_here {
            context.invalidate();
        }
    }

    /// The context waits, and the unit does not know of it.
    #[cold]
    #[inline(never)]
    fn wait<const N: usize>(self, context: &mut Context<D, N>) {
        let _scope = Scope::enter(self.driver);
        context.ticket = NEVER;
        context.enter(self.time(), self.cpu(), false);
    }
}

impl<D: Driver> Operation<'_, D> {
    /// Brings the context's values into counters. Returns false if it has no placement.
    #[inline(always)]
    fn bring<const N: usize>(&self, context: &mut Context<D, N>) -> bool {
        let (pmu, shared) = (**self, self.shared);
        self.free_dropped();
        self.free_resident();
        context.ticket = shared.next_ticket();
        if !context.is_placed(pmu) {
            return false;
        }
        let (requests, thread, before) = (context.set.requests(), context.thread, shared.image.counters());
        let slots = &context.placement.slots[..requests.len().min(N)];
        pmu.withdraw(context.placement.counters);
        pmu.driver.load(&shared.image, &context.placement.program, slots);
        shared.resident.set(context.ticket);
        shared.resident_set.set(shared.image.counters().without(before).bits());
        for (((slot, request), entry), label) in slots.iter().zip(requests).zip(&context.entries).zip(&context.labels) {
            entry.bring(pmu, slot, request, Label::from_bits((*label).into()).of_thread(thread));
        }
        true
    }

    /// Takes the context's values from its counters, and freezes it if a request has notified. If the unit was halted, the
    /// time of the halt is not known, so the whole time counts as waiting.
    #[inline(always)]
    fn take<const N: usize>(&self, context: &mut Context<D, N>) {
        let counters = context.placement.counters;
        self.disarm(counters);
        let throttled = self.throttled_among(counters);
        let count = context.set.len().min(N);
        for (slot, entry) in context.placement.slots[..count].iter().zip(&mut context.entries) {
            if throttled.contains(slot.counter) {
                self.end_throttling(slot);
            }
            entry.take(**self, slot);
        }
        if !self.shared.ended.counters().and(counters).is_empty() {
            match self.shared.is_halted() {
                true => context.position = Position::Waiting,
                false => context.become_state(State::Frozen),
            }
        }
    }
}

impl<D: Driver, const N: usize> Context<D, N> {
    /// Freezes a context that was created frozen, now that its thread is told. Returns true.
    #[cold]
    #[inline(never)]
    fn be_frozen(&mut self) -> bool {
        self.state = State::Frozen;
        true
    }

    /// The thread comes to this CPU.
    #[inline(always)]
    fn enter(&mut self, now: u64, cpu: CpuId, has_counters: bool) {
        (self.since, self.cpu) = (now, cpu);
        self.position = if has_counters { Position::In } else { Position::Waiting };
        self.generation = self.generation.wrapping_add(1);
    }

    /// The thread leaves its CPU.
    #[inline(always)]
    fn leave(&mut self, now: u64) {
        let time = now.wrapping_sub(self.since);
        self.enabled = self.enabled.wrapping_add(time);
        if self.position == Position::Waiting {
            self.waited = self.waited.wrapping_add(time);
        }
        self.position = Position::Out;
        self.generation = self.generation.wrapping_add(1);
    }
}
