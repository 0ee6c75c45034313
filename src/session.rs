//! Measuring a CPU: open a session, start, read, stop.
//!
//! A session holds its counters from [`Pmu::open`](crate::Pmu::open) until it is dropped. Sessions count beside one
//! another without disturbing each other. Counts have 64 bits whatever the counters have: the
//! overflow interrupt carries them on. Without that interrupt, a count is right for as long as a
//! counter's width lasts.

use core::array;
use core::fmt;
use core::marker::PhantomData;

use crate::backend::{Backend, Slot};
use crate::counter::{CounterId, CounterSet, Remaining, Width};
use crate::error::{Error, Result};
use crate::event::{Repeat, Request};
use crate::reader::Reader;
use crate::sample::{Label, Sample, SessionId};
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
/// It borrows the unit, not the [`Pmu`](crate::Pmu), so that a kernel can keep both in one structure. Dropping
/// it stops and frees its counters; dropped on another CPU, or amid another operation, it leaves
/// them to the next [`Pmu::open`](crate::Pmu::open) or
/// [`Pmu::release`](crate::Pmu::release) at home, and the next overflow interrupt
/// there stops them.
pub struct Session<'u, B: Backend, const N: usize> {
    pub(crate) shared: &'u Shared<B>,
    pub(crate) owner: &'u Owner<B>,
    pub(crate) places: [Place<B::Handle>; N],
    pub(crate) accounts: [&'u Account; N],
    id: SessionId,
    pub(crate) occupied: CounterSet,
    set: CounterSet,
    pub(crate) sampling: CounterSet,
    pub(crate) once: CounterSet,
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

impl<'u, B: Backend, const N: usize> Session<'u, B, N> {
    #[inline(always)]
    pub(crate) fn new(shared: &'u Shared<B>, owner: &'u Owner<B>, requests: &[Request; N], slots: &[Slot; N]) -> Self {
        let places = array::from_fn(|i| Place::new(&owner.backend, &shared.image, &requests[i], &slots[i]));
        let once = |request: &Request| request.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot);
        let session = Self {
            shared,
            owner,
            accounts: array::from_fn(|i| shared.account(slots[i].counter)),
            id: shared.next_session(),
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
        session.label();
        session
    }

    /// Samples of these counters are this session's from now on.
    #[inline(always)]
    fn label(&self) {
        for (place, account) in self.places.iter().zip(&self.accounts) {
            account.label.set(Label::new(place.counter, self.id).bits());
        }
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
    pub fn rearm(&mut self) -> Result<()> {
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
        Ok(self.reader()?.read())
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
    pub fn reader(&self) -> Result<Reader<'_, 'u, B, N>> {
        self.owner.check()?;
        Ok(Reader::new(self))
    }

    /// Has this request ended its one-shot period? False beyond the last request.
    #[must_use]
    pub fn has_ended(&self, request: usize) -> bool {
        self.places.get(request).is_some_and(|place| self.shared.spent().contains(place.counter))
    }

    /// This session, as its samples name it.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.id
    }

    /// The counter that a request was placed on; `None` beyond the last request.
    #[must_use]
    pub fn counter(&self, request: usize) -> Option<CounterId> {
        self.places.get(request).map(|place| place.counter)
    }

    /// The request whose overflow this sample is; `None` if it is another session's.
    #[must_use]
    pub fn request_of(&self, sample: &Sample) -> Option<usize> {
        let mine = sample.session == self.id;
        self.places.iter().position(|place| mine && place.counter == sample.counter)
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
