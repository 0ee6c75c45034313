//! Measuring a CPU: open a session, start, stop, reset, read.
//!
//! A session holds its counters from [`Pmu::open`](crate::Pmu::open) until it is dropped. Sessions count beside one
//! another without disturbing each other. Counts have 64 bits whatever the counters have: the overflow interrupt carries
//! them on. Without that interrupt, a count is right for as long as a counter's width lasts.

mod reading;

use core::marker::PhantomData;
use core::{array, fmt};

pub use reading::Reader;

use crate::contract::{Counter, Driver, Slot};
use crate::event::{CounterId, CounterSet, Error, Remaining, Request, Result, Width};
use crate::sample::{Sample, SessionId};
use crate::unit::{Base, Claim, Operation, Pmu, Refused};

/// The counter of one request, what reading it takes, and where its count begins.
struct Place<'u, H> {
    id: CounterId,
    handle: H,
    width: Width,
    base: Base<'u>,
    preset: u64,
}

/// Requests that count together on this CPU.
///
/// Dropping it stops and frees its counters. If it is dropped on another CPU, or while the unit is suspended, the next
/// operation at home frees them, and the next overflow interrupt there stops them.
///
/// `C` is what it reads as: an array, one count for each request, or the [`Buffer`](crate::stats::Buffer) of a session that was
/// opened with a [`Set`](crate::Set).
pub struct Session<'u, D: Driver, const N: usize, C = [u64; N]> {
    pub(super) reservation: Reservation<'u, D>,
    /// The places of its requests; what follows them is never read.
    places: [Place<'u, D::Handle>; N],
    /// The number of its requests.
    length: usize,
    counts: PhantomData<C>,
}

impl<'u, D: Driver, const N: usize, C> Session<'u, D, N, C> {
    /// The session of the first `length` of these requests.
    #[inline(always)]
    pub(super) fn new(
        reservation: Reservation<'u, D>,
        slots: &[Slot; N],
        requests: &[Request; N],
        length: usize,
    ) -> Self {
        let Pmu { driver, shared, .. } = reservation.pmu;
        let place = |i| {
            let (slot, request): (&Slot, &Request) = (&slots[i], &requests[i]);
            let Counter { handle, width, .. } = driver.counter(slot);
            Place { id: slot.counter, handle, width, base: shared.counting.base(slot.counter), preset: request.preset }
        };
        let places = array::from_fn(place);
        Self { reservation, places, length, counts: PhantomData }
    }

    /// The places of its requests.
    fn places(&self) -> &[Place<'u, D::Handle>] {
        self.places.get(..self.length).unwrap_or(&self.places)
    }

    /// Counts from now on, from where it stopped. A one-shot period that has ended begins anew. A session that counts already
    /// goes on counting.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::Suspended`], [`Error::Halted`]; [`Error::Invalidated`] if the unit was given up.
    /// Nothing has changed, but after [`Error::Halted`] [`Session::has_ended`] returns false.
    #[inline(always)]
    pub fn start(&mut self) -> Result<()> {
        self.reservation.start()
    }

    /// Stops counting. The counts stay. If it does not count, nothing happens.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::Suspended`]; [`Error::Invalidated`] if the unit was given up. Nothing has changed.
    #[inline(always)]
    pub fn stop(&mut self) -> Result<()> {
        self.reservation.stop()
    }

    /// Sets the counts to where they began, begins whole periods, and forgets the time counted so far. What counts goes
    /// on counting.
    ///
    /// # Errors
    /// As [`Session::stop`].
    pub fn reset(&mut self) -> Result<()> {
        self.reservation.reset(self.places.get(..self.length).unwrap_or(&self.places))
    }

    /// Has this request ended its one-shot period? False beyond the last request, and if the unit was given up.
    #[must_use]
    pub fn has_ended(&self, request: usize) -> bool {
        let Reservation { pmu, claim, .. } = &self.reservation;
        let expired = pmu.shared.counting.expired();
        let has_ended = self.places().get(request).is_some_and(|place| expired.contains(place.id));
        has_ended && pmu.shared.ownership.is(*claim)
    }

    /// This session, as its samples name it.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.reservation.id()
    }

    /// The counter that a request was placed on; `None` beyond the last request.
    #[must_use]
    pub fn counter(&self, request: usize) -> Option<CounterId> {
        self.places().get(request).map(|place| place.id)
    }

    /// The request whose overflow this sample is; `None` if it is another session's, or a thread's. A reader that skips the
    /// others' has removed them: see [`Unit::samples`](crate::Unit::samples).
    #[must_use]
    pub fn request_of(&self, sample: &Sample) -> Option<usize> {
        let is_mine = sample.session == self.id();
        self.places().iter().position(|place| is_mine && place.id == sample.counter)
    }
}

impl<D: Driver, const N: usize, C> fmt::Debug for Session<'_, D, N, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reservation.fmt(f)
    }
}

/// Counters that belong to a session, and how long they have counted.
///
/// The part of a session that is not generic over the number of requests, so that a kernel which opens sessions of many sizes
/// has its code once.
pub(super) struct Reservation<'u, D: Driver> {
    pub(super) pmu: Pmu<'u, D>,
    pub(super) claim: Claim,
    pub(super) serial: u64,
    /// The counters that count.
    pub(super) counters: CounterSet,
    /// The counters that nobody else can use: those, and the second ones of pairs.
    pub(super) occupied: CounterSet,
    /// Ticks that it has counted for; while it counts, less the tick at which it began.
    pub(super) enabled: u64,
    pub(super) is_running: bool,
}

impl<'u, D: Driver> Reservation<'u, D> {
    #[inline(always)]
    fn enter(&self) -> Result<Operation<'u, D>, Refused<'u>> {
        self.pmu.enter_under(self.claim)
    }

    #[inline(never)]
    fn start(&mut self) -> Result<()> {
        let operation = self.enter()?;
        if !operation.shared.counting.clear_ended(self.counters) {
            return Err(Error::Halted);
        }
        if !self.is_running {
            self.is_running = true;
            self.enabled = self.enabled.wrapping_sub(operation.now());
        }
        operation.arm(self.counters);
        Ok(())
    }

    #[inline(never)]
    fn stop(&mut self) -> Result<()> {
        let operation = self.enter()?;
        if self.is_running {
            self.is_running = false;
            self.enabled = self.enabled.wrapping_add(operation.now());
        }
        operation.disarm(self.counters);
        Ok(())
    }

    /// Sets the counts to where they began, with whole periods.
    fn reset(&mut self, places: &[Place<'u, D::Handle>]) -> Result<()> {
        let operation = self.enter()?;
        operation.disarm(self.counters);
        _ = operation.shared.counting.clear_ended(self.counters);
        for place in places {
            let left = match operation.shared.counting.period(place.id) {
                0 => place.width.longest(),
                period => period,
            };
            operation.put(place.id, place.width, place.preset, Remaining::events(left));
        }
        self.enabled = 0;
        if self.is_running {
            self.enabled = self.enabled.wrapping_sub(operation.now());
            operation.arm(self.counters);
        }
        Ok(())
    }

    /// Leaves the counters to be freed by a later operation, if the session still has them.
    #[cold]
    #[inline(never)]
    fn abandon(&self, refused: Refused<'u>) {
        if !matches!(refused.into(), Error::Invalidated | Error::NotClaimed) {
            self.pmu.shared.residency.abandon(self.occupied, self.serial);
        }
    }

    const fn id(&self) -> SessionId {
        SessionId::of_session(self.serial)
    }

    /// Returns the ticks that it has counted for.
    fn enabled(&self) -> u64 {
        if self.is_running { self.enabled.wrapping_add(self.pmu.time()) } else { self.enabled }
    }
}

impl<D: Driver> Drop for Reservation<'_, D> {
    fn drop(&mut self) {
        match self.enter() {
            Ok(operation) => operation.free(self.occupied),
            Err(refused) => self.abandon(refused),
        }
    }
}

impl<D: Driver> fmt::Debug for Reservation<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("counters", &self.counters)
            .field("is_running", &self.is_running)
            .finish_non_exhaustive()
    }
}
