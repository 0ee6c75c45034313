//! The classic 32-bit processors' unit: 604, 604e, 750, 7400 and 745x.

mod capabilities;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod fields;
mod identity;
mod need;
mod program;
mod registers;
mod saved;
pub mod spr;
mod state;

pub use capabilities::{Capabilities, Model};
pub use catalogue::Catalogues;
pub use device::Device;
pub use driver::Classic;
pub(super) use driver::counter_register;
pub use fields::fields;
pub use identity::Identity;
pub use program::{Image, Occupancy};
pub use registers::{Control, Extension, Place, SelectField, Selects};
pub use saved::Saved;
