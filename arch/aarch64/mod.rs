//! Arm's 64-bit processors: system registers, and the unit that they reach.

mod index;
pub mod pmuv3;
mod system_register;
mod trap;

pub use index::Index;
pub use system_register::SystemRegister;
pub use trap::{Access, Direction};
