//! Starts and reads a pair of events of one thread, as libperfex did for a process.

use super::GenerationNumber;
use super::pair::Override;
use super::pair::replaced;
use crate::contract::Driver;
use crate::event::{Event, Request, Result, Set};
use crate::measure::Context;
use crate::unit::Pmu;

/// Two events that are counted together while one thread runs, any number of times.
///
/// It is [`Perfex`](super::Perfex) over the thread's own counters. The kernel keeps one for each thread that may ask, its
/// scheduler switches [`ThreadPerfex::context`], and the thread starts and reads the pair by system calls.
///
/// As in libperfex the counters may be taken: while a session of the CPU has them, the thread waits. A read whose
/// [`GenerationNumber`] is not that of the start says that some of the events were not counted.
///
/// ```
/// # use pmu::arch::x86::{Unattached, intel::{Device, Identity, Intel}};
/// # use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// # use pmu::{Mode, Unit};
/// use pmu::Event;
/// use pmu::output::perfex::ThreadPerfex;
///
/// # let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
/// # let unit = Unit::<Intel<_, _>, 0>::new();
/// # let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &device, Unattached)?)?;
/// # let work = |n| device.advance(&Work::instructions(Mode::User, n));
/// let mut perfex = ThreadPerfex::new(7);
/// let started = perfex.start(&pmu, Event::CYCLES, Event::INSTRUCTIONS)?;
/// work(500);
/// pmu.switch_out(perfex.context()); // the scheduler
/// work(5000); // another thread's
/// pmu.switch_in(perfex.context());
/// let ([cycles, instructions], read) = perfex.read(&pmu)?;
/// assert_eq!((cycles, instructions, started), (500, 500, read));
/// # Ok::<(), pmu::Error>(())
/// ```
pub struct ThreadPerfex<'p, D: Driver> {
    context: Context<D, 2>,
    replace: Option<Override<'p>>,
    generation: u32,
}

impl<'p, D: Driver> ThreadPerfex<'p, D> {
    /// Creates a pair of the thread that the kernel knows by this number. It counts nothing yet.
    #[must_use]
    pub const fn new(thread: u32) -> Self {
        Self { context: Context::new(thread), replace: None, generation: 0 }
    }

    /// Lets `replace` override the events at each start, as [`Perfex::replaced_by`](super::Perfex::replaced_by) does.
    #[must_use]
    pub const fn replaced_by(mut self, replace: &'p dyn Fn(usize) -> Option<Event>) -> Self {
        self.replace = Some(replace);
        self
    }

    /// Returns what the scheduler switches in and out with the thread.
    pub fn context(&mut self) -> &mut Context<D, 2> {
        &mut self.context
    }

    /// Counts these two requests from 0 while the thread runs, from now on. The thread that runs on this CPU MUST be the
    /// pair's. Discards the counts of an earlier start that were not read.
    ///
    /// # Errors
    /// As [`Context::bind`]; a conflict names the requests that need the same counter. Nothing is counted then.
    /// [`Error::ThreadIn`](crate::Error::ThreadIn) on another CPU than the thread's: the earlier start goes on.
    pub fn start(
        &mut self,
        pmu: &Pmu<'_, D>,
        first: impl Into<Request>,
        second: impl Into<Request>,
    ) -> Result<GenerationNumber> {
        self.start_set(pmu, &Set::from([first.into(), second.into()]))
    }

    /// Counts the requests of a set, one or two, as [`ThreadPerfex::start`] does: those that a user named
    /// ([`PerfexCommand::parse`](crate::text::notation::PerfexCommand::parse)).
    ///
    /// # Errors
    /// As [`ThreadPerfex::start`], and [`Error::NotBound`](crate::Error::NotBound) of a set without requests.
    pub fn start_set(&mut self, pmu: &Pmu<'_, D>, set: &Set<2>) -> Result<GenerationNumber> {
        pmu.switch_out(&mut self.context);
        self.context.unbind()?;
        self.context.bind(pmu, replaced(set, self.replace)?)?;
        pmu.switch_in(&mut self.context);
        Ok(self.next_generation())
    }

    /// Stops counting, and returns the counts in the order of the events. The [`GenerationNumber`] is the start's, or a new one if
    /// the thread has run without counters meanwhile.
    ///
    /// # Errors
    /// [`Error::NotBound`](crate::Error::NotBound) if nothing was started. [`Error::Invalidated`](crate::Error::Invalidated)
    /// if the counters were taken for good: start again. [`Error::ThreadIn`](crate::Error::ThreadIn) on another CPU than the
    /// thread's: the events are still counted.
    pub fn read(&mut self, pmu: &Pmu<'_, D>) -> Result<([u64; 2], GenerationNumber)> {
        let is_waiting = self.context.is_waiting();
        pmu.switch_out(&mut self.context);
        let counts = self.context.counts()?;
        self.context.unbind()?;
        let was_without = is_waiting || counts.running != counts.enabled;
        let generation = if was_without { self.next_generation() } else { GenerationNumber(self.generation) };
        Ok((counts.raw, generation))
    }

    fn next_generation(&mut self) -> GenerationNumber {
        self.generation = self.generation.wrapping_add(1);
        GenerationNumber(self.generation)
    }
}

impl<D: Driver> core::fmt::Debug for ThreadPerfex<'_, D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("ThreadPerfex").field("context", &self.context).field("generation", &self.generation).finish()
    }
}
