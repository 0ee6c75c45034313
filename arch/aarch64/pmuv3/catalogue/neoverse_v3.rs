//! The events of Neoverse V3 and V3AE by name, in addition to those that Cortex-X4 also has.
//!
//! Source: ARM-software/data, pmu/neoverse-v3.json and neoverse-v3ae.json (Apache-2.0): names and numbers.

use super::{LARGE_9_2, event};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; LARGE_9_2.len() + OWN.len()] = merged(&LARGE_9_2, OWN);

const OWN: &[NamedEvent] = &[
    event("BR_IMMED_TAKEN_RETIRED", 0x8108),
    event("CSDB_SPEC", 0x007F),
    event("L1D_CACHE_REFILL_RD", 0x0042),
    event("L1D_CACHE_REFILL_WR", 0x0043),
    event("PC_WRITE_RETIRED", 0x000C),
    event("STALL_BACKEND_ILOCK", 0x816C),
    event("STALL_BACKEND_L2D", 0x8166),
];
