//! Following a thread: counts that are its own, on whichever CPU it runs.
//!
//! A kernel keeps a [`Context`] in each thread that is measured. Its scheduler calls
//! [`Pmu::switch_out`] for the thread that leaves a CPU and [`Pmu::switch_in`] for the one that
//! comes, with interrupts off; both cost a look at a word where nothing is measured. Between the two
//! the context's counters count beside those of the CPU's sessions; what they have counted, and how
//! far each period has come, is carried to the next CPU.
//!
//! What happens when both want the same counters is chosen when the unit is claimed: [`Threads`].
//!
//! ```
//! # use pmu::arch::x86::{Unattached, intel::{Device, Identity, Intel}};
//! # use pmu::virt::{Device as _, Kinds, Unconnected, Work};
//! # use pmu::{CpuId, Mode, Unit};
//! use pmu::{Context, Event};
//!
//! # let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
//! # let unit = Unit::<_, 0>::new();
//! # let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &device, Unattached)?, || CpuId(0))?;
//! # let work = |n| device.advance(&Work::instructions(Mode::Kernel, n));
//! let mut thread = Context::new(7);
//! thread.bind(&pmu, [Event::INSTRUCTIONS])?;
//! pmu.switch_in(&mut thread)?;
//! work(100);
//! pmu.switch_out(&mut thread)?;
//! work(5000); // another thread's
//! assert_eq!(thread.counts()?.raw, [100]);
//! # Ok::<(), pmu::Error>(())
//! ```

mod places;
mod switch;
mod tally;

use core::fmt;

use self::places::{Places, is_once};
use self::tally::{Tally, from_the_beginning};
use crate::backend::{Backend, Image, Slot};
use crate::counter::{CounterId, CounterSet, Remaining};
use crate::error::{CpuId, Error, Result};
use crate::event::{Modes, Request};
use crate::open::demand;
use crate::pmu::Pmu;
use crate::sample::Sample;
use crate::session::Counts;
use crate::set::Set;

/// Who has the counters, if a CPU's sessions and its threads cannot both have them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Threads {
    /// Whoever has them first. A session that finds none free is refused with a conflict; a thread
    /// waits, and its [`Counts`] say for how much of its time it was counted.
    #[default]
    Share,
    /// The sessions, as in libcpc: a thread that meets an open session on its CPU, or is there when
    /// one is opened, is invalidated. Its counts are an error from then on, until it is bound anew.
    Yield,
}

/// A thread's own requests, and what it has counted of them.
///
/// It may be moved to another CPU while it is switched out; all CPUs that it runs on MUST have the
/// same kind of unit. Dropping it while it is switched in leaves its counters to [`Pmu::evict`].
pub struct Context<B: Backend, const N: usize> {
    thread: u32,
    state: State,
    set: Set<N>,
    demands: [B::Demand; N],
    tallies: [Tally; N],
    /// Where its requests are when they have the unit to themselves.
    alone: Option<Places<B::Program, N>>,
    /// Where they are while it is switched in, if that is elsewhere.
    elsewhere: Option<Places<B::Program, N>>,
    enabled: u64,
    running: u64,
    generation: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// Nothing is asked for.
    Unbound,
    /// Switched out; it counts when it is switched in.
    Out,
    /// Switched in.
    In(Stay),
    /// It does not count until it is enabled.
    Disabled,
    /// It does not count until it is restarted: a request has notified.
    Frozen,
    /// Its counters were taken from it.
    Invalid,
}

/// Where and since when a context is switched in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Stay {
    cpu: CpuId,
    /// Which of its unit's stays it is: the unit has another number when it was evicted.
    number: u64,
    /// The tick at which it began.
    since: u64,
    /// Its counters; none while it waits for some.
    set: CounterSet,
}

impl<B: Backend, const N: usize> Context<B, N> {
    /// A context of the thread that the kernel knows by this number, which it gives to its samples
    /// too ([`Interrupted::in_thread`](crate::Interrupted::in_thread)). It asks for nothing yet.
    #[must_use]
    pub fn new(thread: u32) -> Self {
        Self {
            thread,
            state: State::Unbound,
            set: Set::new(),
            demands: [B::Demand::default(); N],
            tallies: [Tally { count: 0, left: None }; N],
            alone: None,
            elsewhere: None,
            enabled: 0,
            running: 0,
            generation: 0,
        }
    }

    /// Asks for up to `N` requests: they are counted from the next [`Pmu::switch_in`] on, from 0 or
    /// where the set has them begin. An invalid context may be bound anew. A request that [`Request::once_after`] notifies freezes
    /// the whole context at its overflow, until it is restarted.
    ///
    /// # Errors
    /// [`Error::AlreadyBound`]; [`Error::Refused`] and [`Error::Conflict`], as [`Pmu::open`] on a
    /// unit that is otherwise unused. It is as it was.
    pub fn bind(&mut self, pmu: &Pmu<'_, B>, set: impl Into<Set<N>>) -> Result<()> {
        if !matches!(self.state, State::Unbound | State::Invalid) {
            return Err(Error::AlreadyBound);
        }
        self.ask(pmu.backend(), set.into())?;
        self.tallies = from_the_beginning(&self.set);
        (self.enabled, self.running) = (0, 0);
        self.become_state(State::Out);
        Ok(())
    }

    /// Encodes the requests, and finds out that they fit together.
    fn ask(&mut self, backend: &B, set: Set<N>) -> Result<()> {
        let mut demands = [B::Demand::default(); N];
        for (position, (place, request)) in demands.iter_mut().zip(set.requests()).enumerate() {
            *place = demand(backend, position, request)?;
        }
        let alone = Places::find(backend, &B::Image::BLANK, &demands, set.requests())?;
        if matches!(self.state, State::In(_)) {
            self.elsewhere = self.elsewhere.or(self.alone);
        }
        (self.set, self.demands, self.alone) = (set, demands, Some(alone));
        Ok(())
    }

    /// Asks for nothing any more.
    ///
    /// # Errors
    /// [`Error::ThreadIn`] while it is switched in; it is as it was.
    pub fn unbind(&mut self) -> Result<()> {
        self.check_out()?;
        self.become_state(State::Unbound);
        Ok(())
    }

    /// Asks for nothing any more, wherever it is.
    pub(crate) fn forget(&mut self) {
        self.become_state(State::Unbound);
    }

    /// Counts from the next [`Pmu::switch_in`] on.
    ///
    /// # Errors
    /// [`Error::Running`] unless it was disabled, [`Error::NotBound`], [`Error::Invalidated`]; it is
    /// as it was.
    pub fn enable(&mut self) -> Result<()> {
        match self.checked()? {
            State::Disabled => self.become_state(State::Out),
            _ => return Err(Error::Running),
        }
        Ok(())
    }

    /// Does not count, whether switched in or not, until it is enabled; the counts stay.
    ///
    /// # Errors
    /// [`Error::Stopped`] if it is disabled or frozen, [`Error::ThreadIn`] while it is switched in,
    /// [`Error::NotBound`], [`Error::Invalidated`]; it is as it was.
    pub fn disable(&mut self) -> Result<()> {
        match self.checked()? {
            State::Out => self.become_state(State::Disabled),
            State::In(_) => return Err(Error::ThreadIn),
            _ => return Err(Error::Stopped),
        }
        Ok(())
    }

    /// Counts from 0 and with whole periods, without being bound anew: what a notified thread does
    /// to go on.
    ///
    /// # Errors
    /// [`Error::ThreadIn`] while it is switched in, [`Error::NotBound`], [`Error::Invalidated`]; it
    /// is as it was.
    pub fn restart(&mut self) -> Result<()> {
        self.check_bound_out()?;
        self.tallies = from_the_beginning(&self.set);
        self.resume_from_frozen();
        Ok(())
    }

    /// Goes on after a notification, with a new period for the request that notified; the counts go
    /// on too.
    ///
    /// # Errors
    /// As [`Context::restart`].
    pub fn resume(&mut self) -> Result<()> {
        self.check_bound_out()?;
        self.resume_from_frozen();
        Ok(())
    }

    fn resume_from_frozen(&mut self) {
        let state = if self.state == State::Frozen { State::Out } else { self.state };
        self.become_state(state);
    }

    /// Gives a request another period, from the context's next restart on; the others go on.
    ///
    /// # Errors
    /// [`Error::NotBound`], [`Error::Invalidated`]; [`Error::Refused`] if it did not ask for
    /// overflows, or cannot with this period. It is as it was.
    pub fn set_period(&mut self, pmu: &Pmu<'_, B>, request: usize, period: u64) -> Result<()> {
        self.checked()?;
        let mut set = self.set;
        let chosen = set.requests_mut().get_mut(request).ok_or(Error::NotBound)?;
        *chosen = if is_once(chosen) { chosen.once_after(period) } else { chosen.every(period) };
        self.ask(pmu.backend(), set)
    }

    /// Counts in these modes from now on; what was counted stays.
    ///
    /// # Errors
    /// [`Error::ThreadIn`] while it is switched in, [`Error::NotBound`], [`Error::Invalidated`],
    /// [`Error::Refused`], [`Error::Conflict`]; it is as it was.
    pub fn set_modes(&mut self, pmu: &Pmu<'_, B>, modes: Modes) -> Result<()> {
        self.check_bound_out()?;
        let mut set = self.set;
        set.requests_mut().iter_mut().for_each(|request| *request = request.modes(modes));
        self.ask(pmu.backend(), set)
    }

    /// A context for a thread that this one creates: the same requests, from 0. As libcpc has it, a
    /// request that notifies does so in the new thread on the first event, so that the thread can
    /// choose a period of its own.
    #[must_use]
    pub fn inherit(&self, thread: u32) -> Self {
        let state = match self.state {
            State::Unbound | State::Invalid => State::Unbound,
            State::Disabled => State::Disabled,
            State::Out | State::In(_) | State::Frozen => State::Out,
        };
        let mut tallies = from_the_beginning(&self.set);
        for (tally, _) in tallies.iter_mut().zip(self.set.requests()).filter(|(_, request)| is_once(request)) {
            tally.left = Some(Remaining::events(1));
        }
        Self {
            thread,
            state,
            tallies,
            set: self.set,
            demands: self.demands,
            alone: self.alone,
            elsewhere: None,
            enabled: 0,
            running: 0,
            generation: 0,
        }
    }

    /// The counts, and for how much of the time that it ran: what was counted until it was switched
    /// out last. [`Pmu::thread_counts`] reads one that is switched in.
    ///
    /// # Errors
    /// [`Error::NotBound`], [`Error::ThreadIn`] while it is switched in; [`Error::Invalidated`]:
    /// bind it anew and try again.
    pub fn counts(&self) -> Result<Counts<N>> {
        self.check_bound_out()?;
        Ok(self.saved())
    }

    pub(crate) fn saved(&self) -> Counts<N> {
        Counts { raw: self.tallies.map(|tally| tally.count), enabled: self.enabled, running: self.running }
    }

    /// Has a request notified, so that nothing is counted until a restart?
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.state == State::Frozen
    }

    /// A number that changes at every start and stop of its counting.
    #[must_use]
    pub const fn generation(&self) -> u32 {
        self.generation
    }

    /// The thread's number.
    #[must_use]
    pub const fn thread(&self) -> u32 {
        self.thread
    }

    /// The requests, in their order.
    #[must_use]
    pub fn requests(&self) -> &[Request] {
        self.set.requests()
    }

    /// The counter that a request has while it is switched in and does not wait.
    pub(crate) fn counter(&self, request: usize) -> Option<CounterId> {
        let State::In(Stay { set, .. }) = self.state else { return None };
        let (_, slot, _) = self.places().nth(request)?;
        set.contains(slot.counter).then_some(slot.counter)
    }

    /// The requests with what is known of them and where they are while it is switched in.
    fn places(&self) -> impl Iterator<Item = (&Request, &Slot, &Tally)> {
        let slots = self.here().map_or(&[][..], |places| &places.slots);
        let places = self.set.requests().iter().zip(slots).zip(&self.tallies);
        places.map(|((request, slot), tally)| (request, slot, tally))
    }

    /// Where the requests are while it is switched in.
    #[inline(always)]
    fn here(&self) -> Option<&Places<B::Program, N>> {
        self.elsewhere.as_ref().or(self.alone.as_ref())
    }

    /// The request whose overflow this sample is; `None` if it is another thread's, or a session's.
    #[must_use]
    pub fn request_of(&self, sample: &Sample) -> Option<usize> {
        let request = sample.session.request_of_thread()?;
        (sample.thread == self.thread && request < self.set.len()).then_some(request)
    }

    /// Does it need counters when it is switched in?
    #[inline(always)]
    fn counts_when_in(&self) -> bool {
        self.state == State::Out
    }

    fn become_state(&mut self, state: State) {
        self.state = state;
        self.generation = self.generation.wrapping_add(1);
    }

    fn checked(&self) -> Result<State> {
        match self.state {
            State::Unbound => Err(Error::NotBound),
            State::Invalid => Err(Error::Invalidated),
            state => Ok(state),
        }
    }

    fn check_out(&self) -> Result<()> {
        if matches!(self.state, State::In(_)) { Err(Error::ThreadIn) } else { Ok(()) }
    }

    fn check_bound_out(&self) -> Result<()> {
        self.check_out()?;
        self.checked().map(drop)
    }
}

impl<B: Backend, const N: usize> fmt::Debug for Context<B, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("thread", &self.thread)
            .field("state", &self.state)
            .field("requests", &self.set)
            .finish_non_exhaustive()
    }
}
