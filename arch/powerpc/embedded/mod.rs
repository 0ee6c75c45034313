//! The embedded cores' unit, with registers of its own space: e300, e500 and e500mc.

mod before;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod facts;
mod identity;
mod program;
mod registers;
mod state;

pub use device::Device;
pub use driver::Embedded;
pub use facts::{Core, Facts};
pub use identity::Identity;
pub use program::Image;
pub use registers::{Global, Local, Threshold};
