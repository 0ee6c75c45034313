//! The events of Cortex-A53 by name, except those that its list only describes.
//!
//! Source: ARM-software/data, pmu/cortex-a53.json (Apache-2.0): names and numbers.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("BR_IMMED_RETIRED", 0x000D),
    event("BR_INDIRECT_SPEC", 0x007A),
    event("BR_MIS_PRED", 0x0010),
    event("BR_PRED", 0x0012),
    event("BR_RETURN_RETIRED", 0x000E),
    event("BUS_ACCESS", 0x0019),
    event("BUS_ACCESS_RD", 0x0060),
    event("BUS_ACCESS_WR", 0x0061),
    event("BUS_CYCLES", 0x001D),
    event("CID_WRITE_RETIRED", 0x000B),
    event("CPU_CYCLES", 0x0011),
    event("EXC_FIQ", 0x0087),
    event("EXC_IRQ", 0x0086),
    event("EXC_RETURN", 0x000A),
    event("EXC_TAKEN", 0x0009),
    event("INST_RETIRED", 0x0008),
    event("L1D_CACHE", 0x0004),
    event("L1D_CACHE_REFILL", 0x0003),
    event("L1D_CACHE_WB", 0x0015),
    event("L1D_TLB_REFILL", 0x0005),
    event("L1I_CACHE", 0x0014),
    event("L1I_CACHE_REFILL", 0x0001),
    event("L1I_TLB_REFILL", 0x0002),
    event("L2D_CACHE", 0x0016),
    event("L2D_CACHE_REFILL", 0x0017),
    event("L2D_CACHE_WB", 0x0018),
    event("LD_RETIRED", 0x0006),
    event("MEM_ACCESS", 0x0013),
    event("MEMORY_ERROR", 0x001A),
    event("PC_WRITE_RETIRED", 0x000C),
    event("ST_RETIRED", 0x0007),
    event("SW_INCR", 0x0000),
    event("UNALIGNED_LDST_RETIRED", 0x000F),
];
