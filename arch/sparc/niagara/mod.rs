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
//!
//! # Codes of events
//!
//! On T1 a code from 0 to 7 is an event of pic0, and 100H is pic1's one event, completed instructions. From T2 on a code
//! is the group (SL) in bits 8 to 11 and the mask in bits 0 to 7, as libcpc prints it. The events of one group are added
//! up by a mask with several bits.
//!
//! Generic events are those that libcpc names (illumos-gate, usr/src/uts/sun4v/pcbe/niagara_pcbe.c and
//! niagara2_pcbe.c): instructions, and from T2 on branches. There are no cycles: Linux counts instructions in their
//! place, which are fewer. From T2 on Linux counts taken branches for mispredicted ones, and DC_miss for misses of the
//! last level. libcpc does not, and they are refused here.

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

pub use capabilities::{Capabilities, Model, Privilege};
pub use device::Device;
pub use driver::Niagara;
pub use identity::Identity;
pub use registers::Pcr;
use registers::PcrT1;
