//! The family whose driver and device an image has: one of 64 bits, or one of 32.
//!
//! Each file says the same of its own: which processors there are, how the driver finds its unit, which
//! registers that has, and what its counters can count here.

#[cfg(target_pointer_width = "64")]
mod book3s;
#[cfg(target_pointer_width = "32")]
mod narrow;

#[cfg(target_pointer_width = "64")]
pub use book3s::*;
#[cfg(target_pointer_width = "32")]
pub use narrow::*;

use pmu::Result;
use pmu::arch::powerpc::access::Hardware;

use crate::masking::Here;

/// Finds the unit, by real instructions.
///
/// # Errors
/// Those of the driver's own `detect`.
pub fn detect() -> Result<Driver> {
    detect_as(hardware().version())
}

/// The unit's registers.
pub fn hardware() -> Hardware<Here> {
    // SAFETY: the guest's kernel has one driver at a time, and a handler for its exception; above the
    // host, what it may not do by itself is carried out for it.
    unsafe { Hardware::claim(Here) }
}
