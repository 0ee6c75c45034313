//! Measuring a CPU: open a session, start, stop, reset, read.
//!
//! A session holds its counters from [`Pmu::open`](crate::Pmu::open) until it is dropped. Sessions count beside one
//! another without disturbing each other. Counts have 64 bits whatever the counters have: the overflow interrupt carries
//! them on. Without that interrupt, a count is right for as long as a counter's width lasts.

use core::{array, fmt};

use super::{Counts, Reservation};
use crate::contract::{Counter, Driver, Slot};
use crate::event::{CounterId, Error, Request, Result, Width};
use crate::sample::{Sample, SessionId};
use crate::unit::{Operation, Scope};

/// The counter of one request, what reading it takes, and where its count begins.
pub(super) struct Place<H> {
    pub(super) id: CounterId,
    handle: H,
    pub(super) width: Width,
    pub(super) preset: u64,
}

/// Requests that count together on this CPU.
///
/// Dropping it stops and frees its counters. If it is dropped on another CPU, or while the unit is suspended, the next
/// operation at home frees them, and the next overflow interrupt there stops them.
pub struct Session<'u, D: Driver, const N: usize> {
    pub(super) reservation: Reservation<'u, D>,
    places: [Place<D::Handle>; N],
}

impl<'u, D: Driver, const N: usize> Session<'u, D, N> {
    #[inline(always)]
    pub(super) fn new(reservation: Reservation<'u, D>, slots: &[Slot; N], requests: &[Request; N]) -> Self {
        let driver = reservation.pmu.driver;
        let place = |i| {
            let (slot, request): (&Slot, &Request) = (&slots[i], &requests[i]);
            let Counter { handle, width, .. } = driver.counter(slot);
            Place { id: slot.counter, handle, width, preset: request.preset }
        };
        let places = array::from_fn(place);
        Self { reservation, places }
    }

    /// Counts from now on, from where it stopped. A one-shot period that has ended begins anew. If it counts already, that
    /// is all that happens.
    ///
    /// # Errors
    /// [`Error::WrongCpu`], [`Error::Suspended`], [`Error::Halted`]; [`Error::Invalidated`] if the unit was given up.
    /// Nothing has changed.
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
        self.reservation.reset(&self.places)
    }

    /// The 64-bit counts, in the order of the requests.
    ///
    /// # Errors
    /// [`Error::WrongCpu`]; [`Error::Invalidated`] if the unit was given up.
    #[inline]
    pub fn read(&self) -> Result<[u64; N]> {
        match self.reservation.pmu.enter_under(self.reservation.claim) {
            Ok(operation) => Ok(self.read_amid(&operation)),
            Err(_) => self.read_asleep(),
        }
    }

    /// The 64-bit counts, and how long they were counted for.
    ///
    /// # Errors
    /// As [`Session::read`].
    pub fn counts(&self) -> Result<Counts<N>> {
        // Nobody else runs between the two.
        let _scope = Scope::enter(self.reservation.pmu.driver);
        let (raw, enabled) = (self.read()?, self.reservation.enabled());
        Ok(Counts { raw, enabled, running: enabled })
    }

    /// A reader without the check that every [`Session::read`] makes: reading costs one instruction sequence a counter.
    ///
    /// The thread MUST stay on this CPU while it uses the reader, or it reads another unit's counters; and the unit MUST
    /// NOT be suspended or given up meanwhile.
    ///
    /// # Errors
    /// As [`Session::read`]; [`Error::Suspended`].
    #[inline]
    pub fn reader(&self) -> Result<Reader<'_, 'u, D, N>> {
        self.reservation.pmu.enter_under(self.reservation.claim)?;
        Ok(Reader { session: self })
    }

    /// Has this request ended its one-shot period? False beyond the last request, and if the unit was given up.
    #[must_use]
    pub fn has_ended(&self, request: usize) -> bool {
        let Reservation { pmu, claim, .. } = &self.reservation;
        let expired = pmu.shared.expired.counters();
        let has_ended = self.places.get(request).is_some_and(|place| expired.contains(place.id));
        has_ended && pmu.shared.home.is(*claim)
    }

    /// This session, as its samples name it.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.reservation.id()
    }

    /// The counter that a request was placed on; `None` beyond the last request.
    #[must_use]
    pub fn counter(&self, request: usize) -> Option<CounterId> {
        self.places.get(request).map(|place| place.id)
    }

    /// The request whose overflow this sample is; `None` if it is another session's.
    #[must_use]
    pub fn request_of(&self, sample: &Sample) -> Option<usize> {
        let is_mine = sample.session == self.id();
        self.places.iter().position(|place| is_mine && place.id == sample.counter)
    }

    #[inline(always)]
    fn read_amid(&self, operation: &Operation<'_, D>) -> [u64; N] {
        // No loop here: it would make the compiler hoist, and spill, what each counter needs.
        match operation.attempt(|| self.values()) {
            Some(counts) => counts,
            None => self.read_again(operation),
        }
    }

    #[cold]
    #[inline(never)]
    fn read_again(&self, operation: &Operation<'_, D>) -> [u64; N] {
        operation.read_again(self.reservation.occupied, || self.values())
    }

    /// While the unit sleeps the counts are in the accounts. Nobody wakes it meanwhile.
    #[cold]
    #[inline(never)]
    fn read_asleep(&self) -> Result<[u64; N]> {
        let pmu = self.reservation.pmu;
        let _scope = Scope::enter(pmu.driver);
        match pmu.enter_under(self.reservation.claim).map_err(Error::from) {
            Ok(operation) => Ok(self.read_again(&operation)),
            Err(Error::Suspended) => Ok(self.places.each_ref().map(|place| pmu.shared.account(place.id).base.get())),
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    fn values(&self) -> [u64; N] {
        let pmu = self.reservation.pmu;
        let mut counts = [0; N];
        for (count, place) in counts.iter_mut().zip(&self.places) {
            let position = place.width.position(pmu.driver.read(place.handle));
            *count = pmu.shared.account(place.id).base.get().wrapping_add(position);
        }
        counts
    }
}

impl<D: Driver, const N: usize> fmt::Debug for Session<'_, D, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.reservation.fmt(f)
    }
}

/// Reads a session's counters on the CPU that was checked when it was made.
#[derive(Debug)]
pub struct Reader<'s, 'u, D: Driver, const N: usize> {
    session: &'s Session<'u, D, N>,
}

impl<D: Driver, const N: usize> Reader<'_, '_, D, N> {
    /// The 64-bit counts, in the order of the requests.
    #[inline(always)]
    #[must_use]
    pub fn read(&self) -> [u64; N] {
        match self.session.reservation.pmu.attempt(|| self.session.values()) {
            Some(counts) => counts,
            None => self.read_again(),
        }
    }

    /// The counts since the start as wide as the counters are: right while less than the counter's longest period has
    /// been counted, and no period of sampling has ended.
    #[inline(always)]
    #[must_use]
    pub fn read_narrow(&self) -> [u64; N] {
        let mut counts = self.session.values();
        for (count, place) in counts.iter_mut().zip(&self.session.places) {
            *count &= place.width.mask();
        }
        counts
    }

    #[cold]
    #[inline(never)]
    fn read_again(&self) -> [u64; N] {
        self.session.read().unwrap_or_else(|_| self.session.values())
    }
}
