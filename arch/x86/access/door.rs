//! The driver of whichever unit this processor has, over the instructions.

use super::{Cpuid, Hardware};
use crate::arch::x86::Apic;
#[cfg(target_pointer_width = "32")]
use crate::arch::x86::Detected32;
#[cfg(target_pointer_width = "64")]
use crate::arch::x86::Modern;
use crate::contract::Kernel;
use crate::event::Result;

/// The driver of this processor's unit: Intel's or AMD's. That of a Pentium 4 is named by who has one
/// ([`x86::Detected`](crate::arch::x86::Detected)).
#[cfg(target_pointer_width = "64")]
pub type Driver<K> = Modern<Hardware<K>, Apic<Hardware<K>>>;

/// The driver of this processor's unit: the Pentium's, the P6 family's, the Pentium 4's, or Intel's or AMD's since.
#[cfg(target_pointer_width = "32")]
pub type Driver<K> = Detected32<Hardware<K>, Apic<Hardware<K>>>;

/// Detects this processor's unit by CPUID, and creates its driver.
///
/// The driver has no interrupt line yet. Such a unit counts, its overflows raise nothing, and it refuses requests with a
/// period. Give the driver a line before the unit is claimed, if it is to sample, or if it counts for as long as a counter
/// takes to wrap:
///
/// ```no_run
/// use pmu::arch::x86::{Apic, Lvtpc};
/// use pmu::arch::{Driver, detect};
/// use pmu::{OneCpu, Unit};
/// use pmu::driver::Plan;
///
/// static UNIT: Unit<Driver<OneCpu>, 512> = Unit::new();
///
/// // SAFETY: ring 0, with one CPU in x2APIC mode; nobody else programs its unit or LVTPC; the NMI has its handler.
/// let driver = unsafe { detect(OneCpu) }?;
/// let line = Apic::x2apic(*driver.registers(), Lvtpc::NMI);
/// let pmu = UNIT.claim(driver.with_line(line))?;
/// # Ok::<(), pmu::Error>(())
/// ```
///
/// # Errors
/// Those of [`Modern::detect`](crate::arch::x86::Modern::detect), or on 32 bits of
/// [`Detected32::detect`](crate::arch::x86::Detected32::detect). The unit is not changed.
///
/// # Safety
/// Wherever the driver, or a copy of its registers, is used:
/// - the processor is in ring 0;
/// - nobody else programs this CPU's unit, nor its APIC's entry for counters if that is accessed through the registers
///   ([`Apic::x2apic`]), and then the APIC is in x2APIC mode;
/// - the interrupt that the entry raises, once a line was given, has a gate whose handler may run between any two
///   instructions that count, as [`Hardware::claim`] says.
pub unsafe fn detect<K: Kernel>(kernel: K) -> Result<Driver<K>> {
    // SAFETY: the caller's promise.
    let hardware = unsafe { Hardware::claim(kernel) };
    #[cfg(target_pointer_width = "64")]
    return Modern::detect(&Cpuid, hardware, Apic::absent());
    #[cfg(target_pointer_width = "32")]
    return Detected32::detect(&Cpuid, hardware, Apic::absent());
}
