//! One CPU's unit: who has it, what counts on it, and what its overflow interrupt does.
//!
//! A kernel keeps one [`Unit`] for each CPU, in a static or in its per-CPU structure. On that CPU it claims the unit and
//! gets the [`Pmu`], from which sessions are opened. Its overflow interrupt calls [`Unit::on_overflow`].
//!
//! An operation runs with ordinary interrupts off; it turns them off itself and restores them at its end. The overflow handler
//! may be an NMI, and may interrupt any operation.

mod account;
mod claim;
mod epoch;
mod expected;
mod freeing;
mod guest;
mod home;
mod lending;
mod operation;
mod overflow;
mod period;
mod reading;
mod room;
mod running;
mod spurious;
mod throttle;

use core::fmt;
use core::marker::PhantomData;

use spin::Once;

use account::Account;
use epoch::Epoch;
use expected::Expected;
use guest::Guest;
pub(crate) use home::{Claim, Home};
pub(crate) use operation::{Operation, Refused, Scope};
pub use overflow::Handled;
pub use spurious::Spurious;
use spurious::SpuriousCounts;

use crate::contract::{Description, Driver, Image, Registers};
use crate::event::{CpuId, Result};
use crate::sample::{Losses, Ring, SampleStatistics, Samples};
use crate::sync::{Cell, Changes, SharedSet, Word};

/// One CPU's unit as a kernel keeps it, with room for `SAMPLES` samples (0, or a power of two).
///
/// It can be built in a constant and has a fixed size. So it can lie in a static, in a per-CPU section or in a structure that
/// GS points to, where the interrupt handler finds it. All its bits are zero until it is claimed.
#[repr(C, align(64))]
pub struct Unit<D: Driver, const SAMPLES: usize> {
    shared: Shared<D>,
    ring: Ring<SAMPLES>,
}

/// What thread and interrupt share: atomic words, and nothing else that changes.
#[repr(C, align(64))]
pub(crate) struct Shared<D: Driver> {
    pub(crate) home: Home,
    driver: Once<D>,
    /// The counters that shall count. Only threads of the unit's CPU write it.
    armed: Cell,
    /// The counters that do not count even if they are armed: their one-shot period has expired, their session is gone, or a
    /// notification of their thread has stopped them. All 64 after a halt.
    pub(crate) ended: SharedSet,
    /// The counters in `ended` whose one-shot period has expired.
    pub(crate) expired: SharedSet,
    /// The counters whose accounts have a period. Only threads write it.
    sampling: Cell,
    /// The counters whose periods were doubled.
    throttled: SharedSet,
    /// The counters whose overflow an interrupt has accounted for while they were not running.
    served: SharedSet,
    /// The counters of sessions.
    pub(crate) reserved: Cell,
    /// The counters of the thread that is switched in.
    pub(crate) scheduled: Cell,
    /// The ticket of the thread that is switched in, with counters or without; 0 is nobody.
    pub(crate) occupant: Cell,
    /// The ticket of the thread whose values are in the counters, whether it is in or not; 0 is nobody.
    pub(crate) resident: Cell,
    /// Its counters.
    pub(crate) resident_set: Cell,
    /// The ticket of the resident thread, once its counters hold nothing of the threads before it; or of an earlier one.
    shown: Cell,
    epoch: Epoch,
    tickets: Cell,
    /// The counters of sessions that were dropped where the unit could not be touched.
    abandoned: SharedSet,
    /// The counters that shall count again after the sleep.
    parked: Cell,
    /// The counters that programs may read: all of them on a unit that can only lend all or none.
    lent: Cell,
    /// The guest that has the unit's counters, if there is one.
    pub(crate) guest: Guest,
    /// What is added to the clock, so that time goes on over a sleep. While the unit is suspended: the time of the suspension.
    clock_base: Word,
    expected: Expected,
    /// Counts starts and stops.
    pub(crate) changes: Changes,
    /// Counts the interrupts that have changed an account; only they write it.
    pub(crate) overflows: Changes,
    losses: Losses,
    spurious: SpuriousCounts,
    claims: Cell,
    /// The last serial number. One is taken for each session that is opened, and each time the unit is given to a guest.
    pub(crate) sessions: Cell,
    threads: Cell,
    pub(crate) image: D::Image,
    saved: D::Saved,
    accounts: [Account; 64],
}

/// Who has the counters, if a CPU's sessions and its threads cannot both have them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Threads {
    /// Whoever has them first. A session that finds none free is refused with a conflict; a thread waits, and its
    /// [`Counts`](crate::Counts) say for how much of its time it was counted.
    #[default]
    Share,
    /// The sessions, as in libcpc: a thread that meets an open session on its CPU, or is there when one is opened, is
    /// invalidated. Its counts are an error from then on, until it is bound anew.
    Yield,
}

impl<D: Driver> Shared<D> {
    const fn new() -> Self {
        Self {
            home: Home::unclaimed(),
            driver: Once::new(),
            armed: Cell::new(0),
            ended: SharedSet::empty(),
            expired: SharedSet::empty(),
            sampling: Cell::new(0),
            throttled: SharedSet::empty(),
            served: SharedSet::empty(),
            reserved: Cell::new(0),
            scheduled: Cell::new(0),
            occupant: Cell::new(0),
            resident: Cell::new(0),
            resident_set: Cell::new(0),
            shown: Cell::new(0),
            epoch: Epoch::unknown(),
            tickets: Cell::new(0),
            abandoned: SharedSet::empty(),
            parked: Cell::new(0),
            lent: Cell::new(0),
            guest: Guest::none(),
            clock_base: Word::new(0),
            expected: Expected::none(),
            changes: Changes::none(),
            overflows: Changes::none(),
            losses: Losses::none(),
            spurious: SpuriousCounts::none(),
            claims: Cell::new(0),
            sessions: Cell::new(0),
            threads: Cell::new(0),
            image: D::Image::BLANK,
            saved: D::NOTHING_SAVED,
            accounts: [const { Account::closed() }; 64],
        }
    }

    /// Returns a number for a session or a guest. None is 0, and none repeats.
    #[inline(always)]
    pub(crate) fn next_serial(&self) -> u64 {
        self.sessions.add(1);
        self.sessions.get()
    }

    /// Returns true if threads yield to sessions.
    #[inline(always)]
    pub(crate) fn threads_yield(&self) -> bool {
        self.threads.get() == Threads::Yield as u64
    }
}

impl<D: Driver, const SAMPLES: usize> Default for Unit<D, SAMPLES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<D: Driver, const SAMPLES: usize> Unit<D, SAMPLES> {
    /// A unit that nobody has claimed.
    #[must_use]
    pub const fn new() -> Self {
        Self { shared: Shared::new(), ring: Ring::new() }
    }

    /// The one reader of this unit's samples. May be called on any CPU.
    ///
    /// It has the samples of every session and thread that samples here, and reading a sample removes it. Where several
    /// sample, one pass hands each sample to its owner: [`Session::request_of`](crate::Session::request_of) and
    /// [`Context::request_of`](crate::Context::request_of) say whose it is, and the
    /// [guide](crate::guide::kernel#several-that-sample) shows it.
    ///
    /// # Errors
    /// [`Error::ReaderTaken`](crate::Error::ReaderTaken) while another reader is alive.
    pub fn samples(&self) -> Result<Samples<'_, SAMPLES>> {
        self.ring.reader(&self.shared.losses)
    }

    /// How many samples wait to be read.
    ///
    /// May be called anywhere, also in the overflow handler. A kernel that wakes its reader when the ring is filled beyond a
    /// watermark calls this after [`Unit::on_overflow`]. The result is at most `SAMPLES`, so a watermark of `SAMPLES` or more
    /// is never exceeded.
    #[must_use]
    pub fn waiting_samples(&self) -> usize {
        self.ring.waiting()
    }

    /// What became of the overflows that were to leave a sample. May be called while a reader is alive.
    #[must_use]
    pub fn sample_statistics(&self) -> SampleStatistics {
        self.ring.statistics(&self.shared.losses)
    }

    /// How many interrupts found nothing to account for.
    #[must_use]
    pub fn spurious(&self) -> Spurious {
        self.shared.spurious.summary()
    }
}

impl<D: Driver, const SAMPLES: usize> fmt::Debug for Unit<D, SAMPLES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unit")
            .field("claimed", &self.shared.home.is_awake())
            .field("counting", &self.shared.running())
            .finish_non_exhaustive()
    }
}

/// The right to use a CPU's unit, on that CPU; neither `Send` nor `Sync`.
///
/// Its operations may be called with interrupts on or off. Each turns them off while it runs, and checks that it is on the
/// unit's own CPU.
pub struct Pmu<'u, D: Driver> {
    pub(crate) shared: &'u Shared<D>,
    pub(crate) driver: &'u D,
    here: PhantomData<*const ()>,
}

impl<D: Driver> Clone for Pmu<'_, D> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<D: Driver> Copy for Pmu<'_, D> {}

impl<'u, D: Driver> Pmu<'u, D> {
    #[inline(always)]
    const fn new(shared: &'u Shared<D>, driver: &'u D) -> Self {
        Self { shared, driver, here: PhantomData }
    }

    /// What this unit is.
    #[must_use]
    pub fn description(&self) -> Description {
        self.driver.description()
    }

    /// The driver.
    #[must_use]
    pub const fn driver(&self) -> &'u D {
        self.driver
    }

    /// The CPU that this runs on.
    #[must_use]
    pub fn cpu(&self) -> CpuId {
        let _scope = Scope::enter(self.driver);
        self.driver.registers().cpu()
    }

    /// A number that changes at every start, stop and overflow. The same number before and after means that nobody else
    /// started or stopped anything in between, until the numbers repeat after 2^32 changes.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.shared.changes.get().wrapping_add(self.shared.overflows.get()).into()
    }
}

impl<D: Driver> fmt::Debug for Pmu<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("cpu", &self.cpu()).field("counting", &self.shared.running()).finish()
    }
}
