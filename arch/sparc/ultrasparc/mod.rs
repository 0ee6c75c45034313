//! UltraSPARC I to IV+: two counters in one register.
//!
//! | processor | selectors | idle counter | overflow |
//! |---|---|---|---|
//! | I, II, IIi, IIe | 4 bits | counts on; its value is kept by the driver | nothing interrupts |
//! | III, III+, IIIi, IIIi+, IV, IV+ | 6 bits | is parked on SW_count | interrupts at the wrap; of which counter is not said |
//!
//! Both counters count in the same modes. The overflow interrupts at level 15 (trap 4FH), through bit 15 of SOFTINT,
//! which the kernel's entry clears before it calls the handler. PSTATE.IE masks it, and the driver relies on that: it
//! masks where it must not be interrupted, since a write of %pic is a write of both counters. The device interrupts on the
//! event that wraps a counter. How many instructions later a processor takes the trap is not said in the sources, and was
//! not measured on silicon.
//!
//! A count is exact from one reading to the next, but illumos-gate (us234_pcbe.c, `us_pcbe_program`) says that the
//! counters need not begin with the value that was written, and rebases on a reading after the start. How far they may
//! differ is not said there, and was not measured on silicon.
//!
//! # Limits
//!
//! - To preset one counter (a reset, the next period) from III on, and to start or stop one on I and II, the other is halted for
//!   about a dozen instructions, whose events are not counted.
//! - I and II do not interrupt: periods are refused and a [`Timer`](crate::Timer) samples. There a count stays right if its session
//!   is stopped, or the kernel calls [`Unit::on_overflow`](crate::Unit::on_overflow) from its tick, at least every 2^31 events.
//! - From III on an idle counter is parked on SW_count: a user program that executes `sethi %hi(0xfc000), %g0` adds to it.
//!
//! # Codes of events
//!
//! Each counter has selectors of its own. Cycles (0) and instructions (1) are the same on both. Of all other events a
//! code says where it is counted: bits 8 and 9 are the counters, pic0 and pic1, and bits 0 to 5 the selector. If both
//! counters have the event, by different selectors, bits 0 to 5 are pic0's and bits 16 to 21 pic1's. A code without a
//! counter is a selector as %pcr has it: the event of the counter to which the request is pinned.
//!
//! Generic events are cycles and instructions, and of the last-level cache, with libcpc's names, references (EC_ref;
//! none on IV+, whose third level has no such event) and misses (EC_misses, on IV+ L3_miss; none before III). There
//! are no branches: those that were taken and those that were not are counted by different counters.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod identity;
mod registers;
mod state;

pub use capabilities::{Capabilities, Model};
pub use device::Device;
pub use driver::UltraSparc;
pub use identity::Identity;
pub use registers::Pcr;
