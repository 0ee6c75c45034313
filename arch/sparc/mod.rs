//! What the SPARC V9 families share: the two registers of a unit, and the halves of %pic.

mod asr;
mod half;
pub mod niagara;

pub use asr::Asr;
pub use half::Half;
