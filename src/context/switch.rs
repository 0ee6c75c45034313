//! A thread comes to a CPU and leaves it: its counters are programmed, and read again.

use super::{Context, Places, State, Stay, Tally, Threads};
use crate::backend::{Backend, Image, Slot};
use crate::counter::{CounterSet, Remaining};
use crate::error::{Error, Result};
use crate::event::Request;
use crate::pmu::Pmu;
use crate::sample::{Label, SessionId};
use crate::session::Counts;

impl<B: Backend> Pmu<'_, B> {
    /// The thread of this context runs on this CPU from now on. One that does not count, because it
    /// is not bound, disabled, frozen or invalid, costs a look at its state.
    ///
    /// A context that finds its counters taken waits, or is invalidated: [`Threads`] says which.
    /// Neither is an error here, where a scheduler could not do anything about it.
    ///
    /// # Errors
    /// [`Error::ThreadIn`] if another context, or this one, is switched in: switch it out first;
    /// [`Error::WrongCpu`], [`Error::Busy`]. Nothing has changed.
    #[inline(always)]
    pub fn switch_in<const N: usize>(&self, context: &mut Context<B, N>) -> Result<()> {
        if context.counts_when_in() { self.bring_in(context) } else { context.check_out() }
    }

    /// The thread of this context leaves this CPU. One that is not switched in costs a look at its
    /// state.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::Busy`]; it is still switched in.
    #[inline(always)]
    pub fn switch_out<const N: usize>(&self, context: &mut Context<B, N>) -> Result<()> {
        match context.state {
            State::In(stay) => self.take_out(context, stay),
            _ => Ok(()),
        }
    }

    fn bring_in<const N: usize>(&self, context: &mut Context<B, N>) -> Result<()> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let Some(operation) = shared.enter(self.owner) else { return shared.refused(self.owner) };
        shared.collect(backend);
        if shared.threads.is_occupied() {
            return Err(Error::ThreadIn);
        }
        let is_alone = shared.image.occupied().is_empty();
        if !is_alone && self.owner.threads == Threads::Yield {
            context.become_state(State::Invalid);
            return Ok(());
        }
        let has_room = self.place_thread(context, is_alone);
        let (number, set) = match context.here().filter(|_| has_room) {
            Some(places) => (shared.threads.enter(places.occupied), self.program_thread(context, places)),
            None => (shared.threads.enter(CounterSet::EMPTY), CounterSet::EMPTY),
        };
        let since = backend.ticks();
        context.become_state(State::In(Stay { cpu: self.owner.cpu, number, since, set }));
        shared.changed();
        shared.arm(backend, set);
        drop(operation);
        Ok(())
    }

    /// Finds places for the context's requests beside what there is; none if there is no room.
    fn place_thread<const N: usize>(&self, context: &mut Context<B, N>, is_alone: bool) -> bool {
        if !is_alone {
            let (image, backend) = (&self.shared.image, &self.owner.backend);
            context.elsewhere = Places::find(backend, image, &context.demands, context.set.requests()).ok();
            return context.elsewhere.is_some();
        }
        context.elsewhere = None;
        true
    }

    /// Writes what the context asks for where it has its places, and presets the counters to where the
    /// thread left them; answers the counters, which count as soon as they are armed.
    fn program_thread<const N: usize>(&self, context: &Context<B, N>, places: &Places<B::Program, N>) -> CounterSet {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let running = shared.counting();
        let length = context.set.len().min(N);
        backend.load(&shared.image, &places.program, &places.slots[..length], running);
        shared.confirm(backend, running);
        for (number, (request, slot, tally)) in (0..).zip(context.places()) {
            self.preset_thread(number, request, slot, tally);
        }
        shared.sampling.set(shared.sampling.counters().or(places.sampling).bits());
        shared.once.set(shared.once.counters().or(places.once).bits());
        shared.threads.freeze_with(if places.once.is_empty() { CounterSet::EMPTY } else { places.counters });
        places.counters
    }

    /// Presets a request's counter, and says whose it is.
    #[inline(always)]
    fn preset_thread(&self, number: u8, request: &Request, slot: &Slot, tally: &Tally) {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let longest = backend.longest(&shared.image, slot.counter);
        let left = tally.left.unwrap_or(longest);
        let width = backend.width(&shared.image, slot.counter);
        let base = tally.count.wrapping_sub(width.position(width.start(left)));
        let period = request.sampling.map_or(longest.count(), |sampling| sampling.period);
        let label = Label::new(slot.counter, SessionId::of_thread(number));
        shared.account(slot.counter).open(base, period, label);
        backend.preset(&shared.image, slot.counter, left);
    }

    fn take_out<const N: usize>(&self, context: &mut Context<B, N>, stay: Stay) -> Result<()> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let Some(operation) = shared.enter(self.owner) else { return shared.refused(self.owner) };
        if !shared.threads.is_stay(stay.number) {
            context.become_state(State::Invalid);
            return Ok(());
        }
        shared.disarm(backend, stay.set);
        let ticks = backend.ticks().wrapping_sub(stay.since);
        let is_frozen = !stay.set.and(shared.once.counters()).and(shared.spent()).is_empty();
        if let Some(places) = context.elsewhere.as_ref().or(context.alone.as_ref()).filter(|_| !stay.set.is_empty()) {
            for ((slot, tally), request) in places.slots.iter().zip(&mut context.tallies).zip(context.set.requests()) {
                *tally = self.tally(slot, request);
            }
            shared.free(backend, places.occupied);
            context.running = context.running.wrapping_add(ticks);
        }
        context.enabled = context.enabled.wrapping_add(ticks);
        shared.threads.leave();
        context.become_state(if is_frozen { State::Frozen } else { State::Out });
        drop(operation);
        Ok(())
    }

    /// What a stopped counter has counted, and what is left of its period.
    #[inline(always)]
    fn tally(&self, slot: &Slot, request: &Request) -> Tally {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let raw = backend.read(backend.handle(&shared.image, slot.counter));
        let width = backend.width(&shared.image, slot.counter);
        let count = shared.account(slot.counter).count(raw, width);
        let left = Remaining::events(width.longest().wrapping_sub(width.position(raw)));
        Tally { count, left: request.sampling.map(|_| left) }
    }

    /// The counts of a context that is switched in here, or is switched out.
    ///
    /// # Errors
    /// [`Error::WrongCpu`] if it is switched in on another CPU, [`Error::NotBound`];
    /// [`Error::Invalidated`]: bind it anew and try again.
    pub fn thread_counts<const N: usize>(&self, context: &Context<B, N>) -> Result<Counts<N>> {
        let State::In(stay) = context.checked()? else { return Ok(context.saved()) };
        self.owner.check()?;
        if stay.cpu != self.owner.cpu {
            return Err(Error::WrongCpu { owner: stay.cpu, here: self.owner.cpu });
        }
        if !self.shared.threads.is_stay(stay.number) {
            return Err(Error::Invalidated);
        }
        let ticks = self.owner.backend.ticks().wrapping_sub(stay.since);
        let mut counts = context.saved();
        counts.enabled = counts.enabled.wrapping_add(ticks);
        if !stay.set.is_empty() {
            counts.raw = self.thread_values(context);
            counts.running = counts.running.wrapping_add(ticks);
        }
        Ok(counts)
    }

    /// One straight reading, and another if an interrupt changed an account meanwhile.
    fn thread_values<const N: usize>(&self, context: &Context<B, N>) -> [u64; N] {
        loop {
            let before = self.shared.generation();
            crate::word::fence();
            let mut values = [0; N];
            for (value, (request, slot, _)) in values.iter_mut().zip(context.places()) {
                *value = self.tally(slot, request).count;
            }
            crate::word::fence();
            if self.shared.generation() == before {
                return values;
            }
        }
    }

    /// Takes the counters from whichever context is switched in here: that of a thread that was
    /// dropped, or is to make way. It is invalidated.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn evict(&self) -> Result<()> {
        let Some(operation) = self.shared.enter(self.owner) else { return self.shared.refused(self.owner) };
        self.shared.evict(&self.owner.backend);
        drop(operation);
        Ok(())
    }
}
