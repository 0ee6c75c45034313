//! What does a processor promise? Its registers, which a driver programs whoever is at their other end. And what a kernel?
//! To say which CPU runs.

mod kernel;
mod occupancy;
mod registers;
mod slot;
mod steps;

pub use kernel::{Kernel, Masked, OneCpu, WithKernel};
pub use occupancy::Occupancy;
pub use registers::{Access, Recorder, Registers, Shortcut};
pub use slot::Slot;
pub use steps::Steps;
