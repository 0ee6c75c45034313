//! Arm's PMUv3, in the version that the ID registers announce: PMUv3 to PMUv3p9.
//!
//! # Limits
//!
//! On a core that runs several threads the cycle counter may count the core's cycles, not the thread's.
//! [`Event::CYCLES`](crate::Event::CYCLES) may be placed on it. The code 11H (CPU_CYCLES) is counted by an event counter.
//!
//! # Codes of events
//!
//! An event's code ([`Event::raw`](crate::Event::raw)) is its number in the manual, evtCount of PMEVTYPER`n`_EL0: ten
//! bits, 16 from PMUv3p1 on. Every event counter can count every event of the processor. The generic event for
//! cycles can also be placed on the cycle counter, and the one for instructions on the instruction counter, if
//! there is one. The manual recommends, but does not require, that CPU_CYCLES on an event counter agrees with the
//! cycle counter (D13.2.2). On a core with several threads they may differ.
//!
//! The processor announces which of the common events 0 to 3FH and 4000H to 403FH it counts. One that is not
//! announced is refused, because it would count nothing (D24.5.12, evtCount). Other events are not
//! announced, and their codes are not checked.

mod capabilities;
mod catalogue;
mod counter;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod handle;
mod identity;
mod kind;
mod loading;
mod program;
mod registers;
mod saved;
mod share;
mod state;
mod user;
mod widths;

pub use capabilities::{Capabilities, Privilege};
pub use device::Device;
pub use driver::Pmuv3;
pub use identity::Identity;
use registers::UserEnable;
pub use registers::{Announced, HypervisorControl, Machine, Pmcr, Select};
use registers::{CYCLE_COUNTER, INSTRUCTION_COUNTER};
pub use share::Share;
