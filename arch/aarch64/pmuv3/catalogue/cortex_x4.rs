//! The events of Cortex-X4 by name, in addition to those that Neoverse V3 also has.
//!
//! Source: ARM-software/data, pmu/cortex-x4.json (Apache-2.0): names and numbers.

use super::{LARGE_9_2, event};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; LARGE_9_2.len() + OWN.len()] = merged(&LARGE_9_2, OWN);

const OWN: &[NamedEvent] = &[
    event("CTI_TRIGOUT4", 0x4018),
    event("CTI_TRIGOUT5", 0x4019),
    event("CTI_TRIGOUT6", 0x401A),
    event("CTI_TRIGOUT7", 0x401B),
    event("L2D_CACHE_ALLOCATE", 0x0020),
    event("L3D_CACHE", 0x002B),
    event("L3D_CACHE_ALLOCATE", 0x0029),
    event("L3D_CACHE_LMISS_RD", 0x400B),
    event("L3D_CACHE_MISS", 0x8152),
    event("L3D_CACHE_PRFM", 0x8151),
    event("L3D_CACHE_RD", 0x00A0),
    event("L3D_CACHE_REFILL", 0x002A),
    event("L3D_CACHE_REFILL_PRFM", 0x8153),
    event("L3D_CACHE_RW", 0x8150),
    event("PMU_HOVFS", 0x400F),
    event("PMU_OVFS", 0x400D),
    event("TRB_TRIG", 0x400E),
    event("TRB_WRAP", 0x400C),
    event("TRCEXTOUT0", 0x4010),
    event("TRCEXTOUT1", 0x4011),
    event("TRCEXTOUT2", 0x4012),
    event("TRCEXTOUT3", 0x4013),
];
