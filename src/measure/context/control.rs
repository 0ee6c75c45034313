//! What is done with a thread's counting: it is paused, begun anew, changed, passed on.

use super::{Context, NEVER, Position, State, beginnings};
use crate::contract::Driver;
use crate::event::{Error, Modes, Refusal, Request, Result};
use crate::unit::Pmu;

impl<D: Driver, const N: usize> Context<D, N> {
    /// Counts from the next [`Pmu::switch_in`] on.
    ///
    /// # Errors
    /// [`Error::Running`] if it is enabled, [`Error::Stopped`] if it is frozen ([`Context::restart`], [`Context::resume`]),
    /// [`Error::NotBound`], [`Error::Invalidated`]; it is as it was.
    pub fn enable(&mut self) -> Result<()> {
        match self.checked()? {
            State::Disabled => self.become_state(State::Bound),
            State::Bound => return Err(Error::Running),
            _ => return Err(Error::Stopped),
        }
        Ok(())
    }

    /// Stops counting until it is enabled again, even if it is switched in; the counts stay.
    ///
    /// # Errors
    /// [`Error::Stopped`] if it is disabled or frozen, [`Error::ThreadIn`] while it is switched in,
    /// [`Error::NotBound`], [`Error::Invalidated`]; it is as it was.
    pub fn disable(&mut self) -> Result<()> {
        match self.checked()? {
            State::Bound if self.is_in() => return Err(Error::ThreadIn),
            State::Bound => self.become_state(State::Disabled),
            _ => return Err(Error::Stopped),
        }
        Ok(())
    }

    /// Counts from where it began, with whole periods, without being bound anew: a notified thread calls this to go on. The
    /// times enabled and running go on.
    ///
    /// # Errors
    /// [`Error::ThreadIn`] while it is switched in, [`Error::NotBound`], [`Error::Invalidated`]; it
    /// is as it was.
    pub fn restart(&mut self) -> Result<()> {
        self.check_bound_out()?;
        self.begin_anew();
        self.resume_from_frozen();
        Ok(())
    }

    /// Goes on after a notification, with a whole period for the request that notified; the counts go on too.
    ///
    /// # Errors
    /// As [`Context::restart`].
    pub fn resume(&mut self) -> Result<()> {
        self.check_bound_out()?;
        self.resume_from_frozen();
        Ok(())
    }

    fn resume_from_frozen(&mut self) {
        let state = if self.is_frozen() { State::Bound } else { self.state };
        self.become_state(state);
    }

    /// Gives a request another period. It begins with the context's next restart, or when the current period ends. The other
    /// requests are not changed.
    ///
    /// It may be called on any kind of unit. A request that waits on this kind is not checked here: if it cannot have this
    /// period where it counts, it waits there too, and [`Pmu::place`] returns the reason.
    ///
    /// # Errors
    /// [`Error::NotBound`], also for a request that the context does not have; [`Error::Invalidated`]; [`Error::Refused`] if
    /// the request did not ask for overflows, or cannot have this period. The context is unchanged.
    pub fn set_period(&mut self, pmu: &Pmu<'_, D>, request: usize, period: u64) -> Result<()> {
        self.checked()?;
        let before = self.set;
        let mut set = before;
        let chosen = set.requests_mut().get_mut(request).ok_or(Error::NotBound)?;
        match &mut chosen.sampling {
            Some(sampling) => sampling.period = period,
            None => {
                return Err(Error::refused(request, chosen, Refusal::NoPeriod));
            }
        }
        self.ask(pmu.driver, &set)?;
        for (entry, (old, new)) in self.entries.iter_mut().zip(before.requests().iter().zip(set.requests())) {
            entry.change_period(old, new);
        }
        Ok(())
    }

    /// Counts in these modes from now on; what was counted stays. Requests that wait on this kind of unit are not checked,
    /// as by [`Context::set_period`].
    ///
    /// # Errors
    /// [`Error::ThreadIn`] while it is switched in, [`Error::NotBound`], [`Error::Invalidated`],
    /// [`Error::Refused`], [`Error::Conflict`]; it is as it was.
    pub fn set_modes(&mut self, pmu: &Pmu<'_, D>, modes: Modes) -> Result<()> {
        self.check_bound_out()?;
        let mut set = self.set;
        set.requests_mut().iter_mut().for_each(|request| *request = request.modes(modes));
        self.ask(pmu.driver, &set)
    }

    /// Asks for nothing any more, wherever it is.
    pub(crate) fn forget(&mut self) {
        self.give_up(State::Unbound);
    }

    /// Its counts are not valid, wherever it is.
    pub(crate) fn invalidate(&mut self) {
        self.give_up(State::Invalid);
    }

    fn give_up(&mut self, state: State) {
        self.position = Position::Out;
        self.ticket = NEVER;
        self.become_state(state);
    }

    /// A context for a thread that this one creates: the same requests, each from where it begins.
    ///
    /// If a request notifies, the new context is frozen, as libcpc has it: each such request reads 2^64 - 1, and
    /// [`Pmu::switch_in`] says that the thread is to be notified, before it counts anything. The thread chooses a period of
    /// its own, or keeps this one, and is restarted.
    #[must_use]
    pub fn inherit(&self, thread: u32) -> Self {
        let notifies = |request: &Request| request.notifies();
        let state = match self.state {
            State::Unbound | State::Invalid => State::Unbound,
            _ if self.set.requests().iter().any(notifies) => State::Created,
            state => state,
        };
        let mut entries = beginnings(&self.set);
        let notifying = entries.iter_mut().zip(self.set.requests()).filter(|(_, request)| notifies(request));
        notifying.for_each(|(entry, _)| entry.count = u64::MAX);
        let Self { names, away, names_away, set, placement, placed, failed, .. } = *self;
        let group = Self::in_group(thread, self.group);
        Self { state, names, away, names_away, set, entries, placement, placed, failed, ..group }
    }
}
