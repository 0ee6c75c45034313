//! The Pentium 4 family: Willamette, Northwood, Prescott, and the Xeons of the time (family 15, NetBurst).

pub mod events;
mod registers;

pub use registers::{
    BANK, COUNTERS, Cccr, Escr, EscrId, HALVES, Half, Misc, PebsEnable, cccr_msr, counter_msr, escr_of, half_of,
};
