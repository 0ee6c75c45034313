//! The events of Cortex-A76 by name, in addition to those that the larger cores have in common.
//!
//! Source: ARM-software/data, pmu/cortex-a76.json (Apache-2.0): names and numbers.

use super::{event, large};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; large::EVENTS.len() + OWN.len()] = merged(large::EVENTS, OWN);

const OWN: &[NamedEvent] = &[
    event("BR_IMMED_SPEC", 0x0078),
    event("BR_MIS_PRED_RETIRED", 0x0022),
    event("BR_RETURN_SPEC", 0x0079),
    event("EXC_DABORT", 0x0084),
    event("EXC_FIQ", 0x0087),
    event("EXC_IRQ", 0x0086),
    event("EXC_PABORT", 0x0083),
    event("EXC_SMC", 0x0088),
    event("EXC_SVC", 0x0082),
    event("EXC_TRAP_DABORT", 0x008C),
    event("EXC_TRAP_FIQ", 0x008F),
    event("EXC_TRAP_IRQ", 0x008E),
    event("EXC_TRAP_OTHER", 0x008D),
    event("EXC_TRAP_PABORT", 0x008B),
    event("L1D_CACHE_REFILL_INNER", 0x0044),
    event("L1D_CACHE_REFILL_OUTER", 0x0045),
    event("L1D_CACHE_REFILL_RD", 0x0042),
    event("L1D_CACHE_REFILL_WR", 0x0043),
    event("L1D_TLB_RD", 0x004E),
    event("L1D_TLB_REFILL_RD", 0x004C),
    event("L1D_TLB_REFILL_WR", 0x004D),
    event("L1D_TLB_WR", 0x004F),
    event("L2D_CACHE_REFILL_RD", 0x0052),
    event("L2D_CACHE_REFILL_WR", 0x0053),
    event("L2D_TLB_RD", 0x005E),
    event("L2D_TLB_REFILL_RD", 0x005C),
    event("L2D_TLB_REFILL_WR", 0x005D),
    event("L2D_TLB_WR", 0x005F),
    event("LDST_SPEC", 0x0072),
    event("MEMORY_ERROR", 0x001A),
    event("PC_WRITE_SPEC", 0x0076),
    event("RC_LD_SPEC", 0x0090),
    event("RC_ST_SPEC", 0x0091),
    event("REMOTE_ACCESS", 0x0031),
    event("UNALIGNED_LD_SPEC", 0x0068),
    event("UNALIGNED_ST_SPEC", 0x0069),
];
