//! How a session comes to be: requests are validated, placed and programmed, all or none.

use crate::backend::{Backend, Slot};
use crate::event::{Error, Event, Request, Result};
use crate::hold::Hold;
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
        let (mut demands, mut slots) = ([B::Demand::default(); N], [Slot::EMPTY; N]);
        let taken = match N {
            1 => self.hold(&requests, &mut demands, &mut slots)?,
            _ => self.hold_several(&requests, &mut demands, &mut slots)?,
        };
        Ok(Session::new(Hold::new(self.shared, self.owner, taken), &slots))
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
        shared.hide_all_but(backend, session.hold.occupied)?;
        drop(operation);
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
