//! The embedded cores' unit, with registers of its own space: e300, e500 and e500mc.

mod before;
mod driver;
mod encode;
pub mod events;
mod facts;
mod program;
mod registers;
mod state;

pub use driver::Embedded;
pub use encode::Demand;
pub use facts::{Core, Facts};
pub use program::Image;
pub use registers::{Global, Local, Threshold};
