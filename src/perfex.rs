//! Two events at a time, what they cost, and what they say together: after IRIX's perfex and
//! libperfex.
//!
//! - [`Perfex`] starts and reads a pair of events, with libperfex's rule that each must have a
//!   counter of its own, and a hook in place of the environment variables that overrode them.
//! - [`Costs`] says what one occurrence of an event costs, so that counts become estimates of time.
//! - [`Statistic`] is what perfex -y printed below its table: ratios, hit rates, bandwidths. One
//!   whose inputs were not counted says which is missing.
//!
//! Costs of different events overlap: their times MUST NOT be added.

mod cost;
mod derived;
mod pair;

pub use cost::{Cost, CostError, Costs, Estimate, Unit};
pub use derived::{Input, Inputs, Missing, Statistic, Value};
pub use pair::{Generation, Override, Perfex};
