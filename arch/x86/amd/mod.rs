//! AMD's core performance counters: Athlon (K7), K8, family 10h and its kin, family 15h, Zen 1 to 5.

mod before;
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
pub use driver::Amd;
pub use encode::LEAST_IN_KERNEL;
pub use facts::{Facts, Generation};
pub use identity::Identity;
pub use program::Image;
pub use registers::{Select, Status};
