//! Samples from a timer tick, for a CPU that has no overflow interrupt.
//!
//! The kernel's periodic tick calls [`Timer::tick`], and the samples are read as a unit's are. It
//! is a poor second: it sees time and no other event, and it is **blind to code that runs with the
//! tick's interrupt off**. What would have been sampled there is found at the instruction that lets
//! interrupts in again, so that this instruction looks hot. A kernel that knows how many ticks it
//! missed hands them to [`Timer::late_tick`], and [`Lost::outrun`](crate::samples::Lost) says how much was
//! not seen.
//!
//! ```
//! use pmu::{Interrupted, Mode, Timer};
//!
//! static TIMER: Timer<128> = Timer::new();
//! TIMER.tick(Interrupted::new(0x1000, Mode::Kernel)); // in the tick's handler
//! let mut samples = TIMER.samples()?; // in a thread
//! assert_eq!(samples.next().map(|sample| sample.address), Some(0x1000));
//! # Ok::<(), pmu::Error>(())
//! ```

use core::fmt;

use crate::event::{CounterId, Result};
use crate::sample::chain::{Broken, Callers, Chains};
use crate::sample::{Interrupted, Label, Losses, Numbers, Ring, SampleStatistics, Samples, SessionId};

/// One CPU's samples by the clock, with room for `SAMPLES` of them (0, or a power of two).
///
/// It needs no unit and touches none. Its samples name counter 0 and session 0, though neither has
/// to do with them.
pub struct Timer<const SAMPLES: usize> {
    ring: Ring<SAMPLES>,
    losses: Losses,
}

impl<const SAMPLES: usize> Default for Timer<SAMPLES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const SAMPLES: usize> Timer<SAMPLES> {
    /// No samples yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { ring: Ring::new(), losses: Losses::none() }
    }

    /// A tick interrupted the CPU here. It allocates nothing, locks nothing and cannot panic.
    ///
    /// It MUST be called on one CPU only, and not amid another call of it.
    #[inline(always)]
    pub fn tick(&self, at: Interrupted) {
        self.sample(at, |_| ());
    }

    /// The same, with the chain of callers that `walk` finds: see [`chain`](crate::samples::chain). The chains
    /// MUST be this timer's alone.
    #[inline(always)]
    pub fn tick_chained<const DEPTH: usize, const N: usize>(
        &self,
        at: Interrupted,
        chains: &Chains<DEPTH, N>,
        walk: impl FnOnce(&mut Callers<'_>) -> Result<(), Broken>,
    ) {
        self.sample(at, |samples| chains.follow(samples, walk));
    }

    #[inline(always)]
    fn sample(&self, at: Interrupted, follow: impl FnOnce(Numbers)) {
        let mut writer = self.ring.writer(at, &self.losses);
        writer.write(Label::new(CounterId::ZERO, SessionId::of_session(0)));
        follow(writer.numbers());
        writer.publish();
    }

    /// Like [`Timer::tick`], after `missed` ticks that were lost because interrupts were off: they are counted as outrun.
    pub fn late_tick(&self, at: Interrupted, missed: u64) {
        self.losses.outrun.add(missed);
        self.tick(at);
    }

    /// The one reader. May be called on any CPU.
    ///
    /// # Errors
    /// [`Error::ReaderTaken`](crate::Error::ReaderTaken) while another reader is alive.
    pub fn samples(&self) -> Result<Samples<'_, SAMPLES>> {
        self.ring.reader(&self.losses)
    }

    /// What became of the ticks: [`Unit::sample_statistics`](crate::Unit::sample_statistics).
    #[must_use]
    pub fn statistics(&self) -> SampleStatistics {
        self.ring.statistics(&self.losses)
    }
}

impl<const SAMPLES: usize> fmt::Debug for Timer<SAMPLES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Timer").field("statistics", &self.statistics()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Mode;
    use crate::result::profile::Profile;

    #[test]
    fn a_tick_is_sampled_where_it_came() {
        let timer = Timer::<4>::new();
        timer.tick(Interrupted::new(0x40, Mode::User).in_thread(3));
        let sample = timer.samples().unwrap().next().unwrap();
        assert_eq!((sample.address, sample.mode, sample.thread), (0x40, Mode::User, 3));
    }

    #[test]
    fn ticks_that_found_interrupts_off_are_counted_as_outrun() {
        let timer = Timer::<4>::new();
        timer.late_tick(Interrupted::new(0x40, Mode::Kernel), 6);
        let statistics = timer.statistics();
        assert_eq!((statistics.received, statistics.lost.outrun, statistics.lost.total()), (1, 6, 6));
    }

    #[test]
    fn every_tick_is_in_the_profile_or_in_the_losses() {
        let (timer, mut profile) = (Timer::<8>::new(), Profile::<4>::new());
        for round in 0..100 {
            (0..round % 13).for_each(|address| timer.tick(Interrupted::new(address, Mode::Kernel)));
            profile.extend(timer.samples().unwrap());
        }
        let ticks: u64 = (0..100).map(|round| round % 13).sum();
        assert_eq!(profile.total() + timer.statistics().lost.ring_full, ticks);
        assert!(profile.left_out() > 0 && timer.statistics().lost.ring_full > 0);
    }

    #[test]
    fn a_timer_has_one_reader_at_a_time() {
        let timer = Timer::<4>::new();
        let first = timer.samples();
        assert_eq!(timer.samples().err(), Some(crate::Error::ReaderTaken));
        drop(first);
        assert!(timer.samples().is_ok());
    }
}
