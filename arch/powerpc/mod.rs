//! What the PowerPC families share.

pub mod classic;
pub mod embedded;
mod period;
mod pmr;

pub use period::{LATE, LEAST_IN_KERNEL, LEAST_OF_OTHERS_IN_KERNEL};
pub use pmr::Pmr;
