//! Ownership: one CPU's unit, who holds it, and what its threads share with its interrupt.
//!
//! A kernel keeps one [`Unit`] for each CPU, in a static or in its per-CPU structure. On that CPU
//! it claims the unit and gets the [`Pmu`], from which sessions are opened; its overflow interrupt
//! calls [`Unit::on_overflow`].

use core::fmt;
use core::marker::PhantomData;
use core::sync::atomic::Ordering::{AcqRel, Release};

use crate::backend::{Backend, Description, Image};
use crate::error::{CpuId, Error, Result};
use crate::sample::{Ring, Samples};
use crate::shared::{Owner, Shared, Strays};

/// One CPU's unit as a kernel keeps it, with room for `SAMPLES` samples (0, or a power of two).
///
/// It can be made in a constant, has a fixed size, and is reached from the interrupt with nothing
/// captured: a static, a per-CPU section, a field behind GS.
pub struct Unit<B: Backend, const SAMPLES: usize> {
    pub(crate) shared: Shared<B>,
    pub(crate) ring: Ring<SAMPLES>,
}

impl<B: Backend, const SAMPLES: usize> Default for Unit<B, SAMPLES> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Backend, const SAMPLES: usize> Unit<B, SAMPLES> {
    /// A unit that nobody has claimed.
    #[must_use]
    pub const fn new() -> Self {
        Self { shared: Shared::new(), ring: Ring::new() }
    }

    /// Takes the unit of the CPU that this runs on: saves what it holds and halts it.
    ///
    /// `this_cpu` is how the kernel says where it is; every later use is checked against it. A
    /// unit keeps the first driver that it was claimed with: claimed again after
    /// [`Pmu::release`], on the same CPU, it goes on with that one.
    ///
    /// # Errors
    /// [`Error::AlreadyClaimed`], [`Error::WrongCpu`]; nothing was touched.
    pub fn claim(&self, backend: B, this_cpu: fn() -> CpuId) -> Result<Pmu<'_, B>> {
        if self.shared.claimed.swap(true, AcqRel) {
            return Err(Error::AlreadyClaimed);
        }
        let owner = self.shared.owner.call_once(|| Owner { backend, this_cpu, cpu: this_cpu() });
        if let Err(error) = owner.check() {
            self.shared.claimed.store(false, Release);
            return Err(error);
        }
        let before = owner.backend.save();
        let all = owner.backend.description().general.or(owner.backend.description().fixed);
        owner.backend.acknowledge(&self.shared.image, all);
        Ok(Pmu { shared: &self.shared, owner, before, here: PhantomData })
    }

    /// The one reader of this unit's samples. May be called on any CPU.
    ///
    /// # Errors
    /// [`Error::ReaderTaken`] while another reader is alive.
    pub fn samples(&self) -> Result<Samples<'_, SAMPLES>> {
        self.ring.reader(&self.shared.losses)
    }

    /// How many interrupts found nothing to account for.
    #[must_use]
    pub fn strays(&self) -> Strays {
        self.shared.strays.summary()
    }
}

impl<B: Backend, const SAMPLES: usize> fmt::Debug for Unit<B, SAMPLES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unit")
            .field("claimed", &self.shared.claimed)
            .field("counting", &self.shared.counting())
            .finish_non_exhaustive()
    }
}

/// The right to use a CPU's unit, on that CPU; neither `Send` nor `Sync`.
///
/// Its operations may be called with interrupts on. One that interrupts another on the same unit
/// (a scheduler's, called from a timer interrupt) is refused with [`Error::Busy`].
pub struct Pmu<'u, B: Backend> {
    pub(crate) shared: &'u Shared<B>,
    pub(crate) owner: &'u Owner<B>,
    before: B::State,
    here: PhantomData<*const ()>,
}

impl<B: Backend> Pmu<'_, B> {
    /// What this unit is.
    #[must_use]
    pub fn description(&self) -> Description {
        self.owner.backend.description()
    }

    /// The driver.
    #[must_use]
    pub fn backend(&self) -> &B {
        &self.owner.backend
    }

    /// The CPU whose unit this is.
    #[must_use]
    pub fn cpu(&self) -> CpuId {
        self.owner.cpu
    }

    /// A number that changes at every start, stop and overflow. The same number before and after
    /// means that nobody else started or stopped anything in between.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.shared.generation()
    }

    /// Gives the unit back and restores what it held when it was claimed: for a CPU that goes
    /// offline or to sleep.
    ///
    /// # Errors
    /// [`Error::InUse`] while sessions are open, [`Error::WrongCpu`], [`Error::Busy`]: the unit
    /// stays claimed, and is returned beside the error.
    pub fn release(self) -> Result<(), StillClaimed<Self>> {
        match self.try_release() {
            Ok(()) => Ok(()),
            Err(error) => Err(StillClaimed { pmu: self, error }),
        }
    }

    fn try_release(&self) -> Result<()> {
        let operation = self.shared.enter(self.owner)?;
        self.shared.collect(&self.owner.backend);
        let occupied = self.shared.image.occupied();
        if !occupied.is_empty() {
            return Err(Error::InUse(occupied));
        }
        self.owner.backend.restore(&self.before);
        drop(operation);
        self.shared.claimed.store(false, Release);
        Ok(())
    }
}

/// A unit that could not be released, and why.
#[derive(Debug)]
pub struct StillClaimed<P> {
    /// The unit, claimed as before.
    pub pmu: P,
    /// What stands in the way.
    pub error: Error,
}

impl<B: Backend> fmt::Debug for Pmu<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("cpu", &self.owner.cpu).field("counting", &self.shared.counting()).finish()
    }
}
