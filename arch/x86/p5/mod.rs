//! The two counters of the Pentium, with and without MMX (P54C, P55C and their relatives).
//!
//! # What they cannot do
//!
//! There is no overflow interrupt: a request with a period is refused
//! ([`Refusal::NoInterrupt`](crate::request::Refusal::NoInterrupt)), and [`Timer`](crate::Timer) samples by the kernel's tick.
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
//!
//! # Codes of events
//!
//! An event code has the layout of a counter's half of CESR: the event in bits 0 to 5, and bit 8 counts the clocks for
//! which the event lasts in place of the events. The catalogue has that bit as the unit mask `clocks`.
//!
//! With MMX the events from 2AH on are two each, one of counter 0 and another of counter 1. A code names its counter: those
//! of counter 1 have bit 16 too, as its half of CESR begins there. 2BH is counter 0's, and 1002BH counter 1's.
//!
//! The Pentium without MMX counts no cycles; its time-stamp counter does. With MMX event 30H counts them, on counter 0. A
//! cache reference here is one to the first-level data cache, the only one of which these counters know.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod identity;
mod program;
mod registers;
mod saved;
mod state;

pub use capabilities::Capabilities;
pub use device::Device;
pub use driver::P5;
pub use identity::Identity;
pub use registers::{Cesr, Select};
