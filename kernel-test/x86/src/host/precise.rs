//! The guest's precise sampling (PEBS), if the presented processor announces it. A kernel with registers of 32 bits has none.

#[cfg(target_pointer_width = "32")]
#[path = "precise/narrow.rs"]
mod sampled;
#[cfg(target_pointer_width = "64")]
#[path = "precise/wide.rs"]
mod sampled;

pub use sampled::Precise;
