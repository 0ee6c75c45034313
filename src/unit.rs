//! One CPU's unit: who has it, what counts on it, and what its overflow interrupt does.
//!
//! A kernel keeps one [`Unit`] for each CPU, in a static or in its per-CPU structure. On that CPU it claims the unit and
//! gets the [`Pmu`], from which sessions are opened. Its overflow interrupt calls [`Unit::on_overflow`].
//!
//! An operation runs with ordinary interrupts off; it turns them off itself and restores them at its end. The overflow handler
//! may be an NMI, and may interrupt any operation.

mod counting;
mod ownership;
mod records;
mod residency;

use core::fmt;
use core::marker::PhantomData;

pub(crate) use counting::Base;
use counting::Counting;
pub use counting::{Handled, Spurious};
use ownership::Ownership;
pub(crate) use ownership::{Claim, Operation, Refused, Scope};
pub use records::Records;
use residency::Residency;

use crate::contract::{Description, Driver, Registers};
use crate::event::{CpuId, Result};
use crate::sample::{Ring, SampleStatistics, Samples};

/// One CPU's unit as a kernel keeps it, with room for `SAMPLES` samples (0, or a power of two).
///
/// It can be built in a constant and has a fixed size. So it can lie in a static, in a per-CPU section or in a structure that
/// GS points to, where the interrupt handler finds it. All its bits are zero until it is claimed.
#[repr(C, align(64))]
pub struct Unit<D: Driver, const SAMPLES: usize> {
    shared: Shared<D>,
    ring: Ring<SAMPLES>,
}

/// What thread and interrupt share: atomic words, and nothing else that changes. Each part has an owner, whose functions keep
/// what it promises.
#[repr(C, align(64))]
pub(crate) struct Shared<D: Driver> {
    pub(crate) ownership: Ownership<D>,
    pub(crate) counting: Counting,
    pub(crate) residency: Residency<D>,
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
        Self { ownership: Ownership::unclaimed(), counting: Counting::nothing(), residency: Residency::nobody() }
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
        self.ring.reader(self.shared.counting.losses())
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

    /// What became of the overflows that were to leave a sample, since the unit was created. May be called while a reader is
    /// alive.
    #[must_use]
    pub fn sample_statistics(&self) -> SampleStatistics {
        self.ring.statistics(self.shared.counting.losses())
    }

    /// How many interrupts found nothing to account for.
    #[must_use]
    pub fn spurious(&self) -> Spurious {
        self.shared.counting.spurious()
    }
}

impl<D: Driver, const SAMPLES: usize> fmt::Debug for Unit<D, SAMPLES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unit")
            .field("claimed", &self.shared.ownership.is_awake())
            .field("counting", &self.shared.counting.running())
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
        self.shared.counting.generation().into()
    }
}

impl<D: Driver> fmt::Debug for Pmu<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("cpu", &self.cpu()).field("counting", &self.shared.counting.running()).finish()
    }
}
