//! What the SPARC V9 families share: the two registers of a unit, the halves of %pic, the placement of requests, and the
//! processor's version.
//!
//! `access` needs a nightly compiler, because Rust's inline assembly for SPARC is not stable: it is there with the feature
//! `nightly`. Everything else is stable.

#[cfg(any(all(target_arch = "sparc64", feature = "nightly"), docsrs))]
pub mod access;
mod asr;
mod detect;
mod half;
mod kept;
pub mod niagara;
mod program;
mod saved;
pub mod ultrasparc;
mod ver;

pub use asr::Asr;
pub use detect::Detected;
pub use half::Half;
pub use ver::Ver;
