//! The classic 32-bit processors' unit: 604, 604e, 750, 7400 and 745x.

mod facts;
mod registers;
pub mod spr;

pub use facts::{Facts, Model};
pub use registers::{Control, Extension, Place, SelectField, Selects};
