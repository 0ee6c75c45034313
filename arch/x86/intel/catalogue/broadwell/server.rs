//! The events of Broadwell in servers, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, broadwellx_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::first_four;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    first_four("MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_DRAM", 0x04D3),
    first_four("MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_FWD", 0x20D3),
    first_four("MEM_LOAD_UOPS_L3_MISS_RETIRED.REMOTE_HITM", 0x10D3),
    first_four("OFFCORE_RESPONSE.ALL_CODE_RD.LLC_HIT.HIT_OTHER_CORE_NO_FWD", 0x01B7).beside(0x4003c0244),
    first_four("OFFCORE_RESPONSE.ALL_CODE_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc00244),
    first_four("OFFCORE_RESPONSE.ALL_CODE_RD.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x604000244),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_HIT.HIT_OTHER_CORE_NO_FWD", 0x01B7).beside(0x4003c0091),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_HIT.HITM_OTHER_CORE", 0x01B7).beside(0x10003c0091),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc00091),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x604000091),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_MISS.REMOTE_DRAM", 0x01B7).beside(0x63bc00091),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_MISS.REMOTE_HIT_FORWARD", 0x01B7).beside(0x87fc00091),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_MISS.REMOTE_HITM", 0x01B7).beside(0x103fc00091),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_HIT.HIT_OTHER_CORE_NO_FWD", 0x01B7).beside(0x4003c07f7),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_HIT.HITM_OTHER_CORE", 0x01B7).beside(0x10003c07f7),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc007f7),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x6040007f7),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_MISS.REMOTE_DRAM", 0x01B7).beside(0x63bc007f7),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_MISS.REMOTE_HIT_FORWARD", 0x01B7).beside(0x87fc007f7),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_MISS.REMOTE_HITM", 0x01B7).beside(0x103fc007f7),
    first_four("OFFCORE_RESPONSE.ALL_REQUESTS.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c8fff),
    first_four("OFFCORE_RESPONSE.ALL_REQUESTS.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc08fff),
    first_four("OFFCORE_RESPONSE.ALL_RFO.LLC_HIT.HIT_OTHER_CORE_NO_FWD", 0x01B7).beside(0x4003c0122),
    first_four("OFFCORE_RESPONSE.ALL_RFO.LLC_HIT.HITM_OTHER_CORE", 0x01B7).beside(0x10003c0122),
    first_four("OFFCORE_RESPONSE.ALL_RFO.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc00122),
    first_four("OFFCORE_RESPONSE.ALL_RFO.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x604000122),
    first_four("OFFCORE_RESPONSE.DEMAND_RFO.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c0002),
    first_four("OFFCORE_RESPONSE.DEMAND_RFO.LLC_HIT.HITM_OTHER_CORE", 0x01B7).beside(0x10003c0002),
    first_four("OFFCORE_RESPONSE.DEMAND_RFO.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc00002),
    first_four("OFFCORE_RESPONSE.DEMAND_RFO.LLC_MISS.REMOTE_HITM", 0x01B7).beside(0x103fc00002),
    first_four("OFFCORE_RESPONSE.PF_LLC_CODE_RD.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c0200),
    first_four("OFFCORE_RESPONSE.PF_LLC_CODE_RD.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc00200),
    first_four("OFFCORE_RESPONSE.PF_LLC_RFO.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c0100),
    first_four("OFFCORE_RESPONSE.PF_LLC_RFO.LLC_MISS.ANY_RESPONSE", 0x01B7).beside(0x3fbfc00100),
];
