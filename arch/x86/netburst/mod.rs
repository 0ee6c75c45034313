//! The Pentium 4 family: Willamette, Northwood, Prescott, and the Xeons of the time (family 15, NetBurst).
//!
//! A counter's number is that of the hardware, by which RDPMC reads it, in both [views](View) of the unit. OProfile
//! numbers the counters of the independent bank otherwise ([`bank_number`]).
//!
//! # Errata
//!
//! The first write may not reach a counter (erratum N15 of the Pentium 4), so the driver writes it twice.
//!
//! A counter that is stopped in the very clock in which its low 32 bits carry into the upper eight may lose the carry, and
//! then reads 2^32 too little ("Intel Xeon Processor MP Specification Update", erratum O9). Nothing is done about that: the
//! erratum is told of in that document alone, of no other processor of the family, and was not seen. A counter comes to a
//! carry once in 2^32 events, or at its overflow; the stop would have to meet that clock. A count that goes back by 2^32
//! from one reading to the next has met it.

mod capabilities;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod fields;
mod identity;
mod place;
mod program;
mod registers;
mod replay;
mod saved;
mod share;
mod state;

pub use capabilities::Capabilities;
pub use catalogue::Catalogues;
pub use device::Device;
pub use driver::Netburst;
pub use encode::LEAST_IN_KERNEL;
pub use fields::fields;
pub use identity::Identity;
pub use place::{Occupancy, Program};
pub use program::Image;
pub use registers::{
    BANK, COUNTERS, Cccr, Escr, EscrId, HALVES, Half, Misc, PebsEnable, cccr_msr, counter_msr, escr_of, half_of,
};
pub use saved::Saved;
pub use share::{Share, View, bank_number};
