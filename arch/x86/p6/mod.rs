//! The counters of the P6 family: Pentium Pro, Pentium II, Pentium III and Pentium M.
//!
//! There are two counters and no register for both: the selector of counter 0 has the only enable bit, which starts
//! and stops both. No CPUID bit announces them; the family and the model do. Core Solo and Core Duo (model 14) have
//! architectural performance monitoring and belong to [`intel`](super::intel).

mod capabilities;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod fields;
mod identity;
mod program;
mod registers;
mod saved;
mod state;

pub use capabilities::{Capabilities, Model};
pub use catalogue::Catalogues;
pub use device::Device;
pub use driver::P6;
pub use encode::LEAST_IN_KERNEL;
pub use fields::fields;
pub use identity::Identity;
pub use program::Image;
pub use registers::Select;
pub use saved::Saved;
