//! Book3S 64: the unit of the PowerPC 970, of POWER4 to POWER10, and of Microwatt.
//!
//! # Codes of events
//!
//! The layout of a code depends on the processor. On POWER7 and later the selector is in bits 0 to 7, the unit in
//! bits 12 to 15 and the counter in bits 16 to 19, 0 for any. Earlier processors each have their own.
//!
//! From POWER6 on a cache reference is a demand load of data that missed the second-level cache, and therefore
//! accessed the third. A cache miss is one that missed that too. On POWER4, the 970 and POWER5, as in Linux, a cache
//! reference is a load that accesses the first-level data cache, and a cache miss one that misses it.
//!
//! Processors before POWER7 have no events for retired branches or for retired mispredicted branches. POWER4, the 970
//! and POWER5 count branches issued; POWER6 and POWER7 count branches that finish. The mispredicted ones of POWER4 and
//! POWER5 are, as in Linux, those whose direction was predicted wrongly; the preset papi_br_msp adds those whose target
//! was. The 970 counts groups of instructions that were mispredicted. `docs/tables.md` in the repository compares
//! all generic events with Linux's and PAPI's.
//!
//! POWER9 has events of the L2 and L3 caches (units 6 to 9) in banks of four, of which PMC4 selects one. While one of
//! them is counted, PMC4 can count only an event of the same bank.
//!
//! Microwatt has the events that the architecture defines, each with the counter in its code, and no event of all branches or of
//! cache references. A cache miss is a load that misses its only level.
//!
//! From POWER5+ on some events have two codes, of different counters. Each of the two codes is counted by either counter.

mod capabilities;
mod catalogue;
mod code;
mod contribution;
mod demand;
mod device;
mod driver;
mod encode;
mod errata;
mod events;
mod fields;
mod identity;
mod model;
mod needs;
mod own;
mod place;
mod program;
mod registers;
mod routes;
mod running;
mod sampled;
mod saved;
mod spr;
mod state;
mod words;

pub use capabilities::{Capabilities, Privilege};
pub use device::Device;
pub use driver::{Book3s, ProblemAccess};
pub use identity::Identity;
pub use model::Model;
pub use registers::{Freeze, Mmcr0, Sampled};
pub use sampled::{Capture, SampledInstruction};
