//! Intel's architectural performance monitoring, versions 1 to 6.

mod auxiliary;
mod catalogue;
pub mod device;
mod driver;
mod encode;
mod errata;
pub mod events;
mod facts;
mod identity;
mod least;
mod model;
mod nehalem;
mod program;
mod reach;
mod registers;
mod saved;
mod shared;
mod state;

pub use auxiliary::{Auxiliary, Beside};
pub use device::Device;
pub use driver::Intel;
pub use encode::{LEAST_IN_KERNEL, LEAST_OF_SLOTS_IN_KERNEL};
pub use errata::Miscount;
pub use facts::{Architectural, Facts};
pub use identity::Identity;
pub use model::{Core, Microarchitecture};
pub use program::{Image, Occupancy};
pub use registers::{Capabilities, DebugControl, FixedControl, GlobalStatus, Select};
pub use saved::Saved;
pub use shared::Program;
