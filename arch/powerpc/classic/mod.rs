//! The classic 32-bit processors' unit: 604, 604e, 750, 7400 and 745x.
//!
//! # Codes of events
//!
//! The same selector is another event on another counter, so that an event's code contains both: the
//! selector in bits 0 to 6, and in bits 8 to 10 the number of the counter, PMC1 to PMC6. If that
//! is 0 the event is one of the few that are the same on several counters. The auxiliary value is the threshold
//! that must be exceeded: THRESHOLD in bits 0 to 5, and in bit 8, on the 7400 and 745x,
//! whether its unit is 32 cycles instead of 2.
//!
//! TBL bit transitions (3) watch bit 31 of the lower time base: TBSEL stays 0.

mod capabilities;
mod catalogue;
mod device;
mod driver;
mod encode;
mod events;
mod fields;
mod identity;
mod need;
mod program;
mod registers;
mod saved;
mod spr;
mod state;

pub use capabilities::{Capabilities, Model};
pub use device::Device;
pub use driver::Classic;
pub(super) use driver::counter_register;
pub use identity::Identity;
pub use registers::{Mmcr0, Mmcr2};
use registers::{SelectField, SelectRegister};
