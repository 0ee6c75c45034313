//! The Pentium 4 family: Willamette, Northwood, Prescott, and the Xeons of the time (family 15, NetBurst).
//!
//! A counter's number is that of the hardware, by which RDPMC reads it, in both [views](View) of the unit. OProfile
//! numbers the counters of the independent bank otherwise ([`bank_number`]).

mod capabilities;
pub mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod identity;
mod place;
mod program;
mod registers;
mod replay;
mod saved;
mod share;
mod state;

pub use capabilities::Capabilities;
pub use device::Device;
pub use driver::Netburst;
pub use encode::LEAST_IN_KERNEL;
pub use identity::Identity;
pub use place::{Occupancy, Program};
pub use program::Image;
pub use registers::{
    BANK, COUNTERS, Cccr, Escr, EscrId, HALVES, Half, Misc, PebsEnable, cccr_msr, counter_msr, escr_of, half_of,
};
pub use saved::Saved;
pub use share::{Share, View, bank_number};
