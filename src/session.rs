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
use crate::counter::{CounterId, CounterSet, Remaining};
use crate::error::{Error, Result};
use crate::event::{Repeat, Request, Sampling};
use crate::reader::Reader;
use crate::sample::{Label, Sample, SessionId};
use crate::shared::{Account, Owner, Shared};

/// Where one request counts, and what reading it takes: of the counter's width no more than that.
pub(crate) struct Place<H> {
    pub(crate) handle: H,
    mask: u64,
    flip: u64,
    /// The raw value that it starts from.
    start: u64,
    counter: CounterId,
}

impl<H> Place<H> {
    #[inline(always)]
    fn new<B>(backend: &B, image: &B::Image, counter: CounterId, sampling: Option<Sampling>) -> Self
    where
        B: Backend<Handle = H>,
    {
        let (handle, width) = (backend.handle(image, counter), backend.width(image, counter));
        let start = width.start(period(backend, image, counter, sampling));
        Self { handle, mask: width.mask(), flip: width.flip(), start, counter }
    }

    /// How far a counter that reads `raw` has come: [`Width::position`].
    #[inline(always)]
    pub(crate) fn position(&self, raw: u64) -> u64 {
        raw ^ self.flip
    }

    /// Events from the start to `raw`: [`Width::delta`].
    #[inline(always)]
    pub(crate) fn since_start(&self, raw: u64) -> u64 {
        raw.wrapping_sub(self.start) & self.mask
    }

    /// The base that makes the count 0 at the start.
    #[inline(always)]
    fn zero(&self) -> u64 {
        self.position(self.start).wrapping_neg()
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
    progress: Progress,
    here: PhantomData<*const ()>,
}

/// How far a session has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Progress {
    /// Its counters are preset and have not counted.
    Fresh,
    Running,
    Stopped,
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
        let (backend, image) = (&owner.backend, &shared.image);
        let once = |request: &Request| request.sampling.is_some_and(|sampling| sampling.repeat == Repeat::OneShot);
        let session = Self {
            shared,
            owner,
            places: array::from_fn(|i| Place::new(backend, image, slots[i].counter, requests[i].sampling)),
            accounts: array::from_fn(|i| shared.account(slots[i].counter)),
            id: shared.next_session(),
            occupied: slots.iter().fold(CounterSet::EMPTY, |set, slot| set.or(slot.occupies())),
            set: chosen(requests, slots, |_| true),
            sampling: chosen(requests, slots, |request| request.sampling.is_some()),
            once: chosen(requests, slots, once),
            enabled: 0,
            progress: Progress::Fresh,
            here: PhantomData,
        };
        for ((place, account), request) in session.places.iter().zip(&session.accounts).zip(requests) {
            let period = period(backend, image, place.counter, request.sampling);
            account.open(place.zero(), period.count(), Label::new(place.counter, session.id));
            backend.preset(image, place.counter, period);
        }
        session
    }

    /// Starts counting, from 0 and with whole periods.
    ///
    /// # Errors
    /// [`Error::Running`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn start(&mut self) -> Result<()> {
        let (shared, owner) = (self.shared, self.owner);
        if self.progress == Progress::Running {
            return Err(Error::Running);
        }
        let Some(operation) = shared.enter(owner) else { return shared.refused(owner) };
        if self.progress == Progress::Stopped {
            self.begin_anew();
        }
        self.run(shared, owner);
        drop(operation);
        Ok(())
    }

    /// Goes on from where [`Session::stop`] stopped. A one-shot period that has ended begins anew.
    ///
    /// # Errors
    /// [`Error::Running`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn resume(&mut self) -> Result<()> {
        let (shared, owner) = (self.shared, self.owner);
        if self.progress == Progress::Running {
            return Err(Error::Running);
        }
        let Some(operation) = shared.enter(owner) else { return shared.refused(owner) };
        shared.unspend(self.once);
        self.run(shared, owner);
        drop(operation);
        Ok(())
    }

    /// Stops counting; the counts stay.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn stop(&mut self) -> Result<()> {
        let (shared, owner) = (self.shared, self.owner);
        if self.progress != Progress::Running {
            return Err(Error::Stopped);
        }
        let Some(operation) = shared.enter(owner) else { return shared.refused(owner) };
        shared.disarm(&owner.backend, self.set);
        shared.changed();
        let now = owner.backend.ticks();
        self.enabled = self.enabled.wrapping_add(now);
        self.progress = Progress::Stopped;
        drop(operation);
        Ok(())
    }

    /// Lets the counters whose one-shot period has ended count another one, and goes on.
    ///
    /// # Errors
    /// [`Error::Stopped`], [`Error::WrongCpu`], [`Error::Busy`]; nothing has changed.
    pub fn rearm(&mut self) -> Result<()> {
        if self.progress != Progress::Running {
            return Err(Error::Stopped);
        }
        let Some(operation) = self.shared.enter(self.owner) else { return self.shared.refused(self.owner) };
        self.shared.unspend(self.once);
        self.shared.arm(&self.owner.backend, self.set);
        drop(operation);
        Ok(())
    }

    /// As if it had never been started: the counters to their start values, their accounts to 0.
    /// They do not run.
    #[inline(never)]
    fn begin_anew(&mut self) {
        self.shared.unspend(self.once);
        self.enabled = 0;
        for (place, account) in self.places.iter().zip(&self.accounts) {
            account.base.set(place.zero());
            let period = Remaining::events(account.period.get());
            self.owner.backend.preset(&self.shared.image, place.counter, period);
        }
    }

    /// Counts from here on. The unit's words are handed in, so that they are not looked up again.
    #[inline(always)]
    fn run(&mut self, shared: &Shared<B>, owner: &Owner<B>) {
        shared.changed();
        let now = owner.backend.ticks();
        self.enabled = self.enabled.wrapping_sub(now);
        self.progress = Progress::Running;
        shared.arm(&owner.backend, self.set);
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
        let now = if self.progress == Progress::Running { self.owner.backend.ticks() } else { 0 };
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

/// Events from one overflow to the next; as many as can be where nobody asks for samples.
#[inline(always)]
fn period<B: Backend>(backend: &B, image: &B::Image, counter: CounterId, sampling: Option<Sampling>) -> Remaining {
    match sampling {
        Some(sampling) => Remaining::events(sampling.period),
        None => backend.longest(image, counter),
    }
}

/// The counters of the requests that fit.
#[inline(always)]
fn chosen<const N: usize>(requests: &[Request; N], slots: &[Slot; N], fits: impl Fn(&Request) -> bool) -> CounterSet {
    requests.iter().zip(slots).filter(|(request, _)| fits(request)).map(|(_, slot)| slot.counter).collect()
}

impl<B: Backend, const N: usize> Drop for Session<'_, B, N> {
    fn drop(&mut self) {
        let (shared, owner) = (self.shared, self.owner);
        let Some(operation) = shared.enter(owner) else { return shared.abandon(self.occupied) };
        if self.progress == Progress::Running {
            shared.stop_amid(&owner.backend, self.set);
        }
        shared.free(&owner.backend, self.occupied);
        drop(operation);
    }
}

impl<B: Backend, const N: usize> fmt::Debug for Session<'_, B, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("counters", &self.set).field("progress", &self.progress).finish_non_exhaustive()
    }
}
