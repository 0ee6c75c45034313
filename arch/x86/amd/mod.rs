//! AMD's core performance counters: Athlon (K7), K8, family 10h and its kin, family 15h, Zen 1 to 5.

pub mod device;
mod facts;
mod identity;
mod registers;

pub use device::Device;
pub use facts::{Facts, Generation};
pub use identity::Identity;
pub use registers::{Select, Status};
