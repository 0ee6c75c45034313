//! Intel's architectural performance monitoring, versions 1 to 6.

mod auxiliary;
pub mod device;
mod facts;
mod identity;
mod registers;

pub use auxiliary::{Auxiliary, Beside};
pub use device::Device;
pub use facts::{Architectural, Facts};
pub use identity::Identity;
pub use registers::{Capabilities, FixedControl, GlobalStatus, Select};
