//! Following a thread: counts that are its own, on whichever CPU it runs.
//!
//! A kernel keeps a [`Context`] in each thread that is measured. Its scheduler calls, with interrupts off, [`Pmu::switch_out`]
//! for the thread that leaves a CPU and [`Pmu::switch_in`] for the next one, or [`Pmu::switch`] for both. If nothing is
//! measured, this costs the test of one word. While it is switched in, the context's counters count beside those of the CPU's
//! sessions. Their counts, and how far each period has come, are carried to the next CPU. If the thread returns to the same
//! CPU and nobody has needed its counters meanwhile, they still hold its values and are only enabled.
//!
//! The next CPU's unit may be of another kind. Generic events are placed anew there, and so are events by name, if the
//! context was bound with [`Context::bind_by_name`]. Codes of the processor's own wait until the thread is on the kind of
//! unit that it was bound on. What a switch has no time for, [`Pmu::place`] does.
//!
//! What happens when both want the same counters is chosen when the unit is claimed: [`Threads`](crate::Threads).
//!
//! ```
//! # use pmu::arch::x86::{Unattached, intel::{Device, Identity, Intel}};
//! # use pmu::virt::{Device as _, Kinds, Unconnected, Work};
//! # use pmu::{Mode, Unit};
//! use pmu::{Context, Event};
//!
//! # let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
//! # let unit = Unit::<Intel<_, _>, 0>::new();
//! # let pmu = unit.claim(Intel::detect(&Identity::SKYLAKE, &device, Unattached)?)?;
//! # let work = |n| device.advance(&Work::instructions(Mode::Kernel, n));
//! let mut thread = Context::new(7);
//! thread.bind(&pmu, [Event::INSTRUCTIONS])?;
//! pmu.switch_in(&mut thread);
//! work(100);
//! pmu.switch_out(&mut thread);
//! work(5000); // another thread's
//! assert_eq!(thread.counts()?.raw, [100]);
//! # Ok::<(), pmu::Error>(())
//! ```

mod control;
mod entry;
mod names;
mod placing;
mod reading;
mod switch;

use core::{array, fmt};

use entry::Entry;
use names::Find;
use placing::{NOWHERE, Placement};

use super::Counts;
use crate::contract::{Driver, Slot, Steps};
use crate::event::catalogue::Number;
use crate::event::{Codes, CounterSet, CpuId, Error, Request, Result, Set};
use crate::sample::Sample;
use crate::unit::Pmu;

/// A thread's own requests, and what it has counted of them.
///
/// It may be moved to another CPU while it is switched out. Dropping it while it is switched in leaves its counters to
/// [`Pmu::evict`].
pub struct Context<D: Driver, const N: usize> {
    thread: u32,
    /// Which of the thread's groups it is, if there are several that take turns.
    group: u16,
    state: State,
    position: Position,
    /// The CPU that it is on, or was last.
    cpu: CpuId,
    /// Counts its starts, stops and changes.
    generation: u32,
    /// The thread's values are still in the counters if the unit has the same ticket.
    ticket: u64,
    /// The tick at which it came to its CPU.
    since: u64,
    /// Ticks that it was in for.
    enabled: u64,
    /// For how many of them it waited for counters.
    waited: u64,
    /// Finds its events by name on another kind of unit, if that was asked for.
    names: Option<Find<D>>,
    /// The other kind of unit where its names were looked up last.
    away: Codes,
    /// The numbers of its requests' names there.
    names_away: [Option<Number>; N],
    /// Its requests, each of which knows the kind of unit that it was bound on.
    set: Set<N>,
    entries: [Entry; N],
    /// Where its requests are placed, or were last.
    placement: Option<Placement<D, N>>,
    /// The epoch that the placement is for; [`NOWHERE`] if it is of other requests, which were changed since.
    placed: u64,
    /// The last epoch for which no placement was found.
    failed: u64,
}

/// The ticket of a context whose values are in no unit's counters: no unit gives it.
const NEVER: u64 = u64::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It counts when it is switched in, and while it is.
    Bound,
    /// [`Context::inherit`] created it frozen, and its thread is yet to be told.
    Created,
    /// Nothing is asked for.
    Unbound,
    /// It does not count until it is enabled.
    Disabled,
    /// It does not count until it is restarted: a request has notified.
    Frozen,
    /// Its counters were taken from it.
    Invalid,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Position {
    Out,
    /// It is switched in, and has counters.
    In,
    /// It is switched in, and has none.
    Waiting,
}

impl<D: Driver, const N: usize> Context<D, N> {
    /// A context of the thread that the kernel knows by this number, which its samples have too. It asks for nothing yet.
    #[must_use]
    pub const fn new(thread: u32) -> Self {
        Self::in_group(thread, 0)
    }

    /// One of several that take turns; its samples say which.
    pub(crate) const fn in_group(thread: u32, group: u16) -> Self {
        Self {
            thread,
            group,
            state: State::Unbound,
            position: Position::Out,
            cpu: CpuId(0),
            generation: 0,
            ticket: NEVER,
            since: 0,
            enabled: 0,
            waited: 0,
            names: None,
            away: Codes::UNKNOWN,
            names_away: [None; N],
            set: Set::new(),
            entries: [Entry::NOTHING; N],
            placement: None,
            placed: NOWHERE,
            failed: NOWHERE,
        }
    }

    /// Asks for up to `N` requests. They are counted from the next [`Pmu::switch_in`] on, from 0 or from the counts that the
    /// set begins at. An invalid context may be bound anew. A request that notifies ([`Request::once_after`]) freezes the
    /// whole context at its overflow, until it is restarted.
    ///
    /// If the hardware does not keep the selection of a request, which some processors permit (RISC-V), the context waits
    /// wherever it is switched in, and [`Pmu::place`] returns the reason.
    ///
    /// # Errors
    /// [`Error::AlreadyBound`]; [`Error::InUse`] while a session is open on this CPU, if threads yield to sessions
    /// ([`Threads::Yield`](crate::Threads::Yield)); [`Error::Refused`] and [`Error::Conflict`], as [`Pmu::open`] on a unit
    /// that is otherwise unused. It is as it was.
    #[inline]
    pub fn bind(&mut self, pmu: &Pmu<'_, D>, set: impl Into<Set<N>>) -> Result<()> {
        self.bind_with(pmu, &set.into(), None)
    }

    /// Like [`Context::bind`]. On another kind of unit, events that were requested by their names are placed anew too:
    /// the same name is looked up there, with the same unit masks and whatever else was asked for beside it.
    ///
    /// The requests MUST have been made with the catalogue of this unit: by a [`notation`](crate::text::notation), or by
    /// [`Catalogue::request`](crate::text::catalogue::Catalogue::request), whose requests are not checked for another kind's.
    /// No switch takes the time to look up a name. On a kind of unit that is new to the context, the context waits until
    /// [`Pmu::place`] is called there. A context knows the names of two kinds, and waits on a kind that lacks one of them.
    ///
    /// A kernel that calls this links the names of every processor that its driver is for.
    ///
    /// # Errors
    /// As [`Context::bind`].
    pub fn bind_by_name(&mut self, pmu: &Pmu<'_, D>, set: impl Into<Set<N>>) -> Result<()> {
        self.bind_with(pmu, &set.into(), Some(names::find))
    }

    fn bind_with(&mut self, pmu: &Pmu<'_, D>, set: &Set<N>, names: Option<Find<D>>) -> Result<()> {
        if self.is_asking() {
            return Err(Error::AlreadyBound);
        }
        pmu.check_yields_to_none()?;
        let found = Placement::find(pmu.driver, set.requests(), &D::Occupancy::default(), Steps::OPEN)?;
        self.take_set(pmu.driver, set.of_codes(pmu.driver.kind().codes()), Some(found));
        (self.names, self.away) = (names, Codes::UNKNOWN);
        self.begin_anew();
        (self.enabled, self.waited) = (0, 0);
        self.become_state(State::Bound);
        Ok(())
    }

    /// Asks for these requests in place of its own from the next switch on, if this unit can count them together. On another
    /// kind of unit than they were bound on, checks only the requests that the unit knows.
    fn ask(&mut self, driver: &D, set: &Set<N>) -> Result<()> {
        let found = match driver.kind().codes() == self.home() {
            true => Some(Placement::find(driver, set.requests(), &D::Occupancy::default(), Steps::OPEN)?),
            false => self.check_abroad(driver, set).map(|()| None)?,
        };
        self.take_set(driver, *set, found);
        Ok(())
    }

    /// Takes this set, for which `found` was found on an unused unit. Its counters are programmed at the next switch in. Where
    /// the hardware may drop a selection, that switch also places the set, because it can test the counters.
    fn take_set(&mut self, driver: &D, set: Set<N>, found: Option<Placement<D, N>>) {
        self.set = set;
        (self.placed, self.failed) = (NOWHERE, NOWHERE);
        if self.is_in() {
            return;
        }
        self.ticket = NEVER;
        if let Some(placement) = found.filter(|_| !D::MAY_SWALLOW) {
            self.take_place(placement, driver.kind().alone());
        }
    }

    /// Its counts begin where the set has them begin, with whole periods.
    fn begin_anew(&mut self) {
        self.ticket = NEVER;
        self.entries = beginnings(&self.set);
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

    /// Returns the counts, and the times enabled and running, as of the last switch out. [`Pmu::thread_counts`] reads a
    /// context that is switched in.
    ///
    /// # Errors
    /// [`Error::NotBound`], [`Error::ThreadIn`] while it is switched in; [`Error::Invalidated`]: bind it anew and try
    /// again.
    pub fn counts(&self) -> Result<Counts<N>> {
        self.check_bound_out()?;
        Ok(self.saved())
    }

    pub(crate) fn saved(&self) -> Counts<N> {
        let (enabled, running) = self.times();
        Counts { raw: array::from_fn(|request| self.count(request)), enabled, running }
    }

    /// The count of a request until it was switched out last; 0 beyond the last request.
    #[inline(always)]
    pub(crate) fn count(&self, request: usize) -> u64 {
        self.entries.get(request).map_or(0, |entry| entry.count)
    }

    /// Where the count of a request has begun.
    pub(crate) fn beginning(&self, request: usize) -> u64 {
        self.set.requests().get(request).map_or(0, |request| request.preset)
    }

    /// For how long it was enabled, and for how long of that counted.
    #[inline(always)]
    pub(crate) fn times(&self) -> (u64, u64) {
        (self.enabled, self.enabled.wrapping_sub(self.waited))
    }

    /// Returns true while it is switched in and has no counters, so that nothing is counted. [`Pmu::place`] may find
    /// some.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        self.position == Position::Waiting
    }

    /// Returns true if a request has notified, so that nothing is counted until a restart. This is known after the switch out;
    /// until then, the notification's sample tells. Also true for a new context that [`Context::inherit`] has frozen.
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        matches!(self.state, State::Frozen | State::Created)
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

    /// Returns where its requests count; nothing while it is not in, or waits.
    #[inline(always)]
    fn slots(&self) -> &[Slot] {
        let placement = self.placement.as_ref().filter(|_| self.position == Position::In);
        placement.map_or(&[], |placement| &placement.slots[..self.set.len().min(N)])
    }

    /// Returns the counters that its requests count on; none while it is not in, or waits.
    pub(crate) fn counters(&self) -> CounterSet {
        let placement = self.placement.as_ref().filter(|_| self.position == Position::In);
        placement.map_or(CounterSet::EMPTY, |placement| placement.counters)
    }

    /// Returns where a request counts, while it is switched in and does not wait.
    pub(crate) fn slot_of(&self, request: usize) -> Option<&Slot> {
        self.slots().get(request)
    }

    /// The request whose overflow this sample is; `None` if it is another thread's, or a session's. A reader that skips the
    /// others' has removed them: see [`Unit::samples`](crate::Unit::samples).
    #[must_use]
    pub fn request_of(&self, sample: &Sample) -> Option<usize> {
        let request = sample.session.request_in(self.group)?;
        (sample.thread == self.thread && request < self.set.len()).then_some(request)
    }

    /// Is it switched in?
    #[inline(always)]
    pub(crate) fn is_in(&self) -> bool {
        self.position != Position::Out
    }

    /// Does it ask for requests that are still its own?
    #[inline(always)]
    pub(crate) fn is_asking(&self) -> bool {
        !matches!(self.state, State::Unbound | State::Invalid)
    }

    /// Were its counters taken from it?
    pub(crate) fn is_invalid(&self) -> bool {
        self.state == State::Invalid
    }

    /// Has it anything to do when its thread comes?
    #[inline(always)]
    const fn comes(&self) -> bool {
        matches!(self.state, State::Bound | State::Created)
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
        if self.is_in() { Err(Error::ThreadIn) } else { Ok(()) }
    }

    fn check_bound_out(&self) -> Result<()> {
        self.check_out()?;
        self.checked().map(drop)
    }
}

/// Counts that begin where the set has them begin, with whole periods.
fn beginnings<const N: usize>(set: &Set<N>) -> [Entry; N] {
    array::from_fn(|number| set.requests().get(number).map_or(Entry::NOTHING, Entry::beginning))
}

impl<D: Driver, const N: usize> fmt::Debug for Context<D, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("thread", &self.thread)
            .field("state", &self.state)
            .field("requests", &self.set)
            .finish_non_exhaustive()
    }
}
