//! Book3S 64: the unit of the PowerPC 970 and of POWER4 to POWER10.

mod facts;
mod registers;
pub mod spr;

pub use facts::{Facts, Generation, Privilege};
pub use registers::{Control, Freeze, Sampled};
