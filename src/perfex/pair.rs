//! Starting and reading two events, as libperfex's programs did.

use crate::backend::Backend;
use crate::error::Result;
use crate::event::{Event, Request};
use crate::pmu::Pmu;
use crate::session::Session;

/// What replaces a program's events, in place of the environment variables `T5_EVENT0` and
/// `T5_EVENT1`: it is asked for each of the two, from 0, and answers the event to count, or `None`
/// to leave it.
pub type Override = fn(number: usize) -> Option<Event>;

/// Tells the times of counting apart: 1 for the first, and one more each time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Generation(pub u32);

/// Two events that are counted together, again and again.
///
/// libperfex's rule holds: each event takes a counter of its own, in either order, and two events
/// that only one counter has are an error, which names the requests, 0 and 1. Unlike there, nobody can take the
/// counters away in between: a session holds them, so the counts are never void. The
/// [`Generation`] is for programs that compare what start and read answered.
///
/// ```
/// # use pmu::arch::x86::{Unattached, intel::{Device, Identity, Intel}};
/// # use pmu::virt::{Device as _, Kinds, Unconnected, Work};
/// # use pmu::{CpuId, Mode, Unit};
/// use pmu::Event;
/// use pmu::perfex::Perfex;
///
/// # let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
/// # let unit = Unit::<_, 0>::new();
/// # let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &device, Unattached)?, || CpuId(0))?;
/// # let work = || device.advance(&Work::instructions(Mode::Kernel, 500));
/// let mut perfex = Perfex::new(&pmu);
/// let started = perfex.start(Event::CYCLES, Event::INSTRUCTIONS)?;
/// work();
/// let ([cycles, instructions], read) = perfex.read()?;
/// assert_eq!((cycles, instructions, started), (500, 500, read));
/// # Ok::<(), pmu::Error>(())
/// ```
pub struct Perfex<'p, 'u, B: Backend> {
    pmu: &'p Pmu<'u, B>,
    replace: Override,
    session: Option<Session<'u, B, 2>>,
    generation: u32,
}

impl<'p, 'u, B: Backend> Perfex<'p, 'u, B> {
    /// Nothing is counted yet; events are those that are asked for.
    #[must_use]
    pub const fn new(pmu: &'p Pmu<'u, B>) -> Self {
        Self { pmu, replace: |_| None, session: None, generation: 0 }
    }

    /// The same, with the last word on its events left to `replace`.
    #[must_use]
    pub const fn replaced_by(mut self, replace: Override) -> Self {
        self.replace = replace;
        self
    }

    /// Counts these two from 0, in user programs and in the kernel. What was counted before and
    /// not read is forgotten.
    ///
    /// # Errors
    /// Those of [`Pmu::open`]: a conflict names the requests that need the same counter. Nothing is
    /// counted then.
    pub fn start(&mut self, first: Event, second: Event) -> Result<Generation> {
        let event = |number, event| (self.replace)(number).unwrap_or(event);
        let requests = [event(0, first), event(1, second)].map(Request::from);
        self.session = None;
        let mut session = self.pmu.open(requests)?;
        session.start()?;
        self.session = Some(session);
        self.generation = self.generation.wrapping_add(1);
        Ok(Generation(self.generation))
    }

    /// Stops, and answers the counts in the order of the events.
    ///
    /// # Errors
    /// [`Error::Stopped`](crate::Error::Stopped) if nothing was started,
    /// [`Error::WrongCpu`](crate::Error::WrongCpu), [`Error::Busy`](crate::Error::Busy); it goes on
    /// counting then.
    pub fn read(&mut self) -> Result<([u64; 2], Generation)> {
        let session = self.session.as_mut().ok_or(crate::Error::Stopped)?;
        session.stop()?;
        let counts = session.read()?;
        self.session = None;
        Ok((counts, Generation(self.generation)))
    }
}

impl<B: Backend> core::fmt::Debug for Perfex<'_, '_, B> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Perfex").field("session", &self.session).field("generation", &self.generation).finish()
    }
}
