//! The classic 32-bit processors' unit: 604, 604e, 750, 7400 and 745x.

mod before;
mod driver;
mod encode;
pub mod events;
mod facts;
mod need;
mod program;
mod registers;
pub mod spr;
mod state;

pub use driver::Classic;
pub use encode::Demand;
pub use facts::{Facts, Model};
pub use program::Image;
pub use registers::{Control, Extension, Place, SelectField, Selects};
