//! Book3S 64: the unit of the PowerPC 970 and of POWER4 to POWER10.

mod capabilities;
mod catalogue;
mod code;
mod contribution;
mod demand;
pub mod device;
mod driver;
mod encode;
mod errata;
pub mod events;
mod fields;
mod generation;
mod identity;
mod needs;
mod own;
mod place;
mod program;
mod registers;
mod running;
mod sampled;
mod saved;
pub mod spr;
mod state;
mod words;

pub use capabilities::{Capabilities, Privilege};
pub use catalogue::Catalogues;
pub use demand::Demand;
pub use device::Device;
pub use driver::{Book3s, ProblemAccess};
pub use fields::fields;
pub use generation::Generation;
pub use identity::Identity;
pub use program::{Image, Occupancy, Program};
pub use registers::{Control, Freeze, Sampled};
pub use sampled::{Capture, SampledInstruction};
pub use saved::Saved;
