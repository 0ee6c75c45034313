//! Measuring a CPU: open a session, start, read, stop.
//!
//! A session holds its counters from [`Pmu::open`] until it is dropped. Sessions count beside one
//! another without disturbing each other. Counts have 64 bits whatever the counters have: the
//! overflow interrupt carries them on. Without that interrupt, a count is right for as long as a
//! counter's width lasts.

use core::array;
use core::fmt;
use core::marker::PhantomData;

use crate::backend::{Backend, Image as _, Slot};
use crate::counter::{CounterId, CounterSet, Remaining, Width};
use crate::error::{Error, Refusal, Result};
use crate::event::{Event, Repeat, Request};
use crate::pmu::Pmu;
use crate::reader::Reader;
use crate::shared::{Account, Owner, Shared};

/// Where one request counts, and what reading it takes.
pub(crate) struct Place<H> {
    pub(crate) handle: H,
    pub(crate) width: Width,
    /// The raw value that it starts from.
    pub(crate) start: u64,
    counter: CounterId,
    /// Events from the start to the overflow.
    period: Remaining,
}

impl<H> Place<H> {
    /// The base that makes the count 0 at the start.
    fn zero(&self) -> u64 {
        self.width.position(self.start).wrapping_neg()
    }
}

/// Requests that count together on this CPU.
///
/// It borrows the unit, not the [`Pmu`], so that a kernel can keep both in one structure. Dropping
/// it stops and frees its counters; dropped on another CPU, or amid another operation, it leaves
/// that to the next operation on its own CPU.
pub struct Session<'u, B: Backend, const N: usize> {
    pub(crate) shared: &'u Shared<B>,
    pub(crate) owner: &'u Owner<B>,
    pub(crate) places: [Place<B::Handle>; N],
    pub(crate) accounts: [&'u Account; N],
    occupied: CounterSet,
    set: CounterSet,
    sampling: CounterSet,
    once: CounterSet,
    /// Ticks that it has counted for; while it counts, less the tick at which it began.
    enabled: u64,
    running: bool,
    here: PhantomData<*const ()>,
}

/// Counts, and how long they were counted for.
///
/// A session of a CPU always has its counters, so `running` equals `enabled`; where counters are
/// shared in turn, `running` is less and a count is a part of the whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counts<const N: usize> {
    /// Events, in the order of the requests, as they were counted.
    pub raw: [u64; N],
    /// Ticks of the processor's clock during which the session was started.
    pub enabled: u64,
    /// Ticks during which its counters counted.
    pub running: u64,
}

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
        let operation = shared.enter(self.owner)?;
        shared.collect(backend);
        let slots = self.program(&requests)?;
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
        let operation = shared.enter(self.owner)?;
        shared.collect(backend);
        let others = shared.image.occupied().without(session.occupied);
        if !others.is_empty() {
            return Err(Error::InUse(others));
        }
        let description = backend.description();
        for counter in description.general.or(description.fixed).without(session.occupied) {
            backend.preset(&shared.image, counter, backend.longest(&shared.image, counter));
        }
        drop(operation);
        Ok(())
    }

    #[inline(always)]
    fn program<const N: usize>(&self, requests: &[Request; N]) -> Result<[Slot; N]> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let mut demands = [B::Demand::default(); N];
        for (position, (demand, request)) in demands.iter_mut().zip(requests).enumerate() {
            *demand = encode(backend, request).map_err(|reason| refused(position, request, reason))?;
        }
        let mut slots = [Slot::EMPTY; N];
        let program = backend.place(&shared.image, &demands, &mut slots)?;
        let running = shared.counting();
        backend.load(&shared.image, &program, &slots, running);
        shared.confirm(backend, running);
        Ok(slots)
    }

    /// Counts `events` while `work` runs: the counts, and what `work` returned.
    ///
    /// # Errors
    /// Those of [`Pmu::open`]; `work` was not run.
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

#[inline(always)]
fn encode<B: Backend>(backend: &B, request: &Request) -> Result<B::Demand, Refusal> {
    match request.sampling {
        Some(sampling) if sampling.period == 0 => Err(Refusal::PeriodZero),
        _ => backend.encode(request),
    }
}

#[cold]
fn refused(position: usize, request: &Request, reason: Refusal) -> Error {
    Error::Refused { request: position as u8, event: request.event, reason }
}

impl<'u, B: Backend, const N: usize> Session<'u, B, N> {
    #[inline(always)]
    fn new(shared: &'u Shared<B>, owner: &'u Owner<B>, requests: &[Request; N], slots: &[Slot; N]) -> Self {
        let places = array::from_fn(|i| Place::new(&owner.backend, &shared.image, &requests[i], &slots[i]));
        let once = |request: &Request| request.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot);
        let session = Self {
            shared,
            owner,
            accounts: array::from_fn(|i| shared.account(slots[i].counter)),
            occupied: slots.iter().fold(CounterSet::EMPTY, |set, slot| set.or(slot.occupies())),
            set: chosen(requests, slots, |_| true),
            sampling: chosen(requests, slots, |request| request.sampling.is_some()),
            once: chosen(requests, slots, once),
            places,
            enabled: 0,
            running: false,
            here: PhantomData,
        };
        session.preset();
        session
    }

    /// Starts counting, from 0 and with whole periods.
    ///
    /// # Errors
    /// [`Error::Running`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn start(&mut self) -> Result<()> {
        if self.running {
            return Err(Error::Running);
        }
        let operation = self.shared.enter(self.owner)?;
        self.preset();
        self.enabled = 0;
        self.run();
        drop(operation);
        Ok(())
    }

    /// Goes on from where [`Session::stop`] stopped. A one-shot period that has ended begins anew.
    ///
    /// # Errors
    /// [`Error::Running`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn resume(&mut self) -> Result<()> {
        if self.running {
            return Err(Error::Running);
        }
        let operation = self.shared.enter(self.owner)?;
        self.run();
        drop(operation);
        Ok(())
    }

    /// Stops counting; the counts stay.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn stop(&mut self) -> Result<()> {
        if !self.running {
            return Err(Error::Stopped);
        }
        let operation = self.shared.enter(self.owner)?;
        self.shared.disarm(&self.owner.backend, self.set);
        self.shared.changed();
        self.enabled = self.enabled.wrapping_add(self.owner.backend.ticks());
        self.running = false;
        drop(operation);
        Ok(())
    }

    /// Lets the counters whose one-shot period has ended count another one, and goes on.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn again(&mut self) -> Result<()> {
        if !self.running {
            return Err(Error::Stopped);
        }
        let operation = self.shared.enter(self.owner)?;
        self.shared.unspend(self.once);
        self.shared.arm(&self.owner.backend, self.set);
        drop(operation);
        Ok(())
    }

    /// The counters to their start values, their accounts to 0; they do not run.
    #[inline(always)]
    fn preset(&self) {
        for (place, account) in self.places.iter().zip(&self.accounts) {
            account.open(place.zero(), place.period.count());
            self.owner.backend.preset(&self.shared.image, place.counter, place.period);
        }
    }

    #[inline(always)]
    fn run(&mut self) {
        if !self.once.is_empty() {
            self.shared.unspend(self.once);
        }
        self.shared.changed();
        self.enabled = self.enabled.wrapping_sub(self.owner.backend.ticks());
        self.running = true;
        self.shared.arm(&self.owner.backend, self.set);
    }

    /// The 64-bit counts, in the order of the requests.
    ///
    /// # Errors
    /// [`Error::WrongCpu`].
    #[inline]
    pub fn read(&self) -> Result<[u64; N]> {
        Ok(self.here()?.read())
    }

    /// The 64-bit counts, and how long they were counted for.
    ///
    /// # Errors
    /// [`Error::WrongCpu`].
    pub fn counts(&self) -> Result<Counts<N>> {
        let raw = self.read()?;
        let now = if self.running { self.owner.backend.ticks() } else { 0 };
        let enabled = self.enabled.wrapping_add(now);
        Ok(Counts { raw, enabled, running: enabled })
    }

    /// A reader without the check that every [`Session::read`] makes: reading costs one
    /// instruction sequence a counter.
    ///
    /// The thread MUST stay on this CPU while it uses the reader, or it reads another unit's
    /// counters.
    ///
    /// # Errors
    /// [`Error::WrongCpu`].
    #[inline]
    pub fn here(&self) -> Result<Reader<'_, 'u, B, N>> {
        self.owner.check()?;
        Ok(Reader::new(self))
    }

    /// Which requests have ended their one-shot period: one bit a request, from 0.
    #[must_use]
    pub fn ended(&self) -> u64 {
        let spent = self.shared.spent();
        let bit = |(i, place): (usize, &Place<B::Handle>)| u64::from(spent.contains(place.counter)) << i;
        self.places.iter().enumerate().map(bit).fold(0, |bits, bit| bits | bit)
    }

    /// The counter that a request was placed on; `None` beyond the last request.
    #[must_use]
    pub fn counter(&self, request: usize) -> Option<CounterId> {
        self.places.get(request).map(|place| place.counter)
    }

    /// The request that counts on this counter.
    #[must_use]
    pub fn request(&self, counter: CounterId) -> Option<usize> {
        self.places.iter().position(|place| place.counter == counter)
    }
}

impl<H> Place<H> {
    #[inline(always)]
    fn new<B: Backend<Handle = H>>(backend: &B, image: &B::Image, request: &Request, slot: &Slot) -> Self {
        let counter = slot.counter;
        let width = backend.width(image, counter);
        let longest = backend.longest(image, counter);
        let period = request.sampling.map_or(longest, |sampling| Remaining::events(sampling.period));
        Self { handle: backend.handle(image, counter), width, start: width.start(period), counter, period }
    }
}

/// The counters of the requests that fit.
#[inline(always)]
fn chosen<const N: usize>(requests: &[Request; N], slots: &[Slot; N], fits: impl Fn(&Request) -> bool) -> CounterSet {
    requests.iter().zip(slots).filter(|(request, _)| fits(request)).map(|(_, slot)| slot.counter).collect()
}

impl<B: Backend, const N: usize> Drop for Session<'_, B, N> {
    fn drop(&mut self) {
        match self.shared.enter(self.owner) {
            Ok(operation) => {
                self.shared.give_back(&self.owner.backend, self.occupied);
                drop(operation);
            }
            Err(_) => self.shared.abandon(self.occupied),
        }
    }
}

impl<B: Backend, const N: usize> fmt::Debug for Session<'_, B, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("counters", &self.set).field("running", &self.running).finish_non_exhaustive()
    }
}
