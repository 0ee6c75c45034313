//! Intel's architectural performance monitoring, versions 1 to 6.

mod auxiliary;
mod capabilities;
pub mod catalogue;
mod counter_kind;
pub mod device;
mod driver;
mod encode;
mod errata;
pub mod events;
mod fields;
mod identity;
mod least;
mod model;
mod nehalem;
mod presets;
mod program;
mod registers;
mod saved;
mod shared;
mod sharing;
mod state;

pub use auxiliary::{Auxiliary, Beside};
pub use capabilities::{Architectural, Capabilities};
pub use device::Device;
pub use driver::Intel;
pub use encode::{LEAST_IN_KERNEL, LEAST_OF_SLOTS_IN_KERNEL};
pub use errata::Miscount;
pub use fields::fields;
pub use identity::Identity;
pub use model::{Core, Microarchitecture};
pub use program::{Image, Occupancy};
pub use registers::{DebugControl, FixedControl, GlobalStatus, PerfCapabilities, Select};
pub use saved::Saved;
pub use shared::Program;
