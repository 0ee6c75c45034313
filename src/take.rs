//! Taking counters: requests are validated, placed, programmed and preset, all or none.

use core::hint::black_box;

use crate::backend::{Backend, Image, Slot};
use crate::contract::Steps;
use crate::event::{Conflict, CounterSet, Error, Refusal, Remaining, Request, Result, Sampling, Width};
use crate::pmu::Pmu;
use crate::sample::{Label, SessionId};
use crate::visitor::Threads;

/// The counters that a session has been given.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) id: SessionId,
    pub(crate) occupied: CounterSet,
    pub(crate) set: CounterSet,
}

impl<B: Backend> Pmu<'_, B> {
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
    ) -> Result<Taken> {
        let (requests, demands, slots) = black_box((requests, demands, slots));
        self.hold(requests, demands, slots)
    }

    /// Validates, places, programs and presets requests, all or none. `demands` and `slots` are as
    /// many as they; the slots say where they count.
    #[inline(always)]
    pub(crate) fn hold(&self, requests: &[Request], demands: &mut [B::Demand], slots: &mut [Slot]) -> Result<Taken> {
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
        let placed = backend.place(&shared.image.occupancy(), demands, Steps::OPEN, slots);
        let program = match &placed {
            Ok(program) => program,
            Err(conflict) => return contended(*conflict),
        };
        let running = shared.counting();
        backend.load(&shared.image, program, slots, running);
        shared.confirm(backend, running);
        let taken = self.preset(requests, slots);
        drop(operation);
        Ok(taken)
    }

    /// Presets what was programmed, and opens its accounts.
    #[inline(always)]
    fn preset(&self, requests: &[Request], slots: &[Slot]) -> Taken {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let id = shared.next_session();
        let (mut set, mut occupied) = (CounterSet::EMPTY, CounterSet::EMPTY);
        for (slot, request) in slots.iter().zip(requests) {
            let counter = slot.counter;
            (set, occupied) = (set.or(counter.only()), occupied.or(slot.occupies()));
            let period = match request.sampling {
                Some(sampling) => shared.sample(counter, sampling),
                None => backend.longest(&shared.image, counter),
            };
            let width = backend.width(&shared.image, counter);
            shared.account(counter).open(zero(width, period), period.count(), Label::new(counter, id));
            backend.preset(&shared.image, counter, period);
        }
        Taken { id, occupied, set }
    }
}

/// What the request at this position takes.
#[inline(always)]
pub(crate) fn demand<B: Backend>(backend: &B, position: usize, request: &Request, place: &mut B::Demand) -> Result<()> {
    match encode(backend, request) {
        Ok(takes) => {
            *place = takes;
            Ok(())
        }
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

/// The base that makes the count 0 where the counter is preset to this period.
#[inline(always)]
pub(crate) fn zero(width: Width, period: Remaining) -> u64 {
    width.position(width.start(period)).wrapping_neg()
}
