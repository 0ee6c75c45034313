//! Measuring a CPU: open a session, start, stop; `reader` reads it.
//!
//! A session holds its counters from [`Pmu::open`](crate::Pmu::open) until it is dropped. Sessions count beside one
//! another without disturbing each other. Counts have 64 bits whatever the counters have: the
//! overflow interrupt carries them on. Without that interrupt, a count is right for as long as a
//! counter's width lasts.

use core::marker::PhantomData;
use core::{array, fmt};

use crate::backend::{Backend, Slot};
use crate::event::{CounterId, Result};
use crate::hold::Hold;
use crate::sample::{Sample, SessionId};
use crate::shared::Account;

/// Where one request counts, and what reading it takes: of the counter's width no more than that.
pub(crate) struct Place<H> {
    pub(crate) handle: H,
    mask: u64,
    flip: u64,
    /// The raw value that it starts from: the one at which the count is 0.
    start: u64,
    counter: CounterId,
}

impl<H> Place<H> {
    #[inline(always)]
    fn new<B>(backend: &B, image: &B::Image, counter: CounterId, account: &Account) -> Self
    where
        B: Backend<Handle = H>,
    {
        let (handle, width) = (backend.handle(image, counter), backend.width(image, counter));
        let start = width.position(account.base.get().wrapping_neg());
        Self { handle, mask: width.mask(), flip: width.flip(), start, counter }
    }

    /// How far a counter that reads `raw` has come: [`Width::position`](crate::Width::position).
    #[inline(always)]
    pub(crate) fn position(&self, raw: u64) -> u64 {
        raw ^ self.flip
    }

    /// Events from the start to `raw`: [`Width::delta`](crate::Width::delta).
    #[inline(always)]
    pub(crate) fn since_start(&self, raw: u64) -> u64 {
        raw.wrapping_sub(self.start) & self.mask
    }
}

/// Requests that count together on this CPU.
///
/// It borrows the unit, not the [`Pmu`](crate::Pmu), so that a kernel can keep both in one structure. Dropping
/// it stops and frees its counters; dropped on another CPU, or amid another operation, it leaves
/// them to the next [`Pmu::open`](crate::Pmu::open) or
/// [`Pmu::release`](crate::Pmu::release) at home, and the next overflow interrupt
/// there stops them.
#[repr(C)]
pub struct Session<'u, B: Backend, const N: usize> {
    /// At the beginning, so that what a session does is called without an addition.
    pub(crate) hold: Hold<'u, B>,
    pub(crate) places: [Place<B::Handle>; N],
    pub(crate) accounts: [&'u Account; N],
    here: PhantomData<*const ()>,
}

impl<'u, B: Backend, const N: usize> Session<'u, B, N> {
    #[inline(always)]
    pub(crate) fn new(hold: Hold<'u, B>, slots: &[Slot; N]) -> Self {
        let (shared, backend) = (hold.shared, &hold.owner.backend);
        let accounts = array::from_fn(|i| shared.account(slots[i].counter));
        let places = array::from_fn(|i| Place::new(backend, &shared.image, slots[i].counter, accounts[i]));
        Self { hold, places, accounts, here: PhantomData }
    }

    /// Starts counting, from 0 and with whole periods.
    ///
    /// # Errors
    /// [`Error::Running`](crate::Error::Running), [`Error::WrongCpu`](crate::Error::WrongCpu),
    /// [`Error::Busy`](crate::Error::Busy); nothing has changed.
    #[inline(always)]
    pub fn start(&mut self) -> Result<()> {
        if self.hold.start(self.hold.here()) { Ok(()) } else { self.hold.not_started() }
    }

    /// Goes on from where [`Session::stop`] stopped. A one-shot period that has ended begins anew.
    ///
    /// # Errors
    /// [`Error::Running`](crate::Error::Running), [`Error::WrongCpu`](crate::Error::WrongCpu),
    /// [`Error::Busy`](crate::Error::Busy); nothing has changed.
    #[inline(always)]
    pub fn resume(&mut self) -> Result<()> {
        if self.hold.resume() { Ok(()) } else { self.hold.not_started() }
    }

    /// Stops counting; the counts stay.
    ///
    /// # Errors
    /// [`Error::Stopped`](crate::Error::Stopped), [`Error::WrongCpu`](crate::Error::WrongCpu),
    /// [`Error::Busy`](crate::Error::Busy); nothing has changed.
    #[inline(always)]
    pub fn stop(&mut self) -> Result<()> {
        if self.hold.stop(self.hold.here()) { Ok(()) } else { self.hold.not_stopped() }
    }

    /// Lets the counters whose one-shot period has ended count another one, and goes on.
    ///
    /// # Errors
    /// [`Error::Stopped`](crate::Error::Stopped), [`Error::WrongCpu`](crate::Error::WrongCpu),
    /// [`Error::Busy`](crate::Error::Busy); nothing has changed.
    #[inline(always)]
    pub fn rearm(&mut self) -> Result<()> {
        if self.hold.rearm() { Ok(()) } else { self.hold.not_stopped() }
    }

    /// Has this request ended its one-shot period? False beyond the last request.
    #[must_use]
    pub fn has_ended(&self, request: usize) -> bool {
        self.places.get(request).is_some_and(|place| self.hold.shared.spent().contains(place.counter))
    }

    /// This session, as its samples name it.
    #[must_use]
    pub fn id(&self) -> SessionId {
        self.hold.id
    }

    /// The counter that a request was placed on; `None` beyond the last request.
    #[must_use]
    pub fn counter(&self, request: usize) -> Option<CounterId> {
        self.places.get(request).map(|place| place.counter)
    }

    /// The request whose overflow this sample is; `None` if it is another session's.
    #[must_use]
    pub fn request_of(&self, sample: &Sample) -> Option<usize> {
        let mine = sample.session == self.hold.id;
        self.places.iter().position(|place| mine && place.counter == sample.counter)
    }
}

impl<B: Backend, const N: usize> fmt::Debug for Session<'_, B, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.hold.fmt(f)
    }
}
