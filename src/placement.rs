//! Which request counts where: placement, for the families to call from [`crate::driver::Plan::place`].
//!
//! Where every request takes one counter and shares nothing, placement is a matching on masks: [`match_masks`]. Where
//! requests have alternatives, take pairs of counters or want their own value in a register that others use too, it is
//! a search: [`solve`]. Both work on plain masks, so there is one copy of them for all drivers.
//!
//! Both are pure and use a fixed amount of stack. Both find a placement if there is one and the [steps](crate::driver::Steps)
//! suffice, and otherwise name requests that cannot be together.
//!
//! ```
//! use pmu::driver::placement::match_masks;
//! use pmu::CounterSet;
//! use pmu::driver::{Slot, Steps};
//!
//! let wanted = [0b11, 0b10];
//! let mut slots = wanted.map(|bits| Slot { bits, ..Slot::EMPTY });
//! match_masks(CounterSet::first(2), Steps::OPEN, &mut slots)?;
//! assert_eq!(slots.map(|slot| slot.counter.number()), [0, 1]);
//! # Ok::<(), pmu::request::Conflict>(())
//! ```

mod bits;
mod budget;
mod constraints;
mod explain;
mod failure;
mod matching;
mod memo;
mod register;
mod search;
mod solve;
mod table;

#[cfg(test)]
pub(crate) use budget::SPENT;
pub use constraints::{Choice, Constraints, Ignored};
pub(crate) use explain::explain;
pub use matching::match_masks;
pub use register::{Register, Takes};
pub use solve::{solve, solve_sparing};
