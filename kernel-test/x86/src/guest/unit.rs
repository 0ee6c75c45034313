//! The unit as a guest's kernel keeps it: in a static, claimed on its one CPU, with overflows that
//! come as NMIs through the xAPIC.

use harness::Fresh;
use harness::place::OneCpu;
use pmu::arch::x86::access::{Cpuid, Hardware};
use pmu::arch::x86::{Apic, Detected, Lvtpc, MappedLine};
use pmu::{Interrupted, Kernel, Mode, Pmu, Result};

use super::{CPUS, lvt};
use crate::trap::Frame;

/// The line, in whichever mode the APIC is.
pub type Line = Apic<Hardware<OneCpu>>;

/// The driver of the families that processors of this kernel's width may be of.
#[cfg(target_pointer_width = "64")]
pub use pmu::arch::x86::Detected as Family;
#[cfg(target_pointer_width = "32")]
pub use pmu::arch::x86::Detected32 as Family;

/// The driver of the presented processor's unit, whatever the family.
pub type Driver = Family<Hardware<OneCpu>, Line>;

/// The driver of Intel's or AMD's unit.
pub type Modern = pmu::arch::x86::Modern<Hardware<OneCpu>, Line>;

/// The driver, if it is one of those.
pub fn modern(driver: &Driver) -> Option<&Modern> {
    #[cfg(target_pointer_width = "32")]
    let Driver::Later(driver) = driver else { return None };
    match driver {
        Detected::Modern(driver) => Some(driver),
        _ => None,
    }
}

/// A unit with room for so many samples.
pub type Unit<const SAMPLES: usize> = pmu::Unit<Driver, SAMPLES>;

/// The unit of the harness's sentences, and one with less room.
pub static SHARED: Fresh<Unit<{ harness::ROOM }>> = Fresh::new(Unit::new(), Unit::new());
pub static SMALL: Fresh<Unit<{ harness::LITTLE_ROOM }>> = Fresh::new(Unit::new(), Unit::new());

/// Finds the unit, by real instructions.
///
/// # Errors
/// Those of [`Detected::detect`].
pub fn detect() -> Result<Driver> {
    detect_on(Apic::xapic(line(), Lvtpc::NMI))
}

/// Finds the unit, whose overflows come through this line.
///
/// # Errors
/// Those of [`Detected::detect`].
pub fn detect_on(line: Line) -> Result<Driver> {
    Driver::detect(&Cpuid, hardware(), line)
}

/// Claims a test's unit, of which there is no doubt.
pub fn claim<const SAMPLES: usize>(unit: &Unit<SAMPLES>) -> Pmu<'_, Driver> {
    let driver = detect().expect("the presented processor has a unit");
    unit.claim(driver).expect("nobody has it yet")
}

/// This CPU's, of a table with a unit for each.
pub fn here<const SAMPLES: usize>(units: &'static [Unit<SAMPLES>; CPUS]) -> &'static Unit<SAMPLES> {
    &units[OneCpu.cpu().0 as usize % CPUS]
}

/// The unit's registers.
pub fn hardware() -> Hardware<OneCpu> {
    // SAFETY: the guest runs in ring 0 and has one driver at a time; every guest has an NMI handler.
    unsafe { Hardware::claim(OneCpu) }
}

/// The xAPIC's entry.
pub fn line() -> MappedLine {
    // SAFETY: it is LVTPC, which the boot code maps for ever; QEMU's memory of registers is never cached.
    unsafe { MappedLine::claim(lvt::COUNTERS) }
}

/// What a trap's frame says about what it interrupted.
pub fn interrupted(frame: &Frame) -> Interrupted {
    let mode = if frame.cs & 3 == 0 { Mode::Kernel } else { Mode::User };
    Interrupted::new(frame.ip as u64, mode)
}
