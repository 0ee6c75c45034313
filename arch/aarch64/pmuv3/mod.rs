//! Arm's PMUv3, as far as the ID registers announce it: PMUv3 to PMUv3p9.

mod facts;
mod registers;

pub use facts::{Facts, Level};
pub use registers::{
    Announced, CYCLE_COUNTER, Comparison, Control, HypervisorControl, INSTRUCTION_COUNTER, Machine, Select, UserEnable,
};
