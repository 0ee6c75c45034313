//! The driver of the unit that this processor has, over the instructions.

use super::Hardware;
use crate::arch::loongarch::la64::La64;
use crate::contract::Kernel;
use crate::event::Result;

/// The driver of this processor's unit.
pub type Driver<K> = La64<Hardware<K>>;

/// Detects this processor's unit by CPUCFG, and creates its driver.
///
/// # Errors
/// Those of [`La64::detect`]. The unit is not changed.
///
/// # Safety
/// Wherever the driver, or a copy of its registers, is used:
/// - the processor is in PLV0, or a hypervisor carries out its instructions;
/// - nobody else programs this CPU's unit;
/// - the unit's interrupt has a handler that may run between any two instructions while it is unmasked, and that returns
///   with every register as it was.
pub unsafe fn detect<K: Kernel>(kernel: K) -> Result<Driver<K>> {
    // SAFETY: the caller's promise.
    La64::detect(unsafe { Hardware::claim(kernel) })
}
