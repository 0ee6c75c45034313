//! What the PowerPC families share.

pub mod classic;
pub mod embedded;
mod pmr;

pub use pmr::Pmr;
