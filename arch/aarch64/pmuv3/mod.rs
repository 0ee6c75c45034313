//! Arm's PMUv3, in the version that the ID registers announce: PMUv3 to PMUv3p9.
//!
//! # Limits
//!
//! On a core that runs several threads the cycle counter may count the core's cycles, not the thread's.
//! [`Event::CYCLES`](crate::Event::CYCLES) may be placed on it. The code [`events::CYCLES`] is counted by an event counter.

mod capabilities;
mod catalogue;
mod counter;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod fields;
mod handle;
mod identity;
mod kind;
mod loading;
mod program;
mod registers;
mod saved;
mod share;
mod state;
mod user;
mod widths;

pub use capabilities::{Capabilities, Level};
pub use catalogue::Catalogues;
pub use device::Device;
pub use driver::{INTERRUPT, LATE, Pmuv3};
pub use encode::{Demand, LEAST_IN_KERNEL, LEAST_IN_USER, LEAST_OF_OTHERS_IN_KERNEL};
pub use fields::fields;
pub use handle::Handle;
pub use identity::Identity;
pub use program::Image;
pub use registers::{
    Announced, CYCLE_COUNTER, Comparison, Control, HypervisorControl, INSTRUCTION_COUNTER, Machine, Select, UserEnable,
};
pub use saved::Saved;
pub use share::Share;
