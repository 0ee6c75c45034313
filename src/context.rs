//! Following a thread: counts that are its own, on whichever CPU it runs.
//!
//! A kernel keeps a [`Context`] in each thread that is measured. Its scheduler calls
//! [`Pmu::switch_out`] for the thread that leaves a CPU and [`Pmu::switch_in`] for the one that
//! comes, with interrupts off, or [`Pmu::switch`] for both; that costs a look at a word where nothing
//! is measured. While it is in, the context's counters count beside those of the CPU's sessions; what
//! they have counted, and how far each period has come, is carried to the next CPU. A thread that comes
//! back to the same CPU, where nobody has needed its counters meanwhile, finds them as they were: they
//! are started, and nothing is programmed.
//!
//! What happens when both want the same counters is chosen when the unit is claimed: [`Threads`](crate::Threads).
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

mod coming;
mod control;
mod exchange;
mod going;
mod outcome;
mod places;
mod reading;
mod seat;
mod seating;
mod stay;
mod switch;
mod tally;

pub(crate) use self::outcome::Refused;

use core::{array, fmt};

use self::places::Places;
use self::seat::Seat;
use self::seating::Seating;
use self::stay::{State, Stay};
use self::tally::{Tally, from_the_beginning};
use crate::backend::{Backend, Image, Slot};
use crate::event::{CounterId, Error, Request, Result, Set};
use crate::pmu::Pmu;
use crate::reader::Counts;
use crate::sample::Sample;
use crate::shared::Shared;
use crate::take::demand;

/// One of a unit's counters, as a thread has it.
type SeatOf<B> = Seat<<B as Backend>::Handle, <B as Backend>::WayBack>;

/// A thread's own requests, and what it has counted of them.
///
/// It may be moved to another CPU while it is switched out; all CPUs that it runs on MUST have the
/// same kind of unit. Dropping it while it is switched in leaves its counters to [`Pmu::evict`].
pub struct Context<B: Backend, const N: usize> {
    thread: u32,
    /// Which of the thread's groups it is, if there are several that take turns.
    group: u16,
    state: State,
    set: Set<N>,
    demands: [B::Demand; N],
    tallies: [Tally; N],
    /// Where its requests are when they have the unit to themselves.
    alone: Option<Places<B::Program, N>>,
    /// The counters that they had last, as they were left.
    seats: Seating<SeatOf<B>, N>,
    /// Those are not where it is alone, or not for what it asks for by now: it is not to have them
    /// again.
    elsewhere: bool,
    stay: Stay,
    /// Ticks that it was in for; while it is in, less the tick at which it came.
    enabled: u64,
    /// For how many of them it waited for counters; while it waits, less the tick at which it came.
    waited: u64,
    /// Counts what is no coming or going: those have numbers.
    generation: u32,
}

impl<B: Backend, const N: usize> Context<B, N> {
    /// A context of the thread that the kernel knows by this number, which it gives to its samples
    /// too ([`Interrupted::in_thread`](crate::Interrupted::in_thread)). It asks for nothing yet.
    #[must_use]
    pub fn new(thread: u32) -> Self {
        Self {
            thread,
            group: 0,
            state: State::Unbound,
            set: Set::new(),
            demands: [B::Demand::default(); N],
            tallies: [Tally { count: 0, left: None }; N],
            alone: None,
            seats: Seating::NOWHERE,
            elsewhere: false,
            stay: Stay::NOWHERE,
            enabled: 0,
            waited: 0,
            generation: 0,
        }
    }

    /// One of several that take turns; its samples say which.
    pub(crate) fn in_group(thread: u32, group: u16) -> Self {
        Self { group, ..Self::new(thread) }
    }

    /// Asks for up to `N` requests: they are counted from the next [`Pmu::switch_in`] on, from 0 or
    /// where the set has them begin. An invalid context may be bound anew. A request that [`Request::once_after`] notifies freezes
    /// the whole context at its overflow, until it is restarted.
    ///
    /// # Errors
    /// [`Error::AlreadyBound`]; [`Error::Refused`] and [`Error::Conflict`], as [`Pmu::open`] on a
    /// unit that is otherwise unused. It is as it was.
    #[inline]
    pub fn bind(&mut self, pmu: &Pmu<'_, B>, set: impl Into<Set<N>>) -> Result<()> {
        self.bind_set(pmu.backend(), &set.into())
    }

    fn bind_set(&mut self, backend: &B, set: &Set<N>) -> Result<()> {
        if self.is_asking() {
            return Err(Error::AlreadyBound);
        }
        // Nobody asks what is not bound for its demands.
        encode(backend, set, &mut self.demands)?;
        Places::find(&mut self.alone, backend, &B::Occupancy::default(), &self.demands, set.requests())?;
        self.set = *set;
        self.begin_anew();
        (self.enabled, self.waited) = (0, 0);
        self.become_state(State::Bound);
        Ok(())
    }

    /// Asks for something else, if that fits together.
    fn ask(&mut self, backend: &B, set: &Set<N>) -> Result<()> {
        let mut demands = [B::Demand::default(); N];
        encode(backend, set, &mut demands)?;
        Places::find(&mut self.alone, backend, &B::Occupancy::default(), &demands, set.requests())?;
        if self.is_in() {
            // It keeps its counters until it leaves, and no longer.
            self.elsewhere = true;
            self.stay.be_the_last();
        } else {
            self.unseat();
        }
        (self.set, self.demands) = (*set, demands);
        Ok(())
    }

    /// Its counters are to be programmed anew, for what is left of each period.
    fn unseat(&mut self) {
        self.begin_stay(Stay::NOWHERE);
        if self.seats.get(0).is_none() {
            return;
        }
        for ((tally, seat), request) in self.tallies.iter_mut().zip(self.seats.iter()).zip(self.set.requests()) {
            *tally = Tally { count: seat.count(), left: request.sampling.map(|_| seat.left()) };
        }
        self.seats = Seating::NOWHERE;
    }

    /// Its counts begin where the set has them begin, with whole periods.
    fn begin_anew(&mut self) {
        self.begin_stay(Stay::NOWHERE);
        self.seats.clear();
        self.tallies = from_the_beginning(&self.set);
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
        self.begin_stay(Stay::NOWHERE);
        self.become_state(State::Unbound);
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
        let (enabled, running) = self.times();
        Counts { raw: array::from_fn(|request| self.count(request)), enabled, running }
    }

    /// The count of a request until it was switched out last; 0 beyond the last request.
    #[inline(always)]
    pub(crate) fn count(&self, request: usize) -> u64 {
        match self.seats.get(request) {
            Some(seat) => seat.count(),
            None => self.tallies[request].count,
        }
    }

    /// The counts of all requests, one behind the other, if there are as many as there is room for and they
    /// have had counters.
    #[inline(always)]
    pub(crate) fn full_counts(&self) -> Option<impl Iterator<Item = u64>> {
        match &self.seats {
            Seating::Full(seats) => Some(seats.iter().map(Seat::count)),
            Seating::Partial(_) => None,
        }
    }

    /// Where the count of a request has begun.
    pub(crate) fn beginning(&self, request: usize) -> u64 {
        self.set.preset(request).unwrap_or(0)
    }

    /// For how long it was enabled, and for how long of that counted.
    #[inline(always)]
    pub(crate) fn times(&self) -> (u64, u64) {
        (self.enabled, self.enabled.wrapping_sub(self.waited))
    }

    /// Has a request notified, so that nothing is counted until a restart?
    #[must_use]
    pub fn is_frozen(&self) -> bool {
        self.state == State::Frozen
    }

    /// A number that changes at every start and stop of its counting.
    #[must_use]
    pub const fn generation(&self) -> u32 {
        self.generation.wrapping_add(self.stay.number() as u32)
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

    /// The counter that a request has while it is switched in and does not wait, and what makes a count of
    /// how far it has come.
    pub(crate) fn counter(&self, shared: &Shared<B>, request: usize) -> Option<(CounterId, u64)> {
        let is_counting = self.is_in() && !self.stay.set.is_empty();
        self.seats.get(request).filter(|_| is_counting).map(|seat| (seat.counter(), seat.base(shared)))
    }

    /// Where these places are, a slot a request.
    #[inline(always)]
    fn slots<'p>(&self, places: &'p Places<B::Program, N>) -> &'p [Slot] {
        &places.slots[..self.set.len().min(N)]
    }

    /// Finds places beside what the image holds; none if there is no room.
    fn find_beside(&self, backend: &B, image: &B::Image) -> Option<Places<B::Program, N>> {
        let mut found = None;
        Places::find(&mut found, backend, &image.occupancy(), &self.demands, self.set.requests()).ok()?;
        found
    }

    /// The request whose overflow this sample is; `None` if it is another thread's, or a session's.
    #[must_use]
    pub fn request_of(&self, sample: &Sample) -> Option<usize> {
        let request = sample.session.request_in(self.group)?;
        (sample.thread == self.thread && request < self.set.len()).then_some(request)
    }

    /// Is it switched in?
    #[inline(always)]
    pub(crate) fn is_in(&self) -> bool {
        self.stay.is_in()
    }

    /// Does it ask for requests that are still its own?
    #[inline(always)]
    pub(crate) fn is_asking(&self) -> bool {
        !matches!(self.state, State::Unbound | State::Invalid)
    }

    /// Is there anything to be done when its thread comes?
    #[inline(always)]
    fn is_bound(&self) -> bool {
        self.state == State::Bound
    }

    /// Another stay begins, or none: what was left behind is not found again.
    fn begin_stay(&mut self, stay: Stay) {
        let before = self.generation();
        self.stay = stay;
        let change = self.generation().wrapping_sub(before);
        self.generation = self.generation.wrapping_sub(change).wrapping_add(1);
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

/// What the requests take.
fn encode<B: Backend, const N: usize>(backend: &B, set: &Set<N>, demands: &mut [B::Demand; N]) -> Result<()> {
    for (position, (place, request)) in demands.iter_mut().zip(set.requests()).enumerate() {
        demand(backend, position, request, place)?;
    }
    Ok(())
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
