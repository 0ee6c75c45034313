//! The events of Cortex-A715 by name, in addition to those of its successors.
//!
//! Source: ARM-software/data, pmu/cortex-a715.json (Apache-2.0): names and numbers.

use super::{event, late_9};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; late_9::EVENTS.len() + OWN.len()] = merged(late_9::EVENTS, OWN);

const OWN: &[NamedEvent] = &[
    event("BR_IMMED_TAKEN_RETIRED", 0x8108),
    event("CTI_TRIGOUT4", 0x4018),
    event("CTI_TRIGOUT5", 0x4019),
    event("CTI_TRIGOUT6", 0x401A),
    event("CTI_TRIGOUT7", 0x401B),
    event("L2D_CACHE_ALLOCATE", 0x0020),
    event("L3D_CACHE", 0x002B),
    event("L3D_CACHE_ALLOCATE", 0x0029),
    event("L3D_CACHE_LMISS_RD", 0x400B),
    event("L3D_CACHE_RD", 0x00A0),
    event("L3D_CACHE_REFILL", 0x002A),
    event("PC_WRITE_RETIRED", 0x000C),
    event("PMU_HOVFS", 0x400F),
    event("PMU_OVFS", 0x400D),
    event("TRB_TRIG", 0x400E),
    event("TRB_WRAP", 0x400C),
    event("TRCEXTOUT0", 0x4010),
    event("TRCEXTOUT1", 0x4011),
    event("TRCEXTOUT2", 0x4012),
    event("TRCEXTOUT3", 0x4013),
];
