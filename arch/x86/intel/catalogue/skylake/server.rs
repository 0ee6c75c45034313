//! The events that Skylake in servers and Cascade Lake, of the same model, have beside those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the lists call deprecated.
//!
//! Source: intel/perfmon, skylakex_core.json and cascadelakex_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::{any, first_four};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("BR_MISP_RETIRED.RET", 0x08C5),
    any("CORE_POWER.LVL0_TURBO_LICENSE", 0x0728),
    any("CORE_POWER.LVL1_TURBO_LICENSE", 0x1828),
    any("CORE_POWER.LVL2_TURBO_LICENSE", 0x2028),
    any("CORE_POWER.THROTTLE", 0x4028),
    any("CORE_SNOOP_RESPONSE.RSP_IFWDFE", 0x20EF),
    any("CORE_SNOOP_RESPONSE.RSP_IFWDM", 0x10EF),
    any("CORE_SNOOP_RESPONSE.RSP_IHITFSE", 0x02EF),
    any("CORE_SNOOP_RESPONSE.RSP_IHITI", 0x01EF),
    any("CORE_SNOOP_RESPONSE.RSP_SFWDFE", 0x40EF),
    any("CORE_SNOOP_RESPONSE.RSP_SFWDM", 0x08EF),
    any("CORE_SNOOP_RESPONSE.RSP_SHITFSE", 0x04EF),
    any("FP_ARITH_INST_RETIRED.512B_PACKED_DOUBLE", 0x40C7),
    any("FP_ARITH_INST_RETIRED.512B_PACKED_SINGLE", 0x80C7),
    any("FP_ARITH_INST_RETIRED.8_FLOPS", 0x18C7),
    any("IDI_MISC.WB_DOWNGRADE", 0x04FE),
    any("IDI_MISC.WB_UPGRADE", 0x02FE),
    first_four("MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM", 0x01D3),
    first_four("MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM", 0x02D3),
    first_four("MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD", 0x08D3),
    first_four("MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM", 0x04D3),
];
