//! Reading a session's counts, which an interrupt may change meanwhile.

use super::Session;
use crate::contract::Driver;
use crate::event::{Error, Result};
use crate::measure::Counts;
use crate::stats::Buffer;
use crate::unit::{Operation, Scope};

/// What the counts of up to `N` requests are read as.
pub trait Counted<const N: usize>: Sized {
    /// Collects the counts of the first `length` places.
    fn collect<P>(places: &[P; N], length: usize, count: impl Fn(&P) -> u64) -> Self;
}

impl<const N: usize> Counted<N> for [u64; N] {
    /// There is a request for each place.
    #[inline(always)]
    fn collect<P>(places: &[P; N], _: usize, count: impl Fn(&P) -> u64) -> Self {
        let mut counts = [0; N];
        for (value, place) in counts.iter_mut().zip(places) {
            *value = count(place);
        }
        counts
    }
}

impl<const N: usize> Counted<N> for Buffer<N> {
    fn collect<P>(places: &[P; N], length: usize, count: impl Fn(&P) -> u64) -> Self {
        Self::collect(places.iter().take(length).map(count))
    }
}

impl<'u, D: Driver, const N: usize, C: Counted<N>> Session<'u, D, N, C> {
    /// The 64-bit counts, in the order of the requests.
    ///
    /// # Errors
    /// [`Error::WrongCpu`]; [`Error::Invalidated`] if the unit was given up.
    #[inline]
    pub fn read(&self) -> Result<C> {
        match self.reservation.pmu.enter_under(self.reservation.claim) {
            Ok(operation) => Ok(self.read_amid(&operation)),
            Err(_) => self.read_suspended(),
        }
    }

    /// Counts while `work` runs.
    #[inline(always)]
    pub(in crate::measure) fn count<R>(mut self, work: impl FnOnce() -> R) -> Result<(C, R)> {
        self.start()?;
        let result = work();
        self.stop()?;
        Ok((self.read()?, result))
    }

    #[inline(always)]
    fn read_amid(&self, operation: &Operation<'_, D>) -> C {
        // No loop here: it would make the compiler hoist, and spill, what each counter needs.
        match operation.attempt(|| self.values()) {
            Some(counts) => counts,
            None => self.read_again(operation),
        }
    }

    #[cold]
    #[inline(never)]
    fn read_again(&self, operation: &Operation<'_, D>) -> C {
        operation.read_again(self.reservation.occupied, || self.values())
    }

    /// Reads the counts from the accounts while the unit is suspended. Interrupts are off, so nothing wakes it meanwhile.
    #[cold]
    #[inline(never)]
    fn read_suspended(&self) -> Result<C> {
        let pmu = self.reservation.pmu;
        let _scope = Scope::enter(pmu.driver);
        match pmu.enter_under(self.reservation.claim).map_err(Error::from) {
            Ok(operation) => Ok(self.read_again(&operation)),
            Err(Error::Suspended | Error::GuestIn) => {
                Ok(C::collect(&self.places, self.length, |place| place.base.get()))
            }
            Err(error) => Err(error),
        }
    }

    #[inline(always)]
    fn values(&self) -> C {
        let pmu = self.reservation.pmu;
        C::collect(&self.places, self.length, |place| {
            let position = place.width.position(pmu.driver.read(place.handle));
            place.base.get().wrapping_add(position)
        })
    }
}

impl<'u, D: Driver, const N: usize> Session<'u, D, N> {
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

    /// The counts, modulo the range of the counters. They are right while less than the counter's longest period has been
    /// counted since the start, and no sampling period has ended.
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
