//! Pairs of events, the time that events cost, and statistics derived from them, as in IRIX's perfex and
//! libperfex.
//!
//! - [`Perfex`] starts and reads a pair of events of a CPU, whichever thread runs, and [`ThreadPerfex`] of one thread, as
//!   libperfex counted for a process. As in libperfex, each event must have a counter of its own. A hook replaces the environment variables that overrode the events.
//! - [`Costs`] says what one occurrence of an event costs, and turns counts into estimates of time. The processor's own
//!   are in its catalogue.
//! - [`Statistic`] is what perfex -y printed below its table: ratios, hit rates and bandwidths. If an
//!   input was not counted, the statistic says which. [`Input::native`] finds the events that count the inputs.
//!
//! The costs of different events overlap: their times MUST NOT be added.

mod cost;
mod derived;
mod input;
mod pair;
mod thread;

pub use cost::{CostError, Costs, Estimate};
pub use derived::{Inputs, Missing, Statistic};
pub use input::Input;
pub use pair::{GenerationNumber, Perfex};
pub use thread::ThreadPerfex;
