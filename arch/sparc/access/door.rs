//! The driver of whichever unit this processor has, over the instructions.

use super::Hardware;
use crate::arch::sparc::Detected;
use crate::contract::Kernel;
use crate::event::Result;

/// The driver of this processor's unit.
pub type Driver<K> = Detected<Hardware<K>>;

/// Detects this processor's unit by its version register, and creates its driver.
///
/// A kernel above a hypervisor (UltraSPARC T1 to SPARC T3) cannot read that register, and knows its processor's name: it uses
/// [`Niagara::detect`](crate::arch::sparc::niagara::Niagara::detect).
///
/// # Errors
/// Those of [`Detected::detect`]. The unit is not changed.
///
/// # Safety
/// - The version register can be read: no hypervisor is above the kernel.
///
/// Wherever the driver, or a copy of its registers, is used:
/// - the processor is in privileged or hyperprivileged state;
/// - nobody else programs this CPU's unit;
/// - trap 4FH has a handler that may run between any two instructions while PSTATE.IE is set and PIL is below 15, that
///   clears bit 15 of SOFTINT before it calls this crate, and that returns with every register as it was.
pub unsafe fn detect<K: Kernel>(kernel: K) -> Result<Driver<K>> {
    // SAFETY: the caller's promise.
    let hardware = unsafe { Hardware::claim(kernel) };
    Detected::detect(hardware.version(), hardware)
}
