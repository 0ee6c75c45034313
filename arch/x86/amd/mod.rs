//! AMD's core performance counters: Athlon (K7), K8, family 10h and its kin, family 15h, Zen 1 to 5.

mod facts;
mod registers;

pub use facts::{Facts, Generation};
pub use registers::{Select, Status};
