//! Ownership: one CPU's unit, who holds it, and what its threads share with its interrupt.
//!
//! A kernel keeps one [`Unit`] for each CPU, in a static or in its per-CPU structure. On that CPU
//! it claims the unit and gets the [`Pmu`], from which sessions are opened; its overflow interrupt
//! calls [`Unit::on_overflow`].

use crate::backend::{Backend, Description, Image};
use crate::event::{CpuId, Error, Result};
use crate::phase::Phase;
use crate::sample::{Ring, SampleStatistics, Samples};
use crate::shared::{Owner, Shared, Strays};
use crate::visitor::Threads;
use core::fmt;
use core::marker::PhantomData;

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

    /// Takes the unit of the CPU that this runs on: keeps what it holds, and halts it.
    ///
    /// `this_cpu` is how the kernel says where it is; every later use is checked against it. A
    /// unit is given its driver once: later, [`Unit::here`] finds it, and after a
    /// [`Pmu::release`], [`Unit::reclaim`] takes it again.
    ///
    /// # Errors
    /// [`Error::AlreadyClaimed`], [`Error::NoSuchCpu`]; nothing was touched.
    pub fn claim(&self, backend: B, this_cpu: fn() -> CpuId) -> Result<Pmu<'_, B>> {
        self.claim_for(backend, this_cpu, Threads::Share)
    }

    /// The same, choosing who has the counters if sessions and threads cannot both have them.
    ///
    /// # Errors
    /// As [`Unit::claim`].
    pub fn claim_for(&self, backend: B, this_cpu: fn() -> CpuId, threads: Threads) -> Result<Pmu<'_, B>> {
        let here = this_cpu();
        if !Phase::knows(here) {
            return Err(Error::NoSuchCpu(here));
        }
        let mut first = false;
        let owner = self.shared.owner.call_once(|| {
            first = true;
            Owner { backend, this_cpu, cpu: here, threads }
        });
        if !first {
            return Err(Error::AlreadyClaimed);
        }
        self.shared.threads.number_from(owner.backend.ticks());
        Ok(self.begin(owner))
    }

    /// Takes the unit again that was released: for a CPU that comes back online, or wakes up.
    ///
    /// # Errors
    /// [`Error::NotClaimed`] if it never was, [`Error::AlreadyClaimed`] if it still is,
    /// [`Error::WrongCpu`]; nothing was touched.
    pub fn reclaim(&self) -> Result<Pmu<'_, B>> {
        let owner = self.shared.owner.get().ok_or(Error::NotClaimed)?;
        owner.check()?;
        if self.shared.phase.is_claimed() {
            return Err(Error::AlreadyClaimed);
        }
        Ok(self.begin(owner))
    }

    /// The unit that was claimed, on its own CPU: nothing needs to be kept in between.
    ///
    /// # Errors
    /// [`Error::NotClaimed`], [`Error::WrongCpu`].
    #[inline]
    pub fn here(&self) -> Result<Pmu<'_, B>> {
        match self.shared.owner.get() {
            Some(owner) if self.shared.phase.is_claimed() => {
                owner.check()?;
                Ok(self.pmu(owner))
            }
            _ => Err(Error::NotClaimed),
        }
    }

    /// The interrupt leaves the unit alone until what it held is kept.
    fn begin<'u>(&'u self, owner: &'u Owner<B>) -> Pmu<'u, B> {
        owner.backend.save(&self.shared.image);
        self.shared.due.forget();
        self.shared.phase.claim(owner.cpu);
        self.pmu(owner)
    }

    const fn pmu<'u>(&'u self, owner: &'u Owner<B>) -> Pmu<'u, B> {
        Pmu { shared: &self.shared, owner, here: PhantomData }
    }

    /// The one reader of this unit's samples. May be called on any CPU.
    ///
    /// # Errors
    /// [`Error::ReaderTaken`] while another reader is alive.
    pub fn samples(&self) -> Result<Samples<'_, SAMPLES>> {
        self.ring.reader(&self.shared.losses)
    }

    /// How many samples wait to be read.
    ///
    /// May be asked anywhere, in the overflow handler too: a kernel that wakes its reader once the
    /// ring is filled beyond a watershed asks behind [`Unit::on_overflow`], and one that does not
    /// pays nothing. More than `SAMPLES` never wait: a watershed there or above is never passed.
    #[must_use]
    pub fn waiting_samples(&self) -> usize {
        self.ring.waiting()
    }

    /// What became of the overflows that were to leave a sample; the reader need not be free.
    #[must_use]
    pub fn sample_statistics(&self) -> SampleStatistics {
        self.ring.statistics(&self.shared.losses)
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
            .field("claimed", &self.shared.phase.is_claimed())
            .field("counting", &self.shared.counting())
            .finish_non_exhaustive()
    }
}

/// The right to use a CPU's unit, on that CPU; neither `Send` nor `Sync`.
///
/// Its operations may be called with interrupts on. One that interrupts another on the same unit
/// (a scheduler's, called from a timer interrupt) is refused with [`Error::Busy`]. The thread
/// MUST NOT be moved to another CPU amid an operation: each looks once, when it begins, whether it
/// is on its own.
pub struct Pmu<'u, B: Backend> {
    pub(crate) shared: &'u Shared<B>,
    pub(crate) owner: &'u Owner<B>,
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
    /// offline or to sleep. From its first write on, an interrupt leaves the unit alone.
    ///
    /// # Errors
    /// [`Error::InUse`] while sessions are open or a thread is switched in, [`Error::WrongCpu`], [`Error::Busy`],
    /// [`Error::NotClaimed`]; the unit is as it was.
    pub fn release(&self) -> Result<()> {
        let (shared, backend) = (self.shared, &self.owner.backend);
        let Some(operation) = shared.enter(self.owner) else { return shared.refused(self.owner) };
        shared.collect(backend);
        let occupied = shared.image.occupied();
        if !occupied.is_empty() {
            return Err(Error::InUse(occupied));
        }
        operation.end_unclaimed();
        backend.restore(&shared.image);
        Ok(())
    }
}

impl<B: Backend> fmt::Debug for Pmu<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pmu").field("cpu", &self.owner.cpu).field("counting", &self.shared.counting()).finish()
    }
}
