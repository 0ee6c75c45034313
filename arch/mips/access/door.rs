//! The driver of the unit that this processor has, over the instructions.

use super::Hardware;
use crate::arch::mips::mipsxx::Mipsxx;
use crate::contract::Kernel;
use crate::event::Result;

/// The driver of this processor's unit.
pub type Driver<K> = Mipsxx<Hardware<K>>;

/// Detects this processor's unit by PRId and Config1, and creates its driver.
///
/// A kernel that uses both VPEs of a multithreaded core names its own: [`Mipsxx::detect_with_vpe`].
///
/// # Errors
/// Those of [`Mipsxx::detect`]. The unit is not changed.
///
/// # Safety
/// Wherever the driver, or a copy of its registers, is used:
/// - the processor is in kernel mode, or at least may use coprocessor 0 (Status\[CU0\]), or a hypervisor carries out its
///   instructions;
/// - nobody else programs this CPU's unit;
/// - the unit's interrupt has a handler that may run between any two instructions while it is unmasked, and that returns
///   with every register as it was, Status among them.
pub unsafe fn detect<K: Kernel>(kernel: K) -> Result<Driver<K>> {
    // SAFETY: the caller's promise.
    Mipsxx::detect(unsafe { Hardware::claim(kernel) })
}
