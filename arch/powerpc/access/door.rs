//! The driver of whichever unit this processor has, over the instructions.

#[cfg(target_pointer_width = "32")]
use super::Embedded;
use super::Hardware;
#[cfg(target_pointer_width = "64")]
use super::detected::Detected;
#[cfg(target_pointer_width = "32")]
use crate::arch::powerpc::Detected;
#[cfg(target_pointer_width = "64")]
use crate::arch::powerpc::book3s::Privilege;
use crate::contract::Kernel;
use crate::event::Result;

/// The driver of this processor's unit.
#[cfg(target_pointer_width = "64")]
pub type Driver<K> = Detected<Hardware<K>>;

/// The driver of this processor's unit: 604 to 7448, or that of an embedded core.
#[cfg(target_pointer_width = "32")]
pub type Driver<K> = Detected<Hardware<K>, Embedded<K>>;

/// Detects this processor's unit by its version register, and creates its driver. With 64 bits the machine state register
/// says whether the kernel is its own hypervisor.
///
/// # Errors
/// [`NoUnit`](crate::Error::NoUnit), [`UnknownProcessor`](crate::Error::UnknownProcessor) or
/// [`Swallowed`](crate::Error::Swallowed). The unit is not changed.
///
/// # Safety
/// Wherever the driver, or a copy of its registers, is used:
/// - the processor is in supervisor or hypervisor state;
/// - nobody else programs this CPU's unit, and a hypervisor above the kernel permits its use (HFSCR\[PM\]);
/// - this crate's code stays at its addresses while there is a session or a context, which keeps the addresses of the
///   instructions that read its counters;
/// - the performance monitor's exception (F00H, or where IVOR35 says) has a handler that may run between any two
///   instructions while MSR\[EE\] is set, and that returns with every register as it was.
pub unsafe fn detect<K: Kernel>(kernel: K) -> Result<Driver<K>> {
    // SAFETY: the caller's promise.
    let hardware = unsafe { Hardware::claim(kernel) };
    let version = hardware.version();
    #[cfg(target_pointer_width = "64")]
    return Detected::detect(version, Privilege::of_machine_state(hardware.machine_state()), hardware);
    // SAFETY: the caller's promise.
    #[cfg(target_pointer_width = "32")]
    return Detected::detect(version, hardware, unsafe { Embedded::claim(kernel) });
}
