//! How the kernel keeps interrupts off the crate's operations.
//!
//! By MSR\[EE\] it keeps the performance monitor's exception off, too. A kernel that masks lazily leaves MSR\[EE\] set
//! and puts off what its handlers would do, as Linux does on POWER: there the exception comes amid an operation, like an
//! NMI. The tick comes, too, and is put off to the operation's end.

use core::sync::atomic::{
    AtomicBool, AtomicU8, AtomicUsize,
    Ordering::{Relaxed, SeqCst},
    compiler_fence,
};

use harness::place::OneCpu;
use pmu::driver::{Masked, Registers};
use pmu::{CpuId, Kernel};

use crate::processor::{Spr, write_spr};

/// How interrupts are kept off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Masking {
    /// By MSR\[EE\].
    Hard,
    /// Lazily: the performance monitor's exception comes all the same, and the tick is put off.
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

/// Sets the kernel's clock back to 0, when the time base reads this. The time base itself is not the guest's to write.
pub fn reset_clock(ticks: u64) {
    RESET.store(ticks as usize, Relaxed);
}

/// Are interrupts kept off lazily now? Has a tick come meanwhile?
static IS_MASKED: AtomicBool = AtomicBool::new(false);
static HAS_TICKED: AtomicBool = AtomicBool::new(false);

/// A tick has come. Returns true if it is put off.
pub fn puts_off_tick() -> bool {
    let is_masked = IS_MASKED.load(Relaxed);
    HAS_TICKED.store(is_masked, Relaxed);
    is_masked
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
        match masking() {
            Masking::Hard => registers.mask(),
            Masking::Lazy => {
                let before = IS_MASKED.load(Relaxed);
                IS_MASKED.store(true, Relaxed);
                compiler_fence(SeqCst);
                Masked::from_bits(before.into())
            }
        }
    }

    #[inline(always)]
    fn leave<R: Registers + ?Sized>(&self, registers: &R, before: Masked) {
        match masking() {
            Masking::Hard => registers.unmask(before),
            Masking::Lazy => {
                compiler_fence(SeqCst);
                IS_MASKED.store(before.bits() != 0, Relaxed);
                if before.bits() == 0 && HAS_TICKED.load(Relaxed) {
                    HAS_TICKED.store(false, Relaxed);
                    // SAFETY: the decrementer's exception has an entry, and it was put off.
                    unsafe { write_spr::<{ Spr::DECREMENTER }>(1) };
                }
            }
        }
    }

    fn clock<R: Registers + ?Sized>(&self, registers: &R) -> u64 {
        registers.ticks().wrapping_sub(RESET.load(Relaxed) as u64)
    }
}
