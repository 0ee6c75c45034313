//! What the x86 families share: model-specific registers, RDPMC, the local APIC's line.

mod index;
pub mod intel;
mod msr;

pub use index::Index;
pub use msr::{Msr, Window};
