//! Intel's architectural performance monitoring, versions 1 to 6.

mod auxiliary;
mod facts;
mod registers;

pub use auxiliary::{Auxiliary, Beside};
pub use facts::{Architectural, Facts};
pub use registers::{Capabilities, FixedControl, GlobalStatus, Select};
