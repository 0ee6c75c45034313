//! The unit as a guest's kernel keeps it: in a static, claimed on its one CPU, with overflows that
//! come as NMIs through the xAPIC.

use core::ptr::NonNull;

pub use harness::amid::accounted;
use pmu::arch::Detected;
use pmu::arch::x86::access::{Cpuid, Hardware, MappedLine};
use pmu::arch::x86::{Line, Lvtpc, XApic, amd, intel};
use pmu::{CpuId, Interrupted, Mode, Pmu, Result};
use volatile::VolatileRef;

use super::lvt;
use crate::identity::{self, Processor};
use crate::trap::Frame;

/// The driver of the presented processor's unit, whatever the family, on the line `L`.
pub type DriverOn<L> = Detected<Hardware, L>;

/// The same, whose line is the xAPIC's.
pub type Driver = DriverOn<XApic<MappedLine>>;

/// A unit with room for so many samples.
pub type Unit<const SAMPLES: usize> = pmu::Unit<Driver, SAMPLES>;

/// Finds the unit, by real instructions.
///
/// # Errors
/// Those of [`pmu::arch::detect`].
pub fn detect() -> Result<Driver> {
    detect_on(XApic::new(line(), Lvtpc::NMI))
}

/// Finds the unit, whose overflows come through this line.
///
/// # Errors
/// Those of [`pmu::arch::detect`].
pub fn detect_on<L: Line>(line: L) -> Result<DriverOn<L>> {
    pmu::arch::detect(&Cpuid, hardware(), line)
}

/// The shortest period that repeats while the kernel is counted.
pub fn least_in_kernel() -> u64 {
    match identity::presented().processor {
        Processor::Intel(_) => intel::LEAST_IN_KERNEL,
        Processor::Amd(_) => amd::LEAST_IN_KERNEL,
    }
}

/// Claims a test's unit, of which there is no doubt.
pub fn claim<const SAMPLES: usize>(unit: &Unit<SAMPLES>) -> Pmu<'_, Driver> {
    let driver = detect().expect("the presented processor has a unit");
    unit.claim(driver, this_cpu).expect("nobody has it yet")
}

/// The unit's registers.
pub fn hardware() -> Hardware {
    // SAFETY: the guest runs in ring 0 and has one driver at a time; every guest has an NMI handler.
    unsafe { Hardware::claim() }
}

/// The xAPIC's entry.
pub fn line() -> MappedLine {
    let register: NonNull<u32> = lvt::COUNTERS;
    // SAFETY: the boot code maps the register, for ever, and nobody else refers to it.
    let register = unsafe { VolatileRef::new(register) };
    // SAFETY: it is LVTPC; QEMU's memory of registers is never cached.
    unsafe { MappedLine::claim(register) }
}

/// The guest has one CPU.
pub fn this_cpu() -> CpuId {
    CpuId(0)
}

/// What a trap's frame says about what it interrupted.
pub fn interrupted(frame: &Frame) -> Interrupted {
    let mode = if frame.cs & 3 == 0 { Mode::Kernel } else { Mode::User };
    Interrupted::new(frame.rip, mode)
}
