//! What does a processor promise? Its registers, which a driver programs whoever is at their other end; and its driver, in
//! three traits. And what a kernel? To say which CPU runs.

mod description;
mod driver;
mod kernel;
mod kind;
mod late;
mod occupancy;
mod registers;
mod slot;
mod steps;

pub use description::{Description, Lending, Overflow};
pub use driver::{Control, Counter, Counters, Driver, Image, Plan, counters_for};
pub use kernel::{Kernel, Masked, OneCpu, WithKernel};
pub use kind::Kind;
pub use late::Late;
pub use occupancy::Occupancy;
pub use registers::{Access, Recorder, Registers};
pub use slot::Slot;
pub use steps::Steps;
