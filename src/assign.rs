//! Which request counts where: placement, for the families to call from [`crate::Backend::place`].
//!
//! Where every request takes one counter and shares nothing, placement is a matching on masks:
//! [`match_masks`], always decided, in a few dozen instructions. Where requests take pairs of
//! counters or want their own value in a register that others use too, it is a search:
//! [`search`], which a matching keeps short, and which gives up at a stated bound.
//!
//! Both are pure and use a fixed amount of stack. Both are complete: if there is a placement they
//! find one, and if there is none they name requests that cannot be together, and no more of them
//! than that takes.
//!
//! ```
//! use pmu::assign::match_masks;
//! use pmu::{CounterSet, Slot};
//!
//! let free = CounterSet::first(2);
//! let wants = [CounterSet::first(2), CounterSet::from_bits(0b10)];
//! let mut slots = [Slot::EMPTY; 2];
//! match_masks(free, &wants, |wanted| *wanted, &mut slots)?;
//! assert_eq!(slots.map(|slot| slot.counter.number()), [0, 1]);
//! # Ok::<(), pmu::Conflict>(())
//! ```

mod demand;
mod explain;
mod matching;
mod node;
mod search;

pub use demand::{Demand, Field, Register, Takes, Way};
pub use matching::match_masks;
pub use search::{EFFORT, Placement, search};
