//! The events of Cortex-A78 by name, in addition to those that the larger cores have in common.
//!
//! Source: ARM-software/data, pmu/cortex-a78.json (Apache-2.0): names and numbers.

use super::{event, large};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; large::EVENTS.len() + OWN.len()] = merged(large::EVENTS, OWN);

const OWN: &[NamedEvent] = &[
    event("BR_IMMED_SPEC", 0x0078),
    event("BR_MIS_PRED_RETIRED", 0x0022),
    event("BR_RETURN_SPEC", 0x0079),
    event("CNT_CYCLES", 0x4004),
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
    event("L1D_CACHE_LMISS_RD", 0x0039),
    event("L1D_CACHE_REFILL_INNER", 0x0044),
    event("L1D_CACHE_REFILL_OUTER", 0x0045),
    event("L1D_CACHE_REFILL_RD", 0x0042),
    event("L1D_CACHE_REFILL_WR", 0x0043),
    event("L1D_TLB_RD", 0x004E),
    event("L1D_TLB_REFILL_RD", 0x004C),
    event("L1D_TLB_REFILL_WR", 0x004D),
    event("L1D_TLB_WR", 0x004F),
    event("L1I_CACHE_LMISS", 0x4006),
    event("L2D_CACHE_LMISS_RD", 0x4009),
    event("L2D_CACHE_REFILL_RD", 0x0052),
    event("L2D_CACHE_REFILL_WR", 0x0053),
    event("L2D_TLB_RD", 0x005E),
    event("L2D_TLB_REFILL_RD", 0x005C),
    event("L2D_TLB_REFILL_WR", 0x005D),
    event("L2D_TLB_WR", 0x005F),
    event("L3D_CACHE_LMISS_RD", 0x400B),
    event("MEMORY_ERROR", 0x001A),
    event("OP_RETIRED", 0x003A),
    event("OP_SPEC", 0x003B),
    event("PC_WRITE_SPEC", 0x0076),
    event("RC_LD_SPEC", 0x0090),
    event("RC_ST_SPEC", 0x0091),
    event("REMOTE_ACCESS", 0x0031),
    event("STALL", 0x003C),
    event("STALL_BACKEND_MEM", 0x4005),
    event("STALL_SLOT", 0x003F),
    event("STALL_SLOT_BACKEND", 0x003D),
    event("STALL_SLOT_FRONTEND", 0x003E),
    event("UNALIGNED_LD_SPEC", 0x0068),
    event("UNALIGNED_ST_SPEC", 0x0069),
];
