//! A session of one counter, beside the host's book of that counter.

use pmu::request::{Repeat, Sampling};
use pmu::{CounterId, Counts, Reader, Request, Result, Session};

use crate::kernel::{Claimed, Kernel};

/// A session of one counter, beside the host's book of it.
pub struct Booked<K: Kernel> {
    session: Session<'static, K::Driver, 1>,
    counter: CounterId,
    sampling: Option<Sampling>,
    /// What the book had when the count was 0.
    zero: u64,
    /// The event on which it ends, if it ends once.
    end: u64,
}

impl<K: Kernel> Booked<K> {
    /// Opens it.
    pub fn open(pmu: &Claimed<K>, request: Request) -> Self {
        Self::try_open(pmu, request).expect("the counter is free")
    }

    /// Opens it, if the counter is free.
    ///
    /// # Errors
    /// Those of [`pmu::Pmu::open`].
    pub fn try_open(pmu: &Claimed<K>, request: Request) -> Result<Self> {
        let session = pmu.open([request])?;
        let counter = session.counter(0).expect("it has a counter");
        let end = request.sampling.map_or(0, |sampling| sampling.period);
        Ok(Self { session, counter, sampling: request.sampling, zero: K::counted(counter), end })
    }

    /// Does each of its periods leave a sample?
    pub fn is_sampled(&self) -> bool {
        self.sampling.is_some()
    }

    /// Does it end after one period?
    pub fn ends_once(&self) -> bool {
        self.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot)
    }

    /// Lets it count, from where it was stopped.
    #[inline(always)]
    pub fn start(&mut self) {
        self.session.start().expect("this is its CPU");
    }

    /// Lets its count begin anew.
    pub fn reset(&mut self) {
        self.session.reset().expect("this is its CPU");
        self.zero = K::counted(self.counter);
    }

    /// Stops it.
    #[inline(always)]
    pub fn stop(&mut self) {
        self.session.stop().expect("it runs");
    }

    /// Reads its count, while it runs or not.
    #[inline(always)]
    pub fn read(&self) -> u64 {
        self.session.read().expect("this is its CPU")[0]
    }

    /// Reads its count and its times.
    pub fn counts(&self) -> Counts<1> {
        self.session.counts().expect("this is its CPU")
    }

    /// The session itself.
    pub fn session(&mut self) -> &mut Session<'static, K::Driver, 1> {
        &mut self.session
    }

    /// Reads its count from now on, by itself.
    pub fn reader(&self) -> Reader<'_, 'static, K::Driver, 1> {
        self.session.reader().expect("this is its CPU")
    }

    /// Does this, from a start to a stop.
    #[inline(always)]
    pub fn around(&mut self, body: impl FnOnce()) {
        self.start();
        body();
        self.stop();
    }

    /// Its counter is about to be preset to what is left of its period, and cannot wait for fewer events than `least`: if
    /// it ends once, it ends on the first event that it can wait for.
    pub fn is_preset_anew(&mut self, least: u64) {
        if !self.session.has_ended(0) {
            self.end = self.end.max(self.read() + least);
        }
    }

    /// What it should have counted.
    pub fn booked(&self) -> u64 {
        K::counted(self.counter) - self.zero
    }

    /// What it has counted since it was opened, which the book confirms, if there is one; it does not run.
    pub fn count(&mut self) -> u64 {
        let count = self.read();
        if !K::has_book() {
            return count;
        }
        if self.session.has_ended(0) {
            // The counter was on for a little longer, until the interrupt had halted it.
            self.zero += self.booked() - self.end;
        }
        assert_eq!(count, self.booked(), "{}", self.counter);
        count
    }
}

/// Readings around work: the same code each time, so that what they add to the counts is the same.
pub mod reads {
    use core::array;

    use pmu::Reader;

    use crate::kernel::Kernel;

    /// What so many instructions count, of 64 bits.
    #[inline(never)]
    pub fn wide<K: Kernel, const N: usize>(reader: &Reader<'_, '_, K::Driver, N>, length: u64) -> [u64; N] {
        let before = reader.read();
        K::exactly(length);
        let after = reader.read();
        array::from_fn(|at| after[at] - before[at])
    }

    /// The same as wide as the counters are.
    #[inline(never)]
    pub fn narrow<K: Kernel, const N: usize>(reader: &Reader<'_, '_, K::Driver, N>, length: u64) -> [u64; N] {
        let before = reader.read_narrow();
        K::exactly(length);
        let after = reader.read_narrow();
        array::from_fn(|at| after[at] - before[at])
    }
}
