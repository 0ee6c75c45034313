//! Starts and reads a pair of events, as programs did with libperfex.

use crate::contract::Driver;
use crate::event::{Error, Event, Request, Result, Set};
use crate::measure::Session;
use crate::stats::Buffer;
use crate::unit::Pmu;

/// Replaces a program's events.
pub(super) type Override<'a> = &'a dyn Fn(usize) -> Option<Event>;

/// The number of a measurement: 1 for the first, and one more for each further one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct GenerationNumber(pub u32);

/// Two events that are counted together, any number of times.
///
/// As in libperfex, each event takes a counter of its own, in either order. Two events that only one counter
/// has are an error, which names the requests 0 and 1. On the R10000 the number of an event named its counter; here a
/// request names it with [`Request::pinned_to`], and keeps it. Unlike in libperfex the counts are always valid: a
/// session reserves the counters, so nobody can take them in between. The [`GenerationNumber`] is for programs
/// that compare the results of start and read.
///
/// ```
/// # use pmu::arch::x86::{Unattached, intel::{Device, Identity, Intel}};
/// # use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// # use pmu::{Mode, Unit};
/// use pmu::Event;
/// use pmu::output::perfex::Perfex;
///
/// # let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
/// # let unit = Unit::<Intel<_, _>, 0>::new();
/// # let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &device, Unattached)?)?;
/// # let work = || device.advance(&Work::instructions(Mode::Kernel, 500));
/// let mut perfex = Perfex::new(&pmu);
/// let started = perfex.start(Event::CYCLES, Event::INSTRUCTIONS)?;
/// work();
/// let ([cycles, instructions], read) = perfex.read()?;
/// assert_eq!((cycles, instructions, started), (500, 500, read));
/// # Ok::<(), pmu::Error>(())
/// ```
pub struct Perfex<'p, 'u, D: Driver> {
    pmu: &'p Pmu<'u, D>,
    replace: Option<Override<'p>>,
    session: Option<Session<'u, D, 2, Buffer<2>>>,
    generation: u32,
}

impl<'p, 'u, D: Driver> Perfex<'p, 'u, D> {
    /// Creates a pair that counts nothing yet, and that will count the events it is given.
    #[must_use]
    pub const fn new(pmu: &'p Pmu<'u, D>) -> Self {
        Self { pmu, replace: None, session: None, generation: 0 }
    }

    /// Lets `replace` override the events, like the environment variables `T5_EVENT0` and `T5_EVENT1`. It is called at each
    /// start with the number of each event, 0 and 1, and returns the event to count instead, or `None` to keep the
    /// program's. A closure may keep state, in a [`Cell`](core::cell::Cell) for instance.
    #[must_use]
    pub const fn replaced_by(mut self, replace: &'p dyn Fn(usize) -> Option<Event>) -> Self {
        self.replace = Some(replace);
        self
    }

    /// Counts these two requests from 0; an [`Event`] is one in user programs and in the kernel. An event that replaces
    /// one is counted in the same modes. Discards the counts of an earlier start that were not read.
    ///
    /// # Errors
    /// The errors of [`Pmu::open`]. A conflict names the requests that need the same counter. Nothing is
    /// counted then.
    pub fn start(&mut self, first: impl Into<Request>, second: impl Into<Request>) -> Result<GenerationNumber> {
        self.start_set(&Set::from([first.into(), second.into()]))
    }

    /// Counts the requests of a set, one or two, as [`Perfex::start`] does: those that a user named
    /// ([`PerfexCommand::parse`](crate::text::notation::PerfexCommand::parse)).
    ///
    /// # Errors
    /// As [`Perfex::start`], and [`Error::NotBound`] of a set without requests.
    pub fn start_set(&mut self, set: &Set<2>) -> Result<GenerationNumber> {
        self.session = None;
        let mut session = self.pmu.open_set(&replaced(set, self.replace)?)?;
        session.start()?;
        self.session = Some(session);
        self.generation = self.generation.wrapping_add(1);
        Ok(GenerationNumber(self.generation))
    }

    /// Stops counting, and returns the counts in the order of the events; 0 for an event that the set did not have.
    ///
    /// # Errors
    /// Returns [`Error::Stopped`] if nothing was started, and [`Error::WrongCpu`] as other operations do. The events are still counted then.
    pub fn read(&mut self) -> Result<([u64; 2], GenerationNumber)> {
        let session = self.session.as_mut().ok_or(Error::Stopped)?;
        session.stop()?;
        let counts = session.read()?;
        self.session = None;
        let count = |number| counts.values().get(number).copied().unwrap_or(0);
        Ok(([count(0), count(1)], GenerationNumber(self.generation)))
    }
}

/// Returns the requests with the events that override theirs. There must be one or two.
pub(super) fn replaced(set: &Set<2>, replace: Option<Override<'_>>) -> Result<Set<2>> {
    let mut set = *set;
    if set.is_empty() {
        return Err(Error::NotBound);
    }
    for (number, request) in set.requests_mut().iter_mut().enumerate() {
        if let Some(event) = replace.and_then(|replace| replace(number)) {
            *request = Request { event, name: None, ..*request };
        }
    }
    Ok(set)
}

impl<D: Driver> core::fmt::Debug for Perfex<'_, '_, D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Perfex").field("session", &self.session).field("generation", &self.generation).finish()
    }
}
