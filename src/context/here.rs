//! A thread's context on one CPU's unit: it comes, with its counters programmed, and it goes, with
//! their counts.
//!
//! Who comes back to counters that nobody has needed meanwhile finds them as they were left. Who
//! comes after another thread has its selectors and counts written where they differ. And who meets a
//! session, or comes for the first time, is placed beside what there is. Where the counters count, all
//! three ways are the same code.

use core::array;

use super::Context;
use super::places::Places;
use super::seat::Seat;
use super::stay::{State, Stay};
use crate::backend::{Backend, Image};
use crate::counter::CounterSet;
use crate::error::{Error, Result};
use crate::pmu::Pmu;
use crate::shared::{Owner, Shared};
use crate::visitor::{Threads, Visitor};

/// What a switch needs of the unit that it is on, in two words.
pub(super) struct Here<'u, B: Backend> {
    pub(super) shared: &'u Shared<B>,
    pub(super) owner: &'u Owner<B>,
}

impl<B: Backend> Clone for Here<'_, B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Backend> Copy for Here<'_, B> {}

/// How a context has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coming {
    /// It has its counters, or waits for some.
    In,
    /// It has met a session, and is invalid.
    Invalid,
    /// Another one is in.
    Refused,
}

impl<'u, B: Backend> Here<'u, B> {
    #[inline(always)]
    pub(super) fn of(pmu: &Pmu<'u, B>) -> Self {
        Self { shared: pmu.shared, owner: pmu.owner }
    }

    pub(super) fn bring_in<const N: usize>(self, context: &mut Context<B, N>) -> Result<()> {
        let Some(operation) = self.shared.enter(self.owner) else { return self.shared.refused(self.owner) };
        let result = self.come(context);
        drop(operation);
        result
    }

    pub(super) fn take_out<const N: usize>(self, context: &mut Context<B, N>) -> Result<()> {
        let Some(operation) = self.shared.enter(self.owner) else { return self.shared.refused(self.owner) };
        let result = self.go(context);
        drop(operation);
        result
    }

    pub(super) fn exchange<const N: usize, const M: usize>(
        self,
        from: &mut Context<B, N>,
        to: &mut Context<B, M>,
    ) -> Result<()> {
        let Some(operation) = self.shared.enter(self.owner) else { return self.shared.refused(self.owner) };
        let mut result = self.go(from);
        if result.is_ok() && to.is_active() {
            result = self.come(to);
        }
        drop(operation);
        result
    }

    /// Is this context in here; or out, and what it has left behind here is as it was?
    #[inline(always)]
    pub(super) fn knows<const N: usize>(self, context: &Context<B, N>) -> bool {
        self.shared.threads.is_stay(context.stay.number) && context.stay.unit == self.shared.address()
    }

    #[inline(always)]
    fn come<const N: usize>(self, context: &mut Context<B, N>) -> Result<()> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        if context.state == State::Out && self.knows(context) {
            shared.take_up();
            context.stay.number = context.stay.number.wrapping_add(1);
        } else {
            match self.come_anew(context) {
                Coming::In => {}
                Coming::Invalid => return Ok(()),
                Coming::Refused => return Err(Error::ThreadIn),
            }
        }
        context.stay.since = backend.ticks();
        context.become_state(State::In);
        shared.changed(backend);
        shared.arm(backend, context.stay.set);
        Ok(())
    }

    /// The context gets counters, if there are some for it. Those that it had last take the place of
    /// what another thread has left behind.
    #[inline(never)]
    fn come_anew<const N: usize>(self, context: &mut Context<B, N>) -> Coming {
        let (shared, backend) = (self.shared, &self.owner.backend);
        if context.state == State::In || shared.threads.is_occupied() {
            return Coming::Refused;
        }
        let left = shared.take_over(backend);
        let is_alone = shared.image.occupied().without(left).is_empty();
        let is_same = is_alone && !context.elsewhere;
        let (true, Some(places), Some(_)) = (is_same, &context.alone, &context.seats) else {
            return self.come_elsewhere(context, left, is_alone);
        };
        let running = shared.counting();
        backend.replace(&shared.image, left, &places.program, context.slots(places), running);
        shared.confirm(backend, running);
        shared.replace_kinds(left, places.sampling, places.once);
        context.stay = self.stay(Some(places));
        self.take_seats(context);
        Coming::In
    }

    /// The same where nothing is known of its counters yet, or somebody else has some.
    #[cold]
    #[inline(never)]
    fn come_elsewhere<const N: usize>(self, context: &mut Context<B, N>, left: CounterSet, is_alone: bool) -> Coming {
        let (shared, backend) = (self.shared, &self.owner.backend);
        shared.free(backend, left);
        if !is_alone && self.owner.threads == Threads::Yield {
            shared.threads.forget();
            context.become_state(State::Invalid);
            return Coming::Invalid;
        }
        context.unseat();
        let found = if is_alone { context.alone } else { context.find_beside(backend, &shared.image) };
        context.elsewhere = !is_alone;
        if let Some(places) = &found {
            let running = shared.counting();
            backend.load(&shared.image, &places.program, context.slots(places), running);
            shared.confirm(backend, running);
            shared.replace_kinds(CounterSet::EMPTY, places.sampling, places.once);
            context.seats = Some(array::from_fn(|number| {
                let (slot, request) = (&places.slots[number], context.set.requests().get(number));
                Seat::of(backend, &shared.image, number, slot, request, &context.tallies[number])
            }));
        }
        context.stay = self.stay(found.as_ref());
        self.take_seats(context);
        Coming::In
    }

    /// A stay begins, on the counters of these places if there are any.
    #[inline(always)]
    fn stay<const N: usize>(self, places: Option<&Places<B::Program, N>>) -> Stay {
        let threads = &self.shared.threads;
        let (set, occupied, once) = places.map_or_else(Default::default, |at| (at.counters, at.occupied, at.once));
        threads.freeze_with(if once.is_empty() { CounterSet::EMPTY } else { set });
        Stay {
            unit: self.shared.address(),
            cpu: self.owner.cpu,
            number: threads.enter(occupied),
            since: 0,
            set,
            keeps: !set.is_empty() && self.owner.backend.keeps(),
        }
    }

    /// Has each counter go on where the thread left it, as soon as it is armed.
    #[inline(always)]
    fn take_seats<const N: usize>(self, context: &Context<B, N>) {
        for (seat, tally) in context.seated() {
            seat.take(self.shared, &self.owner.backend, tally.count);
        }
    }

    #[inline(always)]
    fn go<const N: usize>(self, context: &mut Context<B, N>) -> Result<()> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        if !shared.threads.is_stay(context.stay.number) {
            return self.lose(context);
        }
        if context.stay.unit != shared.address() {
            return self.lose(context);
        }
        let set = context.stay.set;
        shared.halt(backend, set);
        shared.hush(backend, set);
        let ticks = backend.ticks().wrapping_sub(context.stay.since);
        context.enabled = context.enabled.wrapping_add(ticks);
        if !context.stay.keeps {
            return self.go_for_good(context, ticks);
        }
        context.running = context.running.wrapping_add(ticks);
        self.tally(context);
        if !set.and(shared.spent()).is_empty() {
            return self.give_up(context);
        }
        shared.leave_behind(backend);
        context.stay.number = context.stay.number.wrapping_add(1);
        context.become_state(State::Out);
        Ok(())
    }

    /// The context leaves, and does not come back to the same counters: it has none, asks for something
    /// else by now, or the processor does not keep what they hold.
    #[inline(never)]
    fn go_for_good<const N: usize>(self, context: &mut Context<B, N>, ticks: u64) -> Result<()> {
        if !context.stay.set.is_empty() {
            context.running = context.running.wrapping_add(ticks);
            self.tally(context);
        }
        self.give_up(context)
    }

    /// Its counters are given back.
    #[inline(never)]
    fn give_up<const N: usize>(self, context: &mut Context<B, N>) -> Result<()> {
        let (shared, set) = (self.shared, context.stay.set);
        let is_frozen = !set.and(shared.once.counters()).and(shared.spent()).is_empty();
        shared.free(&self.owner.backend, shared.threads.counters());
        shared.threads.leave();
        context.stay.number = Visitor::NEVER;
        if context.elsewhere {
            context.unseat();
        }
        context.become_state(if is_frozen { State::Frozen } else { State::Out });
        Ok(())
    }

    /// Books what the stopped counters have counted.
    #[inline(always)]
    fn tally<const N: usize>(self, context: &mut Context<B, N>) {
        if self.read_seats(context) {
            self.tally_again(context);
        }
    }

    /// Reads the stopped counters. Has any overflowed?
    #[inline(always)]
    fn read_seats<const N: usize>(self, context: &mut Context<B, N>) -> bool {
        let length = context.set.len().min(N);
        let seats = context.seats.iter_mut().flat_map(|seats| &mut seats[..length]);
        let mut past = 0;
        for (seat, tally) in seats.zip(&mut context.tallies) {
            let (count, beyond) = seat.leave(self.shared, &self.owner.backend);
            tally.count = count;
            past |= beyond;
        }
        past != 0
    }

    /// Some counters have overflowed, and their interrupts are on their way.
    #[cold]
    #[inline(never)]
    fn tally_again<const N: usize>(self, context: &mut Context<B, N>) {
        let past = context.seated().filter(|(seat, _)| seat.past() != 0);
        let pending = past.map(|(seat, _)| seat.counter()).collect();
        self.shared.settle_pending(&self.owner.backend, pending);
        self.read_seats(context);
    }

    /// The context is not in here: it was evicted, or is in on another CPU.
    #[cold]
    #[inline(never)]
    fn lose<const N: usize>(self, context: &mut Context<B, N>) -> Result<()> {
        if context.stay.cpu != self.owner.cpu {
            return Err(Error::WrongCpu { owner: context.stay.cpu, here: self.owner.cpu });
        }
        context.become_state(State::Invalid);
        Ok(())
    }
}
