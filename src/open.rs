//! How a session comes to be: requests are validated, placed and programmed, all or none.

use crate::backend::{Backend, Slot};
use crate::context::Threads;
use crate::error::{Error, Refusal, Result};
use crate::event::{Event, Request};
use crate::pmu::Pmu;
use crate::session::Session;

impl<'u, B: Backend> Pmu<'u, B> {
    /// Validates, places and programs requests; they do not count yet.
    ///
    /// # Errors
    /// [`Error::Refused`] for a request that this unit cannot do, [`Error::Conflict`] for requests
    /// that cannot be together beside what is open already, [`Error::WrongCpu`], [`Error::Busy`].
    /// Nothing was programmed and nothing is held.
    pub fn open<const N: usize>(&self, requests: [Request; N]) -> Result<Session<'u, B, N>> {
        const { assert!(N <= 64, "a unit has at most 64 counters") };
        let (shared, backend) = (self.shared, &self.owner.backend);
        let Some(operation) = shared.enter(self.owner) else { return shared.refused(self.owner) };
        shared.collect(backend);
        if self.owner.threads == Threads::Yield && shared.threads.is_occupied() {
            shared.evict(backend);
        }
        let (mut demands, mut slots) = ([B::Demand::default(); N], [Slot::EMPTY; N]);
        if N == 1 {
            self.program(&requests, &mut demands, &mut slots)?;
        } else {
            self.program_several(&requests, &mut demands, &mut slots)?;
        }
        let session = Session::new(shared, self.owner, &requests, &slots);
        shared.sampling.set(shared.sampling.counters().or(session.sampling).bits());
        shared.once.set(shared.once.counters().or(session.once).bits());
        drop(operation);
        Ok(session)
    }

    /// Leaves nothing in the unit's counters but this session's counts: for a program that is about
    /// to be let read counters itself, and then reads all of them, whosever they are.
    ///
    /// What is opened afterwards is seen too: open nothing until the program's access is closed.
    ///
    /// # Errors
    /// [`Error::InUse`] with the counters of other sessions, which cannot be hidden;
    /// [`Error::WrongCpu`], [`Error::Busy`]. Nothing has changed.
    pub fn show_only<const N: usize>(&self, session: &Session<'_, B, N>) -> Result<()> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let Some(operation) = shared.enter(self.owner) else { return shared.refused(self.owner) };
        shared.collect(backend);
        shared.hide_all_but(backend, session.occupied)?;
        drop(operation);
        Ok(())
    }

    /// One function for any number of requests: a kernel may open sessions of many sizes, and each
    /// would have its own.
    #[inline(never)]
    fn program_several(&self, requests: &[Request], demands: &mut [B::Demand], slots: &mut [Slot]) -> Result<()> {
        self.program(requests, demands, slots)
    }

    #[inline(always)]
    fn program(&self, requests: &[Request], demands: &mut [B::Demand], slots: &mut [Slot]) -> Result<()> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        for (position, (demand, request)) in demands.iter_mut().zip(requests).enumerate() {
            *demand = self::demand(backend, position, request)?;
        }
        let program = backend.place(&shared.image, demands, slots)?;
        let running = shared.counting();
        backend.load(&shared.image, &program, slots, running);
        shared.confirm(backend, running);
        Ok(())
    }

    /// Counts `events` while `work` runs: the counts, and what `work` returned.
    ///
    /// # Errors
    /// Those of [`Pmu::open`], and `work` was not run; or [`Error::WrongCpu`], if the thread was
    /// somewhere else when it had.
    pub fn count<R, E: Into<Request>, const N: usize>(
        &self,
        events: [E; N],
        work: impl FnOnce() -> R,
    ) -> Result<([u64; N], R)> {
        let mut session = self.open(events.map(Into::into))?;
        session.start()?;
        let result = work();
        session.stop()?;
        Ok((session.read()?, result))
    }

    /// Whether the unit counts at all: some keep what is written to them and count nothing.
    ///
    /// `work` executes at least `least` instructions.
    ///
    /// # Errors
    /// [`Error::Silent`] if fewer were counted, and those of [`Pmu::open`].
    pub fn check(&self, least: u64, work: impl FnOnce()) -> Result<()> {
        let ([counted], ()) = self.count([Event::INSTRUCTIONS], work)?;
        if counted < least { Err(Error::Silent { counted, least }) } else { Ok(()) }
    }
}

/// What the request at this position takes.
#[inline(always)]
pub(crate) fn demand<B: Backend>(backend: &B, position: usize, request: &Request) -> Result<B::Demand> {
    encode(backend, request).map_err(|reason| refused(position, request, reason))
}

#[inline(always)]
fn encode<B: Backend>(backend: &B, request: &Request) -> Result<B::Demand, Refusal> {
    match request.sampling {
        Some(sampling) if sampling.period == 0 => Err(Refusal::PeriodZero),
        _ => backend.encode(request),
    }
}

#[cold]
#[inline(never)]
fn refused(position: usize, request: &Request, reason: Refusal) -> Error {
    Error::Refused { request: position as u8, event: request.event, reason }
}
