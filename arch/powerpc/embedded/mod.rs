//! The embedded cores' unit, with registers of its own space: e300, e500 and e500mc.

mod facts;
mod registers;

pub use facts::{Core, Facts};
pub use registers::{Global, Local, Threshold};
