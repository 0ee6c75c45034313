//! The driver of the unit that a supervisor has from its firmware, over the instructions.

use super::Firmware;
use crate::arch::riscv::hpm::Announced;
use crate::arch::riscv::hpm::sbi::{Line, Sbi};
use crate::contract::Kernel;
use crate::event::Result;

/// The driver of this hart's unit, in a kernel that runs in supervisor mode under a firmware. A kernel in machine mode names
/// [`Hpm`](crate::arch::riscv::hpm::Hpm): no register says which mode it is.
pub type Driver<K> = Sbi<Firmware<K>>;

/// Asks the firmware for this hart's unit, and creates its driver. `announced` is what the device tree or ACPI says of the
/// processor.
///
/// Overflows come by the local interrupt. For the firmware's software event, or for the processor's own events by code, call
/// [`Sbi::detect`].
///
/// # Errors
/// Those of [`Sbi::detect`]. The unit is not changed.
///
/// # Safety
/// Wherever the driver, or a copy of its registers, is used:
/// - the hart is in supervisor mode, under a firmware that answers calls of the SBI and lets the supervisor read the counters
///   that it describes;
/// - nobody else programs this hart's unit;
/// - the interrupt has a handler that may run between any two instructions while it is unmasked, and that returns with every
///   register as it was.
pub unsafe fn detect<K: Kernel>(kernel: K, announced: &Announced) -> Result<Driver<K>> {
    // SAFETY: the caller's promise.
    Sbi::detect(unsafe { Firmware::claim(kernel) }, announced, Line::Local, &[])
}
