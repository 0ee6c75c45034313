//! What the PowerPC families share: special-purpose registers, and the processor's version.
//!
//! # Limits
//!
//! All counters of the unit are frozen while some are programmed. The events meanwhile, some hundreds of instructions at each
//! switch of a thread with counters and each opening of a session, are not counted.

#[cfg(any(target_arch = "powerpc", target_arch = "powerpc64", docsrs))]
pub mod access;
pub mod book3s;
pub mod classic;
mod demand;
mod detect;
mod device;
pub mod embedded;
#[cfg(any(target_arch = "powerpc", target_arch = "powerpc64", docsrs))]
pub mod entry;
mod period;
mod pmr;
mod processor_state;
mod pvr;
mod spr;

use demand::Demand;
pub use detect::Detected;
pub use pmr::Pmr;
pub use processor_state::ProcessorState;
pub use pvr::Pvr;
pub use spr::Spr;
