//! The unit as a guest's kernel keeps it: in a static, claimed on its one CPU, with overflows that come as interrupts of
//! level 15.

use harness::place::OneCpu;
use pmu::arch::sparc::access::Hardware;
use pmu::arch::sparc::{Asr, Detected};
use pmu::driver::Registers;

/// The driver.
pub type Driver = Detected<Hardware<OneCpu>>;

/// A unit with room for so many samples.
pub type Unit<const SAMPLES: usize> = pmu::Unit<Driver, SAMPLES>;

/// The unit of the harness's sentences, and one with less room. As all statics they are new in each test.
pub static SHARED: Unit<{ harness::ROOM }> = Unit::new();
pub static SMALL: Unit<{ harness::LITTLE_ROOM }> = Unit::new();

/// The unit's registers.
pub fn hardware() -> Hardware<OneCpu> {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its interrupt; what it may not do by itself is
    // carried out for it.
    unsafe { Hardware::claim(OneCpu) }
}

/// The driver of the processor's unit.
pub fn detect() -> Driver {
    Detected::detect(hardware().version(), hardware()).expect("the processor has a unit")
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
