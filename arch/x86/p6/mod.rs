//! The counters of the P6 family: Pentium Pro, Pentium II, Pentium III and Pentium M.
//!
//! There are two counters and no register for both: the selector of counter 0 has the only enable bit, which starts
//! and stops both. No CPUID bit announces them; the family and the model do. Core Solo and Core Duo (model 14) have
//! architectural performance monitoring and belong to [`intel`](super::intel).
//!
//! # Codes of events
//!
//! An event code has the layout of a selector: the event in bits 0 to 7, its unit mask in bits 8 to 15.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod identity;
mod program;
mod registers;
mod saved;
mod state;

pub use capabilities::{Capabilities, Model};
pub use device::Device;
pub use driver::P6;
pub use identity::Identity;
pub use registers::Select;
