//! The two counters of the Pentium, with and without MMX (P54C, P55C and their relatives).
//!
//! # What they cannot do
//!
//! There is no overflow interrupt: a request with a period is refused
//! ([`Refusal::NoInterrupt`](crate::Refusal::NoInterrupt)), and [`Timer`](crate::Timer) samples by the kernel's tick.
//! Counts are exact.
//!
//! A counter has 40 bits, and nothing announces that it wraps. A count goes on beyond 40 bits if its counter is looked at
//! at least once in 2^39 events: any of a stop, a switch of its thread, a sleep, and a call of
//! [`Unit::on_overflow`](crate::Unit::on_overflow) folds the wrap into the count. The fastest events come twice a clock:
//! 2^39 of them take a quarter of an hour at 300 MHz, and 2^39 of an event that comes once a clock half an hour. A kernel
//! that counts for longer without a stop calls `on_overflow` from its tick, once a minute say. A reading alone folds
//! nothing, and a count whose counter was left alone for longer may lack 2^40 events.
//!
//! # Two counters, one register
//!
//! Both events are in one register (CESR), which every start and stop writes whole. The Pentium without MMX has no RDPMC:
//! there the driver reads counters by RDMSR, and user programs cannot read them. The clock is the time-stamp counter.

mod capabilities;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod fields;
mod identity;
mod program;
mod registers;
mod saved;
mod state;

pub use capabilities::Capabilities;
pub use catalogue::Catalogues;
pub use device::Device;
pub use driver::P5;
pub use fields::fields;
pub use identity::Identity;
pub use program::Image;
pub use registers::{Control, Select};
pub use saved::Saved;
