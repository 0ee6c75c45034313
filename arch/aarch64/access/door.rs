//! The driver of whichever unit this processor has, over the instructions.

use super::Hardware;
use crate::arch::aarch64::Detected;
use crate::contract::Kernel;
use crate::event::Result;

/// The driver of this processor's unit.
pub type Driver<K> = Detected<Hardware<K>>;

/// Detects this processor's unit by its identification registers, and creates its driver.
///
/// # Errors
/// Those of [`Detected::detect`]. The unit is not changed.
///
/// # Safety
/// Wherever the driver, or a copy of its registers, is used:
/// - the processor is at EL1 or EL2, in AArch64 state, and the higher levels let it use the unit's registers, or emulate
///   them, as [`Hardware::claim`] says;
/// - nobody else programs this CPU's unit, nor, at EL2, the unit's bits of MDCR_EL2;
/// - the unit's overflow interrupt, if the interrupt controller enables it, has a handler that may interrupt any
///   instruction, and restores every register when it returns.
pub unsafe fn detect<K: Kernel>(kernel: K) -> Result<Driver<K>> {
    // SAFETY: the caller's promise.
    Detected::detect(unsafe { Hardware::claim(kernel) })
}
