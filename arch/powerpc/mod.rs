//! What the PowerPC families share: special-purpose registers, and the processor's version.

#[cfg(target_arch = "powerpc64")]
pub mod access;
#[cfg(target_arch = "powerpc")]
pub mod access;
pub mod book3s;
pub mod classic;
mod demand;
mod detect;
mod device;
pub mod embedded;
#[cfg(target_arch = "powerpc64")]
pub mod entry;
#[cfg(target_arch = "powerpc")]
pub mod entry;
mod period;
mod pmr;
mod pvr;
mod spr;

pub use demand::Demand;
pub use detect::{Detected, detect};
pub use period::{LATE, LEAST_IN_KERNEL, LEAST_IN_USER, LEAST_OF_OTHERS_IN_KERNEL};
pub use pmr::Pmr;
pub use pvr::Pvr;
pub use spr::Spr;
