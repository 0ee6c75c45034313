//! UltraSPARC T1, T2, T2+ and SPARC T3: two counters in one register.
//!
//! | processor | pic0 | pic1 | overflow |
//! |---|---|---|---|
//! | T1 | one of eight events | instructions | at the wrap to 0 |
//! | T2, T2+, T3 | any event with its masks | any event with its masks | up to 15 events before the wrap |
//!
//! Both counters count in the same modes. The overflow interrupts at level 15 (trap 4FH), through bit 15 of SOFTINT,
//! which the kernel's entry clears before it calls the handler. PSTATE.IE masks it, and the driver relies on that: it
//! masks where it must not be interrupted, since a write of %pic is a write of both counters.
//!
//! # Limits
//!
//! - To preset one counter (a reset, the next period) from T2 on, and to start or stop one on T1, the other is halted for about a
//!   dozen instructions, whose events are not counted.
//! - From T2 on no overflow of L2 load misses traps (erratum 108): a period of them is refused.
//! - On T1 a counter that is not used wraps unseen: every 2^32 instructions comes an interrupt that the handler answers is not its
//!   own.

mod capabilities;
mod catalogue;
pub mod device;
mod driver;
mod encode;
pub mod events;
mod fields;
mod identity;
mod registers;
mod state;

pub use capabilities::{Capabilities, Model, Privilege};
pub use catalogue::Catalogues;
pub use device::Device;
pub use driver::Niagara;
pub use encode::{LEAST_IN_KERNEL, LEAST_OF_OTHERS_IN_KERNEL};
pub use fields::fields;
pub use identity::Identity;
pub use registers::{Pcr, PcrT1};
