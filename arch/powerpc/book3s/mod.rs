//! Book3S 64: the unit of the PowerPC 970 and of POWER4 to POWER10.

pub mod device;
mod facts;
mod identity;
mod registers;
pub mod spr;

pub use device::Device;
pub use facts::{Facts, Generation, Privilege};
pub use identity::Identity;
pub use registers::{Control, Freeze, Sampled};
