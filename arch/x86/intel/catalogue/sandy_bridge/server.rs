//! The events of Sandy Bridge in servers, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, Jaketown_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::first_four;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    first_four("MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM", 0x01D3),
    first_four("MEM_LOAD_UOPS_LLC_MISS_RETIRED.REMOTE_DRAM", 0x04D3),
    first_four("MEM_LOAD_UOPS_RETIRED.LLC_MISS", 0x20D1),
    first_four("OFFCORE_RESPONSE.ALL_DEMAND_MLC_PREF_READS.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fffc20077),
    first_four("OFFCORE_RESPONSE.ALL_DEMAND_MLC_PREF_READS.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x600400077),
    first_four("OFFCORE_RESPONSE.ALL_DEMAND_MLC_PREF_READS.LLC_MISS.REMOTE_HITM_HIT_FORWARD", 0x01B7)
        .beside(0x187fc20077),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fffc20004),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x600400004),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.LLC_MISS.REMOTE_DRAM", 0x01B7).beside(0x67f800004),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.LLC_MISS.REMOTE_HIT_FORWARD", 0x01B7).beside(0x87f820004),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.LLC_MISS.REMOTE_HITM", 0x01B7).beside(0x107fc00004),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.ANY_DRAM", 0x01B7).beside(0x67fc00001),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fffc20001),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x600400001),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.REMOTE_DRAM", 0x01B7).beside(0x67f800001),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.REMOTE_HIT_FORWARD", 0x01B7).beside(0x87f820001),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.REMOTE_HITM", 0x01B7).beside(0x107fc00001),
    first_four("OFFCORE_RESPONSE.OTHER.PORTIO_MMIO_UC", 0x01B7).beside(0x23ffc08000),
    first_four("OFFCORE_RESPONSE.PF_L2_CODE_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fffc20040),
    first_four("OFFCORE_RESPONSE.PF_L2_DATA_RD.LLC_MISS.ANY_DRAM", 0x01B7).beside(0x67fc00010),
    first_four("OFFCORE_RESPONSE.PF_L2_DATA_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fffc20010),
    first_four("OFFCORE_RESPONSE.PF_L2_DATA_RD.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x600400010),
    first_four("OFFCORE_RESPONSE.PF_L2_DATA_RD.LLC_MISS.REMOTE_DRAM", 0x01B7).beside(0x67f800010),
    first_four("OFFCORE_RESPONSE.PF_L2_DATA_RD.LLC_MISS.REMOTE_HIT_FORWARD", 0x01B7).beside(0x87f820010),
    first_four("OFFCORE_RESPONSE.PF_L2_DATA_RD.LLC_MISS.REMOTE_HITM", 0x01B7).beside(0x107fc00010),
    first_four("OFFCORE_RESPONSE.PF_LLC_CODE_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fffc20200),
    first_four("OFFCORE_RESPONSE.PF_LLC_DATA_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fffc20080),
];
