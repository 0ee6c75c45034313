//! The events that Crestmont has only in Sierra Forest, or with another code than elsewhere.
//!
//! Names that the lists call deprecated are left out, and so is the event of the off-core responses without a value.
//!
//! Source: intel/perfmon, sierraforest_core.json (BSD-3-Clause): names, codes and counters.

use super::super::any;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("ARITH.FPDIV_OCCUPANCY", 0x02CD),
    any("ARITH.FPDIV_UOPS", 0x08CD),
    any("ARITH.IDIV_ACTIVE", 0x01CD).threshold(1),
    any("ARITH.IDIV_OCCUPANCY", 0x01CD),
    any("ARITH.IDIV_UOPS", 0x04CD),
    any("LD_HEAD.ANY", 0x7F05),
    any("LD_HEAD.DTLB_MISS", 0x1005),
    any("LD_HEAD.L1_MISS", 0x0105),
    any("LD_HEAD.OTHER", 0x4005),
    any("LD_HEAD.PGWALK", 0x2005),
    any("LD_HEAD.ST_ADDR", 0x0405),
    any("MEM_BOUND_STALLS_IFETCH.LLC_HIT", 0x0635),
    any("MEM_BOUND_STALLS_IFETCH.LLC_MISS", 0x7835),
    any("MEM_BOUND_STALLS_LOAD.LLC_HIT", 0x0634),
    any("MEM_BOUND_STALLS_LOAD.LLC_HIT_NOSNOOP", 0x0234),
    any("MEM_BOUND_STALLS_LOAD.LLC_MISS_OTHERMOD", 0x0834),
    any("MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL", 0xFFD3),
    any("MEM_LOAD_UOPS_L3_MISS_RETIRED.LOCAL_DRAM", 0x01D3),
    any("MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_DRAM_OR_NOFWD", 0x02D3),
    any("MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD_HITM", 0x08D3),
    any("MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD_NONM", 0x04D3),
    any("MEM_LOAD_UOPS_MISC_RETIRED.L3_HIT_SNOOP_HITM", 0x08D4),
    any("MISC_RETIRED2.KEYLOCKER_ACCESS", 0x10E1),
    any("MISC_RETIRED2.KEYLOCKER_MISS", 0x11E1),
    any("OCR.DEMAND_DATA_RD.ANY_RESPONSE", 0x01B7).beside(0x10001),
    any("OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HIT_WITH_FWD", 0x01B7).beside(0x8003c0001),
    any("OCR.DEMAND_DATA_RD.L3_HIT.SNOOP_HITM", 0x01B7).beside(0x10003c0001),
    any("OCR.DEMAND_DATA_RD.L3_MISS", 0x01B7).beside(0x3fbfc00001),
    any("OCR.DEMAND_DATA_RD.LOCAL_DRAM", 0x01B7).beside(0x184000001),
    any("OCR.DEMAND_DATA_RD.REMOTE_DRAM", 0x01B7).beside(0x730000001),
    any("OCR.DEMAND_RFO.ANY_RESPONSE", 0x01B7).beside(0x10002),
    any("OCR.DEMAND_RFO.L3_HIT.SNOOP_HITM", 0x01B7).beside(0x10003c0002),
    any("OCR.DEMAND_RFO.L3_MISS", 0x01B7).beside(0x3fbfc00002),
    any("OCR.STREAMING_WR.ANY_RESPONSE", 0x01B7).beside(0x10800),
    any("TOPDOWN_BAD_SPECULATION.ALL", 0x0073),
    any("TOPDOWN_BE_BOUND.ALL", 0x0074),
    any("TOPDOWN_FE_BOUND.ALL", 0x0071),
    any("TOPDOWN_RETIRING.ALL", 0x0072),
];
