//! The counters that a session holds: programmed together, started, stopped, given back.
//!
//! A [`Session`](crate::Session) is a hold and what reading takes. All that is the same for one
//! request and for many is here, so that a kernel which opens sessions of many sizes has it once.

use core::fmt;
use core::hint::black_box;

use crate::backend::{Backend, Slot};
use crate::counter::{CounterId, CounterSet, Remaining, Width};
use crate::error::{Conflict, Error, Refusal, Result};
use crate::event::{Repeat, Request, Sampling};
use crate::pmu::Pmu;
use crate::sample::{Label, SessionId};
use crate::shared::{Owner, Shared};
use crate::visitor::Threads;

/// Counters that belong to somebody, and how far they have come.
pub(crate) struct Hold<'u, B: Backend> {
    pub(crate) shared: &'u Shared<B>,
    pub(crate) owner: &'u Owner<B>,
    pub(crate) id: SessionId,
    /// The counters that nobody else can use.
    pub(crate) occupied: CounterSet,
    /// Those that count.
    pub(crate) set: CounterSet,
    /// Ticks that it has counted for; while it counts, less the tick at which it began.
    enabled: u64,
    progress: Progress,
}

/// How far a session has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    /// Its counters are preset and have not counted.
    Fresh,
    Running,
    Stopped,
}

impl<'u, B: Backend> Pmu<'u, B> {
    /// [`Pmu::hold`] out of line, for any number of requests: a kernel may open sessions of many
    /// sizes, and each would have its own.
    ///
    /// The compiler is kept from knowing how many they are: it would unroll every loop for a kernel
    /// whose sessions are all of one size.
    #[inline(never)]
    pub(crate) fn hold_several(
        &self,
        requests: &[Request],
        demands: &mut [B::Demand],
        slots: &mut [Slot],
    ) -> Result<Hold<'u, B>> {
        let (requests, demands, slots) = black_box((requests, demands, slots));
        self.hold(requests, demands, slots)
    }

    /// Validates, places, programs and presets requests, all or none. `demands` and `slots` are as
    /// many as they; the slots say where they count.
    #[inline(always)]
    pub(crate) fn hold(
        &self,
        requests: &[Request],
        demands: &mut [B::Demand],
        slots: &mut [Slot],
    ) -> Result<Hold<'u, B>> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let Some(operation) = shared.enter(self.owner) else { return shared.refused(self.owner) };
        shared.collect(backend);
        if self.owner.threads == Threads::Yield && shared.threads.is_occupied() {
            shared.evict(backend);
        }
        for (position, (demand, request)) in demands.iter_mut().zip(requests).enumerate() {
            match encode(backend, request) {
                Ok(takes) => *demand = takes,
                Err(reason) => return refused(position, request, reason),
            }
        }
        let placed = backend.place(&shared.image, demands, slots);
        let program = match &placed {
            Ok(program) => program,
            Err(conflict) => return contended(*conflict),
        };
        let running = shared.counting();
        backend.load(&shared.image, program, slots, running);
        shared.confirm(backend, running);
        let hold = self.preset(requests, slots);
        drop(operation);
        Ok(hold)
    }

    /// Presets what was programmed, and opens its accounts.
    #[inline(always)]
    fn preset(&self, requests: &[Request], slots: &[Slot]) -> Hold<'u, B> {
        let (shared, owner) = (self.shared, self.owner);
        let (id, mut sampling, mut once) = (shared.next_session(), shared.sampling.counters(), shared.once.counters());
        let (mut set, mut occupied) = (CounterSet::EMPTY, CounterSet::EMPTY);
        for (slot, request) in slots.iter().zip(requests) {
            let counter = slot.counter;
            (set, occupied) = (set.or(counter.only()), occupied.or(slot.occupies()));
            if let Some(Sampling { repeat, .. }) = request.sampling {
                sampling = sampling.or(counter.only());
                once = if repeat == Repeat::OneShot { once.or(counter.only()) } else { once };
            }
            let period = period(&owner.backend, &shared.image, counter, request.sampling);
            let width = owner.backend.width(&shared.image, counter);
            shared.account(counter).open(zero(width, period), period.count(), Label::new(counter, id));
            owner.backend.preset(&shared.image, counter, period);
        }
        shared.sampling.set(sampling.bits());
        shared.once.set(once.bits());
        Hold { shared, owner, id, occupied, set, enabled: 0, progress: Progress::Fresh }
    }
}

impl<B: Backend> Hold<'_, B> {
    #[inline(never)]
    pub(crate) fn start(&mut self) -> Result<()> {
        let (shared, owner) = (self.shared, self.owner);
        if self.progress == Progress::Running {
            return Err(Error::Running);
        }
        let Some(operation) = shared.enter(owner) else { return shared.refused(owner) };
        if self.progress == Progress::Stopped {
            self.begin_anew();
        }
        self.run(shared, owner);
        drop(operation);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn resume(&mut self) -> Result<()> {
        let (shared, owner) = (self.shared, self.owner);
        if self.progress == Progress::Running {
            return Err(Error::Running);
        }
        let Some(operation) = shared.enter(owner) else { return shared.refused(owner) };
        shared.unspend(self.set);
        self.run(shared, owner);
        drop(operation);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn stop(&mut self) -> Result<()> {
        let (shared, owner) = (self.shared, self.owner);
        if self.progress != Progress::Running {
            return Err(Error::Stopped);
        }
        let Some(operation) = shared.enter(owner) else { return shared.refused(owner) };
        shared.disarm(&owner.backend, self.set);
        shared.changed(&owner.backend);
        let now = owner.backend.ticks();
        self.enabled = self.enabled.wrapping_add(now);
        self.progress = Progress::Stopped;
        drop(operation);
        Ok(())
    }

    #[inline(never)]
    pub(crate) fn rearm(&mut self) -> Result<()> {
        let (shared, owner) = (self.shared, self.owner);
        if self.progress != Progress::Running {
            return Err(Error::Stopped);
        }
        let Some(operation) = shared.enter(owner) else { return shared.refused(owner) };
        shared.unspend(self.set);
        shared.arm(&owner.backend, self.set);
        drop(operation);
        Ok(())
    }

    /// As if it had never been started: the counters to their start values, their accounts to 0.
    /// They do not run.
    #[inline(never)]
    fn begin_anew(&mut self) {
        let (shared, backend) = (self.shared, &self.owner.backend);
        shared.unspend(self.set);
        self.enabled = 0;
        for counter in self.set {
            let account = shared.account(counter);
            let period = Remaining::events(account.period.get());
            account.base.set(zero(backend.width(&shared.image, counter), period));
            backend.preset(&shared.image, counter, period);
        }
    }

    /// Counts from here on. The unit's words are handed in, so that they are not looked up again.
    #[inline(always)]
    fn run(&mut self, shared: &Shared<B>, owner: &Owner<B>) {
        shared.changed(&owner.backend);
        let now = owner.backend.ticks();
        self.enabled = self.enabled.wrapping_sub(now);
        self.progress = Progress::Running;
        shared.arm(&owner.backend, self.set);
    }

    /// Ticks that it has counted for.
    pub(crate) fn enabled(&self) -> u64 {
        let now = if self.progress == Progress::Running { self.owner.backend.ticks() } else { 0 };
        self.enabled.wrapping_add(now)
    }
}

/// What the request at this position takes.
#[inline(always)]
pub(crate) fn demand<B: Backend>(backend: &B, position: usize, request: &Request) -> Result<B::Demand> {
    match encode(backend, request) {
        Ok(takes) => Ok(takes),
        Err(reason) => refused(position, request, reason),
    }
}

#[inline(always)]
fn encode<B: Backend>(backend: &B, request: &Request) -> Result<B::Demand, Refusal> {
    match request.sampling {
        Some(Sampling { period: 0, .. }) => Err(Refusal::PeriodZero),
        _ => backend.encode(request),
    }
}

#[cold]
#[inline(never)]
fn refused<T>(position: usize, request: &Request, reason: Refusal) -> Result<T> {
    Err(Error::Refused { request: position as u8, event: request.event, reason })
}

#[cold]
#[inline(never)]
fn contended<T>(conflict: Conflict) -> Result<T> {
    Err(Error::Conflict(conflict))
}

/// Events from one overflow to the next; as many as can be where nobody asks for samples.
#[inline(always)]
fn period<B: Backend>(backend: &B, image: &B::Image, counter: CounterId, sampling: Option<Sampling>) -> Remaining {
    match sampling {
        Some(sampling) => Remaining::events(sampling.period),
        None => backend.longest(image, counter),
    }
}

/// The base that makes the count 0 where the counter is preset to this period.
#[inline(always)]
fn zero(width: Width, period: Remaining) -> u64 {
    width.position(width.start(period)).wrapping_neg()
}

impl<B: Backend> Drop for Hold<'_, B> {
    fn drop(&mut self) {
        let (shared, owner) = (self.shared, self.owner);
        let Some(operation) = shared.enter(owner) else { return shared.abandon(self.occupied) };
        if self.progress == Progress::Running {
            shared.stop_amid(&owner.backend, self.set);
        }
        shared.free(&owner.backend, self.occupied);
        drop(operation);
    }
}

impl<B: Backend> fmt::Debug for Hold<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("counters", &self.set).field("progress", &self.progress).finish_non_exhaustive()
    }
}
