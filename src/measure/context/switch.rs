//! A scheduler's calls: a thread is switched in on a CPU, and switched out.
//!
//! The unit remembers whose values its counters hold. If the same thread is switched in again and nobody has needed the
//! counters meanwhile, they are only enabled.

use super::entry::Entry;
use super::placing::{NOWHERE, Placement};
use super::{Context, NEVER, Position, State};
use crate::contract::{Driver, Slot};
use crate::event::{CounterSet, CpuId, Result};
use crate::sample::SessionId;
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
        context.comes() && self.schedule_in(context)
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
        if from.is_in() {
            if self.exchange(from, to) {
                return false;
            }
            self.switch_out(from);
        }
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

    /// Switches out the one and switches in the other, in one operation. Returns false, and does nothing, unless the one is in
    /// here and the other is bound and out.
    #[inline(never)]
    pub(crate) fn exchange<const N: usize, const M: usize>(
        self,
        from: &mut Context<D, N>,
        to: &mut Context<D, M>,
    ) -> bool {
        if to.state == State::Bound
            && !to.is_in()
            && let Ok(operation) = self.enter()
            && operation.shared.residency.is_occupant(from.ticket)
        {
            operation.take_out(from);
            operation.let_in(to);
            return true;
        }
        false
    }

    #[inline(never)]
    fn schedule_out<const N: usize>(self, context: &mut Context<D, N>) {
        match self.enter() {
            Ok(operation) if operation.shared.residency.is_occupant(context.ticket) => {
                operation.take_out(context);
            }
            _ => self.lose(context),
        }
    }

    /// Switches out a context that is not the unit's occupant: it only waited, its counters were taken from it, or it is in on
    /// another CPU.
    #[cold]
    #[inline(never)]
    fn lose<const N: usize>(self, context: &mut Context<D, N>) {
        let _scope = Scope::enter(self.driver);
        if context.ticket == NEVER {
            let time = context.end_stay(self.time());
            context.wait_for(time);
            context.position = Position::Out;
        } else if context.cpu == self.cpu() {
            context.invalidate();
        }
    }

    /// Switches in a context that is bound, or was created frozen. Returns what [`Pmu::switch_in`] does.
    #[inline(never)]
    fn schedule_in<const N: usize>(self, context: &mut Context<D, N>) -> bool {
        if context.state == State::Created {
            context.state = State::Frozen;
            return true;
        }
        if context.is_in() {
            self.check_in(context);
            return false;
        }
        match self.enter() {
            Ok(operation) if operation.shared.residency.is_vacant() => {
                operation.let_in(context);
            }
            _ => self.wait(context),
        }
        false
    }

    /// Invalidates a context that is in, unless it is in here.
    #[cold]
    #[inline(never)]
    fn check_in<const N: usize>(self, context: &mut Context<D, N>) {
        let _scope = Scope::enter(self.driver);
        let is_here = match context.ticket {
            NEVER => context.cpu == self.cpu(),
            ticket => self.enter().is_ok_and(|operation| operation.shared.residency.is_occupant(ticket)),
        };
        if !is_here {
            context.invalidate();
        }
    }

    /// The context waits as the unit's occupant.
    #[cold]
    #[inline(never)]
    fn let_wait<const N: usize>(self, context: &mut Context<D, N>, here: CpuId) {
        context.begin_stay(self.time(), here, Position::Waiting);
        self.shared.residency.schedule(context.ticket, CounterSet::EMPTY);
    }

    /// The context waits, and the unit does not know of it.
    #[cold]
    #[inline(never)]
    fn wait<const N: usize>(self, context: &mut Context<D, N>) {
        let _scope = Scope::enter(self.driver);
        context.ticket = NEVER;
        context.begin_stay(self.time(), self.cpu(), Position::Waiting);
    }
}

impl<D: Driver> Operation<'_, D> {
    /// Switches out the unit's occupant.
    #[inline(always)]
    fn take_out<const N: usize>(&self, context: &mut Context<D, N>) {
        let time = context.end_stay(self.now());
        match context.position {
            Position::In => self.take(context, time),
            _ => context.wait_for(time),
        }
        context.position = Position::Out;
        self.shared.residency.unschedule();
        if context.placed == NOWHERE {
            context.ticket = NEVER;
        }
    }

    /// Switches in a context that is out, while the unit has no occupant. What passes until its counters run is not its time, or
    /// the estimates of groups that take turns would be too low: an exchange reads the clock twice for that.
    #[inline(always)]
    fn let_in<const N: usize>(&self, context: &mut Context<D, N>) {
        let (counting, residency) = (&self.shared.counting, &self.shared.residency);
        if !residency.reserved().is_empty() && self.yields_to_sessions() {
            return context.invalidate();
        }
        if !counting.clear_ended(residency.resident_counters()) {
            context.ticket = residency.next_ticket();
            return self.let_wait(context, self.claim().cpu());
        }
        let placed = match residency.is_resident(context.ticket) {
            true => context.placement.as_ref().map(|placement| placement.counters),
            false => self.bring(context),
        };
        match placed {
            Some(counters) => {
                context.begin_stay(self.now(), self.claim().cpu(), Position::In);
                residency.schedule(context.ticket, counters);
                self.arm(counters);
            }
            None => self.let_wait(context, self.claim().cpu()),
        }
    }

    /// Brings the context's values into counters, which the thread before does not keep. Returns the counters that count; `None`
    /// if it has no placement.
    #[inline(always)]
    fn bring<const N: usize>(&self, context: &mut Context<D, N>) -> Option<CounterSet> {
        let pmu = **self;
        self.free_absent();
        context.ticket = pmu.shared.residency.next_ticket();
        if !context.is_placed(pmu) {
            return None;
        }
        let placement = context.placement.as_ref()?;
        let count = context.set.len().min(N);
        pmu.withdraw(placement.counters);
        pmu.end_sampling(placement.counters);
        let taken = placement.counters.or(placement.unsure);
        pmu.load_resident(context.ticket, taken, &placement.program, &placement.slots[..count]);
        self.forget_unsure_rooms(placement);
        let mut left = 0;
        for (entry, place) in context.entries[..count].iter().zip(&placement.places) {
            left |= entry.bring(pmu, place);
        }
        if left != 0 {
            context.bring_sampling(pmu, placement);
        }
        Some(placement.counters)
    }

    /// Forgets what a thread's counters hold, where the next thread cannot go on from it.
    #[inline(always)]
    fn forget_unsure_rooms<const N: usize>(&self, placement: &Placement<D, N>) {
        if !placement.unsure.is_empty() {
            self.shared.counting.forget_rooms(placement.unsure);
        }
    }

    /// Takes the context's values from its counters, and freezes it if a request has notified. If the unit was halted, the
    /// time of the halt is not known, so the whole time counts as waiting.
    #[inline(always)]
    fn take<const N: usize>(&self, context: &mut Context<D, N>, time: u64) {
        let Some(placement) = &context.placement else { return };
        let (counting, count) = (&self.shared.counting, context.set.len().min(N));
        self.stop(placement.counters);
        let mut signs = 0;
        for (entry, place) in context.entries[..count].iter_mut().zip(&placement.places) {
            signs |= entry.take(**self, place);
        }
        if signs < 0 {
            take_settled(**self, placement.counters, &placement.slots[..count], &mut context.entries);
        }
        self.forget_unsure_rooms(placement);
        if counting.has_ended(placement.counters) {
            match counting.is_halted() {
                true => context.wait_for(time),
                false => context.become_state(State::Frozen),
            }
        }
    }
}

/// Takes the values from counters that are stopped, after accounting for their overflows. They go on with the periods that
/// were asked for.
#[cold]
#[inline(never)]
fn take_settled<D: Driver>(pmu: Pmu<'_, D>, counters: CounterSet, slots: &[Slot], entries: &mut [Entry]) {
    pmu.settle(counters);
    let throttled = pmu.throttled_among(counters);
    for (slot, entry) in slots.iter().zip(entries) {
        if throttled.contains(slot.counter) {
            pmu.end_throttling(slot);
        }
        entry.take_settled(pmu, slot);
    }
}

impl<D: Driver, const N: usize> Context<D, N> {
    /// Brings the values of the requests that have periods.
    #[inline(never)]
    fn bring_sampling(&self, pmu: Pmu<'_, D>, placement: &Placement<D, N>) {
        let placed = self.entries.iter().zip(&placement.places).zip(self.set.requests());
        for (number, ((entry, place), request)) in
            placed.enumerate().filter(|(_, (_, request))| request.sampling.is_some())
        {
            entry.bring_sampling(pmu, place, request, (SessionId::of_thread(self.group, number as u8), self.thread));
        }
        // An interrupt may have ended a one-shot before its preset, for what the counter still held.
        _ = pmu.shared.counting.clear_ended(placement.counters);
    }

    /// The thread comes to this CPU.
    #[inline(always)]
    fn begin_stay(&mut self, now: u64, cpu: CpuId, position: Position) {
        (self.since, self.cpu, self.position) = (now, cpu, position);
        self.generation = self.generation.wrapping_add(1);
    }

    /// The thread leaves its CPU. Returns how long it was there.
    #[inline(always)]
    fn end_stay(&mut self, now: u64) -> u64 {
        let time = now.wrapping_sub(self.since);
        self.enabled = self.enabled.wrapping_add(time);
        self.generation = self.generation.wrapping_add(1);
        time
    }

    /// It had no counters for so long.
    fn wait_for(&mut self, time: u64) {
        self.waited = self.waited.wrapping_add(time);
    }
}
