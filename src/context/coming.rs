//! A thread's context comes to a CPU's unit, and its counters go on.
//!
//! Who comes back to counters that nobody has needed meanwhile finds them as they were left. Who
//! comes after another thread has its selectors and counts written where they differ. And who meets a
//! session, or comes for the first time, is placed beside what there is. Where the counters count, all
//! three ways are the same.

use super::Context;
use super::outcome::{Outcome, Refused, not_begun};
use super::places::Places;
use super::seat::Seat;
use super::seating::Seating;
use super::stay::{State, Stay};
use crate::backend::{Backend, Image};
use crate::event::CounterSet;
use crate::phase::Here;
use crate::pmu::Pmu;
use crate::sample::SessionId;
use crate::visitor::Threads;

/// How a context comes, once it is known where its counters are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Coming {
    /// They have but to be started.
    Seated,
    /// It waits for some, or the unit does not keep what they hold.
    Otherwise,
    /// It has met a session, and is invalid.
    Invalid,
    /// Another one is in.
    Refused,
}

impl<B: Backend> Pmu<'_, B> {
    /// The context, which is not in, comes back to its counters.
    #[inline(never)]
    pub(super) fn come<const N: usize>(&self, context: &mut Context<B, N>, here: Here) -> Outcome {
        let Some(operation) = self.shared.enter_on(here, self.owner) else { return not_begun() };
        operation.hand_on();
        if !self.has_plainly(context) {
            return self.come_anew(context);
        }
        self.begin(context)
    }

    /// The context comes and does not find its counters, or more is to be done than to start them.
    #[inline(never)]
    pub(super) fn come_anew<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        match self.sit_down(context) {
            Coming::Seated => self.begin(context),
            coming => self.begin_otherwise(context, coming),
        }
    }

    /// The context's counters go on. However it has come it comes here, and this is all that they count of
    /// its coming.
    #[inline(never)]
    pub(super) fn begin<const N: usize>(&self, context: &mut Context<B, N>) -> Outcome {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let operation = shared.carry_on(self.owner);
        let now = backend.ticks();
        context.enabled = context.enabled.wrapping_sub(now);
        shared.threads.pass();
        context.stay.pass();
        let counted = shared.arm_kept(backend, context.stay.set);
        if shared.counting() != counted {
            operation.hand_on();
            return self.begin_again(context, counted);
        }
        drop(operation);
        Ok(())
    }

    /// An interrupt has stopped a counter meanwhile, which was started again.
    ///
    /// That the context is in is looked up: if the compiler knew it, whoever calls [`Pmu::begin`] would
    /// wait for its end to say so, and not just go there.
    #[cold]
    #[inline(never)]
    fn begin_again<const N: usize>(&self, context: &Context<B, N>, counted: CounterSet) -> Outcome {
        let operation = self.shared.carry_on(self.owner);
        self.shared.confirm(&self.owner.backend, counted);
        drop(operation);
        if context.is_in() { Ok(()) } else { Err(Refused::Elsewhere) }
    }

    /// The context has no counters that have but to be started.
    #[cold]
    #[inline(never)]
    fn begin_otherwise<const N: usize>(&self, context: &mut Context<B, N>, coming: Coming) -> Outcome {
        let operation = self.shared.carry_on(self.owner);
        if coming == Coming::Otherwise {
            context.count_from(self.owner.backend.ticks());
            self.shared.threads.pass();
            context.stay.pass();
            self.shared.changed(&self.owner.backend);
            self.shared.arm(&self.owner.backend, context.stay.set);
        }
        drop(operation);
        if coming == Coming::Refused { Err(Refused::Occupied) } else { Ok(()) }
    }

    /// The context is given its counters, if there are some for it.
    #[inline(always)]
    fn sit_down<const N: usize>(&self, context: &mut Context<B, N>) -> Coming {
        let shared = self.shared;
        if context.is_in() || shared.threads.is_occupied() {
            return Coming::Refused;
        }
        if !self.knows(context) && !self.take_places(context) {
            return Coming::Invalid;
        }
        if !context.stay.keeps {
            return Coming::Otherwise;
        }
        shared.heed(context.stay.set);
        Coming::Seated
    }

    /// The counters that the context had last take the place of what another thread has left behind.
    /// False if it has met a session, and is invalid.
    #[inline(always)]
    fn take_places<const N: usize>(&self, context: &mut Context<B, N>) -> bool {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let left = shared.left_behind(backend);
        let is_alone = shared.image.occupied().without(left).is_empty();
        let is_same = is_alone && !context.elsewhere && context.seats.get(0).is_some();
        let (true, Some(places)) = (is_same, &context.alone) else {
            return self.take_others(context, left, is_alone);
        };
        let running = shared.counting();
        backend.replace(&shared.image, left, &places.program, context.slots(places), running);
        shared.confirm(backend, running);
        shared.replace_kinds(left, places.sampling, places.once);
        let stay = self.stay(left, true, Some(places));
        context.begin_stay(stay);
        self.take_seats(context);
        true
    }

    /// The same where nothing is known of its counters yet, or somebody else has some.
    #[cold]
    #[inline(never)]
    fn take_others<const N: usize>(&self, context: &mut Context<B, N>, left: CounterSet, is_alone: bool) -> bool {
        let (shared, backend) = (self.shared, &self.owner.backend);
        shared.free(backend, left);
        if !is_alone && self.owner.threads == Threads::Yield {
            shared.forget(backend, left);
            context.become_state(State::Invalid);
            return false;
        }
        context.unseat();
        let found = if is_alone { context.alone } else { context.find_beside(backend, &shared.image) };
        context.elsewhere = !is_alone;
        if let Some(places) = &found {
            let running = shared.counting();
            backend.load(&shared.image, &places.program, context.slots(places), running);
            shared.confirm(backend, running);
            shared.replace_kinds(CounterSet::EMPTY, places.sampling, places.once);
            context.seats = Seating::of(context.set.len(), |number| {
                let (slot, tally) = (&places.slots[number], &context.tallies[number]);
                let sampling = context.set.requests().get(number).and_then(|request| request.sampling);
                let session = SessionId::of_thread(context.group, number as u8);
                Seat::of(backend, &shared.image, session, slot, sampling, tally)
            });
        }
        context.begin_stay(self.stay(left, is_alone, found.as_ref()));
        self.take_seats(context);
        true
    }

    /// A stay begins, on the counters of these places if there are any.
    #[inline(always)]
    fn stay<const N: usize>(&self, left: CounterSet, is_alone: bool, places: Option<&Places<B::Program, N>>) -> Stay {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let (set, occupied, once) = places.map_or_else(Default::default, |at| (at.counters, at.occupied, at.once));
        shared.threads.freeze_with(if once.is_empty() { CounterSet::EMPTY } else { set });
        let number = shared.take_over(backend, left, occupied);
        let mut stay = Stay::new(shared.address(), self.owner.cpu, number, set);
        stay.overflows = shared.overflows();
        stay.keeps = !set.is_empty() && backend.keeps();
        if stay.keeps && once.is_empty() {
            stay.be_plain();
            stay.sampling = places.map_or(CounterSet::EMPTY, |at| at.sampling);
            let is_resumable = is_alone && set == occupied && backend.resumes(&shared.image, occupied);
            stay.resumable = if is_resumable { occupied } else { CounterSet::EMPTY };
        }
        stay
    }

    /// Has each counter go on where the thread left it, as soon as it is armed.
    #[inline(always)]
    fn take_seats<const N: usize>(&self, context: &Context<B, N>) {
        for seat in context.seats.iter() {
            seat.take(self.shared, &self.owner.backend);
        }
    }
}
