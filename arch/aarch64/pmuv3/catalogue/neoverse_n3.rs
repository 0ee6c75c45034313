//! The events of Neoverse N3 by name, in addition to those that the larger Armv9.2 cores have in common.
//!
//! Source: ARM-software/data, pmu/neoverse-n3.json (Apache-2.0): names and numbers.

use super::{LATE_9_2, event};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; LATE_9_2.len() + OWN.len()] = merged(&LATE_9_2, OWN);

const OWN: &[NamedEvent] = &[
    event("BR_IMMED_TAKEN_RETIRED", 0x8108),
    event("CAS_FAR_SPEC", 0x8173),
    event("CAS_NEAR_PASS", 0x8171),
    event("CAS_NEAR_SPEC", 0x8172),
    event("CTI_TRIGOUT4", 0x4018),
    event("CTI_TRIGOUT5", 0x4019),
    event("CTI_TRIGOUT6", 0x401A),
    event("CTI_TRIGOUT7", 0x401B),
    event("L1D_CACHE_HWPRF", 0x8154),
    event("L1D_CACHE_REFILL_HWPRF", 0x81BC),
    event("L2D_CACHE_ALLOCATE", 0x0020),
    event("L2D_CACHE_PRF", 0x8285),
    event("L2D_CACHE_REFILL_PRF", 0x828D),
    event("L2I_CACHE", 0x0027),
    event("L2I_CACHE_LMISS", 0x400A),
    event("L2I_CACHE_RD", 0x8149),
    event("L2I_CACHE_REFILL", 0x0028),
    event("L3D_CACHE", 0x002B),
    event("L3D_CACHE_ALLOCATE", 0x0029),
    event("L3D_CACHE_LMISS_RD", 0x400B),
    event("L3D_CACHE_MISS", 0x8152),
    event("L3D_CACHE_RD", 0x00A0),
    event("L3D_CACHE_REFILL", 0x002A),
    event("LL_CACHE", 0x0032),
    event("LL_CACHE_MISS", 0x0033),
    event("LL_CACHE_REFILL", 0x829A),
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
