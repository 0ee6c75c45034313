//! The events of Cortex-A75 by name, in addition to those that the larger cores have in common.
//!
//! Source: ARM-software/data, pmu/cortex-a75.json (Apache-2.0): names and numbers.

use super::{event, large};
use crate::event::catalogue::{NamedEvent, merged};

pub(super) static EVENTS: [NamedEvent; large::EVENTS.len() + OWN.len()] = merged(large::EVENTS, OWN);

const OWN: &[NamedEvent] = &[
    event("BR_IMMED_RETIRED", 0x000D),
    event("BR_RETURN_RETIRED", 0x000E),
    event("D_LSU_SLOT_FULL", 0x00D3),
    event("DE_IQ_FULL", 0x00DA),
    event("DP_IQ_FULL", 0x00D9),
    event("ETM_EXT_OUT0", 0x00DE),
    event("ETM_EXT_OUT1", 0x00DF),
    event("EXC_TRAP_HYP", 0x00DC),
    event("I_BTAC_RAM_RD", 0x00C4),
    event("I_DATA_RAM_RD", 0x00C3),
    event("I_TAG_RAM_RD", 0x00C2),
    event("L1D_CACHE_ALLOCATE", 0x001F),
    event("L1PLD_TLB", 0x00EB),
    event("L1PLD_TLB_REFILL", 0x00E7),
    event("L2I_TLB", 0x0030),
    event("L2PLD_TLB", 0x00E8),
    event("L3D_CACHE_REFILL_RD", 0x00A2),
    event("LDST_SPEC", 0x0072),
    event("LF_STALL", 0x00C0),
    event("LS_IQ_FULL", 0x00D8),
    event("MMU_PTW", 0x00E0),
    event("MMU_PTW_CP15", 0x00E6),
    event("MMU_PTW_ISIDE", 0x00E4),
    event("MMU_PTW_LSU", 0x00E3),
    event("MMU_PTW_PLD", 0x00E5),
    event("MMU_PTW_ST1", 0x00E1),
    event("MMU_PTW_ST2", 0x00E2),
    event("PC_WRITE_RETIRED", 0x000C),
    event("PLDTLB_WALK", 0x00EC),
    event("PTW_STALL", 0x00C1),
    event("REMOTE_ACCESS_RD", 0x0038),
    event("TLB_ACCESS", 0x00EA),
    event("UTLB_FLUSH", 0x00E9),
];
