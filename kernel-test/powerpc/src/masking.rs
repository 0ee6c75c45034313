//! How the kernel keeps interrupts off the crate's operations.
//!
//! By MSR\[EE\] it keeps the performance monitor's exception off, too. A kernel that masks lazily leaves MSR\[EE\] set
//! and puts off what its handlers would do, as Linux does on POWER: there the exception comes amid an operation, like an
//! NMI.

use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use harness::place::OneCpu;
use pmu::{CpuId, Kernel, Masked, Registers};

/// How interrupts are kept off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masking {
    /// By MSR\[EE\].
    Hard,
    /// Lazily: the performance monitor's exception comes all the same, and there is no other.
    Lazy,
}

static MASKING: AtomicU8 = AtomicU8::new(Masking::Hard as u8);

/// From now on they are kept off so.
pub fn set(masking: Masking) {
    MASKING.store(masking as u8, Relaxed);
}

/// How are they kept off?
pub fn masking() -> Masking {
    if MASKING.load(Relaxed) == Masking::Lazy as u8 { Masking::Lazy } else { Masking::Hard }
}

/// What the time base read when the kernel's clock was 0.
static RESET: AtomicUsize = AtomicUsize::new(0);

/// Sets the kernel's clock back to 0, at this value of the time base, which is not the guest's to write.
pub fn reset_clock(ticks: u64) {
    RESET.store(ticks as usize, Relaxed);
}

/// This kernel, as the crate sees it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Kernel for Here {
    fn cpu(&self) -> CpuId {
        OneCpu.cpu()
    }

    #[inline(always)]
    fn enter<R: Registers + ?Sized>(&self, registers: &R) -> Masked {
        /// MSR\[EE\] was clear: [`Kernel::leave`] leaves MSR as it is.
        const UNCHANGED: Masked = Masked::from_bits(0);
        match masking() {
            Masking::Hard => registers.mask(),
            Masking::Lazy => UNCHANGED,
        }
    }

    fn clock<R: Registers + ?Sized>(&self, registers: &R) -> u64 {
        registers.ticks().wrapping_sub(RESET.load(Relaxed) as u64)
    }
}
