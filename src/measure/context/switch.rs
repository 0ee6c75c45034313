//! A scheduler's calls: a thread comes to a CPU and leaves it.
//!
//! There is one way out and one way in. The unit remembers whose values its counters hold: if the same thread is switched
//! in again and nobody has needed them, its counters only run.

use super::entry::label;
use super::{Context, NEVER, Position, State};
use crate::contract::{Driver, Image, Kernel, Registers};
use crate::event::{CpuId, Error, Result};
use crate::unit::{Operation, Pmu};

impl<D: Driver> Pmu<'_, D> {
    /// The thread of this context runs on this CPU from now on. One that does not count, because it is not bound,
    /// disabled, frozen or invalid, costs a look at its state.
    ///
    /// A context that finds its counters taken waits, or is invalidated: [`Threads`](crate::Threads) says which. Neither
    /// is an error here, where a scheduler could not do anything about it.
    ///
    /// # Errors
    /// [`Error::ThreadIn`] if another context, or this one, is switched in: switch it out first; [`Error::WrongCpu`],
    /// [`Error::Suspended`], [`Error::NotClaimed`]. Nothing has changed.
    #[inline(always)]
    pub fn switch_in<const N: usize>(&self, context: &mut Context<D, N>) -> Result<()> {
        if context.state == State::Bound { self.schedule_in(context) } else { Ok(()) }
    }

    /// The thread of this context leaves this CPU. One that is not switched in costs a look at its state.
    ///
    /// Its values stay in the counters until somebody needs those: a thread that comes back before only runs them.
    ///
    /// # Errors
    /// [`Error::WrongCpu`]; it is still switched in.
    #[inline(always)]
    pub fn switch_out<const N: usize>(&self, context: &mut Context<D, N>) -> Result<()> {
        if context.is_in() { self.schedule_out(context) } else { Ok(()) }
    }

    /// Both at once, for a scheduler that has both at hand: the thread of `from` leaves this CPU, and that of `to` runs
    /// on it from now on. Two threads of which nothing is counted cost a look at their states.
    ///
    /// # Errors
    /// As [`Pmu::switch_out`], and nothing has changed; or as [`Pmu::switch_in`], and `from` is out.
    #[inline(always)]
    pub fn switch<const N: usize, const M: usize>(
        &self,
        from: &mut Context<D, N>,
        to: &mut Context<D, M>,
    ) -> Result<()> {
        self.switch_out(from)?;
        self.switch_in(to)
    }

    /// Takes the counters from whichever context is switched in here: that of a thread that was dropped, or is to make
    /// way. It is invalidated.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::Suspended`], [`Error::NotClaimed`]; nothing has changed.
    pub fn evict(&self) -> Result<()> {
        let operation = (*self).enter()?;
        operation.evict_occupant();
        Ok(())
    }

    #[inline(never)]
    fn schedule_out<const N: usize>(self, context: &mut Context<D, N>) -> Result<()> {
        let operation = match self.enter() {
            Ok(operation) if operation.shared.occupant.get() == context.ticket => operation,
            Ok(_) => return context.lose(self, Error::Invalidated),
            Err(error) => return context.lose(self, error),
        };
        let (shared, now) = (operation.shared, operation.now());
        if context.position == Position::In {
            operation.disarm(context.counters);
            context.entries.iter_mut().for_each(|entry| entry.take(self));
        }
        context.leave(now);
        let is_frozen = !shared.ended.counters().and(context.counters).is_empty();
        if is_frozen {
            context.become_state(State::Frozen);
        }
        shared.scheduled.set(0);
        shared.occupant.set(0);
        if context.is_changed {
            context.forget_placements();
        }
        Ok(())
    }

    #[inline(never)]
    fn schedule_in<const N: usize>(self, context: &mut Context<D, N>) -> Result<()> {
        if context.is_in() {
            return Err(Error::ThreadIn);
        }
        let operation = self.enter()?;
        let shared = operation.shared;
        if shared.occupant.get() != 0 {
            return Err(Error::ThreadIn);
        }
        if shared.threads_yield() && shared.reserved.get() != 0 {
            context.become_state(State::Invalid);
            return Ok(());
        }
        let is_resident = context.ticket != 0 && shared.resident.get() == context.ticket;
        let has_counters = is_resident || operation.bring(context);
        context.enter(operation.now(), self.driver.registers().kernel().cpu(), has_counters);
        shared.occupant.set(context.ticket);
        if has_counters {
            shared.scheduled.set(context.counters.bits());
            shared.ended.exclude(context.counters);
            operation.arm(context.counters);
        }
        Ok(())
    }
}

impl<D: Driver> Operation<'_, D> {
    /// Brings the context's values into counters. Returns false if it has no placement.
    #[inline(always)]
    fn bring<const N: usize>(&self, context: &mut Context<D, N>) -> bool {
        let (pmu, shared) = (**self, self.shared);
        self.free_dropped();
        self.free_left_behind();
        context.ticket = shared.next_ticket();
        let Some(number) = context.placement(pmu.driver, &shared.image.occupancy()) else { return false };
        let Some(placement) = context.placements.get(number) else { return false };
        let requests = context.set.requests();
        pmu.driver.load(&shared.image, &placement.program, &placement.slots[..requests.len().min(N)]);
        let slots = placement.slots.iter().zip(requests).enumerate();
        for ((number, (slot, request)), entry) in slots.zip(&mut context.entries) {
            entry.bring(pmu, slot, request, label(slot, context.group, number, request, context.thread));
        }
        context.counters = placement.counters;
        shared.ended.exclude(placement.occupied);
        shared.resident.set(context.ticket);
        shared.resident_set.set(placement.occupied.bits());
        true
    }
}

impl<D: Driver, const N: usize> Context<D, N> {
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

    /// The context cannot be switched out as it was switched in: the unit is another CPU's, was given up, or has taken
    /// its counters from it.
    #[cold]
    #[inline(never)]
    fn lose(&mut self, pmu: Pmu<'_, D>, error: Error) -> Result<()> {
        let here = pmu.driver.registers().kernel().cpu();
        if self.cpu != here {
            return Err(Error::WrongCpu { owner: self.cpu, here });
        }
        if matches!(error, Error::WrongCpu { .. }) {
            return Err(error);
        }
        self.position = Position::Out;
        self.ticket = NEVER;
        self.become_state(State::Invalid);
        Ok(())
    }
}
