//! The events of Ivy Bridge in clients, in addition to those that all have.
//!
//! Events that only the debug store counts are left out, except the latencies of loads, and so are those that
//! invert no threshold and names that the list calls deprecated.
//!
//! Source: intel/perfmon, ivybridge_core.json (BSD-3-Clause):
//! names, codes and counters.

use super::super::{any, first_four};
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    first_four("MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM", 0x01D3),
    first_four("OFFCORE_RESPONSE.ALL_CODE_RD.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c0244),
    first_four("OFFCORE_RESPONSE.ALL_CODE_RD.LLC_HIT.NO_SNOOP_NEEDED", 0x01B7).beside(0x1003c0244),
    first_four("OFFCORE_RESPONSE.ALL_CODE_RD.LLC_MISS.DRAM", 0x01B7).beside(0x300400244),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.ANY_RESPONSE", 0x01B7).beside(0x105b3),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c0091),
    first_four("OFFCORE_RESPONSE.ALL_DATA_RD.LLC_MISS.DRAM", 0x01B7).beside(0x300400091),
    first_four("OFFCORE_RESPONSE.ALL_READS.ANY_RESPONSE", 0x01B7).beside(0x107f7),
    first_four("OFFCORE_RESPONSE.ALL_READS.LLC_MISS.DRAM", 0x01B7).beside(0x3004003f7),
    first_four("OFFCORE_RESPONSE.ALL_RFO.ANY_RESPONSE", 0x01B7).beside(0x10122),
    first_four("OFFCORE_RESPONSE.ALL_RFO.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c0122),
    first_four("OFFCORE_RESPONSE.ALL_RFO.LLC_HIT.NO_SNOOP_NEEDED", 0x01B7).beside(0x1003c0122),
    first_four("OFFCORE_RESPONSE.DATA_IN_SOCKET.LLC_MISS.LOCAL_DRAM", 0x01B7).beside(0x6004001b3),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.ANY_RESPONSE", 0x01B7).beside(0x10004),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.LLC_HIT.NO_SNOOP_NEEDED", 0x01B7).beside(0x1003c0004),
    first_four("OFFCORE_RESPONSE.DEMAND_CODE_RD.LLC_MISS.DRAM", 0x01B7).beside(0x300400004),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE", 0x01B7).beside(0x10001),
    first_four("OFFCORE_RESPONSE.DEMAND_DATA_RD.LLC_MISS.DRAM", 0x01B7).beside(0x300400001),
    first_four("OFFCORE_RESPONSE.DEMAND_RFO.ANY_RESPONSE", 0x01B7).beside(0x10002),
    first_four("OFFCORE_RESPONSE.DEMAND_RFO.LLC_HIT.ANY_RESPONSE", 0x01B7).beside(0x3f803c0002),
    first_four("OFFCORE_RESPONSE.DEMAND_RFO.LLC_HIT.NO_SNOOP_NEEDED", 0x01B7).beside(0x1003c0002),
    first_four("OFFCORE_RESPONSE.OTHER.ANY_RESPONSE", 0x01B7).beside(0x18000),
    any("PAGE_WALKS.LLC_MISS", 0x01BE),
];
