//! What the SPARC V9 families share: the two registers of a unit, the halves of %pic, and the processor's version.

mod asr;
mod half;
mod kept;
pub mod niagara;
pub mod ultrasparc;
mod ver;

pub use asr::Asr;
pub use half::Half;
pub use ver::Ver;
