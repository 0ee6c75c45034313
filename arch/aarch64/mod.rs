//! Arm's 64-bit processors: system registers, and the performance-monitoring unit.

#[cfg(any(target_arch = "aarch64", docsrs))]
pub mod access;
mod detect;
#[cfg(any(target_arch = "aarch64", docsrs))]
pub mod entry;
mod half;
mod index;
mod mapped;
pub mod pmuv3;
mod system_register;
mod system_registers;
mod trap;

pub use detect::Detected;
pub use half::Half;
pub use index::Index;
pub use mapped::{Mapped, Offset, View};
use system_register::OF_CRN_9;
pub use system_register::SystemRegister;
pub use system_registers::SystemRegisters;
pub use trap::{Direction, Exception, TrappedAccess};
