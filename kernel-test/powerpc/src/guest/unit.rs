//! The unit as a guest's kernel keeps it: in a static, claimed on its one CPU, with overflows that
//! come as performance monitor exceptions.

pub use harness::amid::accounted;
use pmu::arch::powerpc::access::Hardware;
use pmu::{CpuId, Pmu, Result};

pub use crate::family::Driver;
use crate::{family, identity};

/// A unit with room for so many samples.
pub type Unit<const SAMPLES: usize> = pmu::Unit<Driver, SAMPLES>;

/// Finds the unit, by real instructions.
///
/// # Errors
/// Those of the driver's own `detect`.
pub fn detect() -> Result<Driver> {
    family::detect_as(hardware().version())
}

/// Claims a test's unit, of which there is no doubt.
pub fn claim<const SAMPLES: usize>(unit: &Unit<SAMPLES>) -> Pmu<'_, Driver> {
    let driver = detect().expect("the processor has a unit");
    unit.claim(driver, this_cpu).expect("nobody has it yet")
}

/// The unit's registers.
pub fn hardware() -> Hardware {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its exception; above the
    // host, what it may not do by itself is carried out for it.
    unsafe { Hardware::claim() }
}

/// Leaves the unit as a reset does: frozen, and everything else 0.
pub fn reset() {
    /// MMCR0, FC.
    const FREEZE: u64 = 1 << 31;
    family::write(family::control(), FREEZE);
    let others = family::registers(&identity::presented().processor).filter(|at| *at != family::control());
    others.for_each(|at| family::write(at, 0));
}

/// The guest has one CPU.
pub fn this_cpu() -> CpuId {
    CpuId(0)
}
