//! The unit as a guest's kernel keeps it: in a static, claimed on its one CPU, with overflows that come as interrupts of
//! level 15.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

use harness::place::OneCpu;
use pmu::arch::sparc::access::Hardware;
use pmu::arch::sparc::{Asr, Detected, detect};
use pmu::{CpuId, Kernel, Registers, Result};

/// The driver.
pub type Driver = Detected<Hardware<Here>>;

/// A unit with room for so many samples.
pub type Unit<const SAMPLES: usize> = pmu::Unit<Driver, SAMPLES>;

/// The unit of the harness's sentences, and one with less room. As all statics they are new in each test.
pub static SHARED: Unit<{ harness::ROOM }> = Unit::new();
pub static SMALL: Unit<{ harness::LITTLE_ROOM }> = Unit::new();

/// This kernel, as the crate sees it.
#[derive(Clone, Copy, Debug)]
pub struct Here;

/// What %tick read when the kernel's clock was 0.
static RESET: AtomicU64 = AtomicU64::new(0);

impl Kernel for Here {
    fn cpu(&self) -> CpuId {
        OneCpu.cpu()
    }

    fn clock<R: Registers + ?Sized>(&self, registers: &R) -> u64 {
        registers.ticks().wrapping_sub(RESET.load(Relaxed))
    }
}

/// Sets the kernel's clock back to 0.
pub fn reset_clock() {
    RESET.store(hardware().ticks(), Relaxed);
}

/// The unit's registers.
pub fn hardware() -> Hardware<Here> {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its interrupt; what it may not do by itself is
    // carried out for it.
    unsafe { Hardware::claim(Here) }
}

/// The driver of the processor's unit.
///
/// # Errors
/// Those of [`pmu::arch::sparc::detect`].
pub fn find() -> Result<Driver> {
    detect(hardware().version(), hardware())
}

/// What both registers hold, in a fixed order.
pub fn snapshot() -> [u64; 2] {
    [Asr::Pcr, Asr::Pic].map(|at| hardware().read(at))
}

/// Leaves something of somebody's in both registers, and stops the unit: nothing moves.
pub fn leave(value: u64) {
    /// S0 or SL, and PRIV.
    const SELECTS: u64 = 0x71;
    hardware().write(Asr::Pcr, value & SELECTS);
    hardware().write(Asr::Pic, value << 32 | !value & 0xffff_ffff);
}
