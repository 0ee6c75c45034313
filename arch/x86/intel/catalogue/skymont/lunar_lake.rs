//! The events that Skymont has only in Lunar Lake, or with another code than elsewhere.
//!
//! Names that the lists call deprecated are left out, and so is the event of the off-core responses without a value.
//!
//! Source: intel/perfmon, lunarlake_skymont_core.json (BSD-3-Clause): names, codes and counters.

use super::super::any;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    any("L2_LINES_OUT.NON_SILENT", 0x0226),
    any("L2_LINES_OUT.SILENT", 0x0126),
    any("MEM_BOUND_STALLS_IFETCH.LLC_MISS", 0x7835),
    any("MEM_BOUND_STALLS_IFETCH.LLC_MISS_LOCALMEM", 0x5035),
    any("MEM_LOAD_UOPS_LLC_MISS_RETIRED.LOCAL_DRAM", 0x01D3),
    any("MEM_LOAD_UOPS_LLC_MISS_RETIRED.MEMSIDE_CACHE", 0x40D3),
    any("OCR.ALL_REQUESTS.ANY_RESPONSE", 0x01B7).beside(0xff0000001dfff),
    any("OCR.COREWB_M.ANY_RESPONSE", 0x01B7).beside(0x10008),
    any("OCR.COREWB_NONM.ANY_RESPONSE", 0x01B7).beside(0x11000),
    any("OCR.DEMAND_CODE_RD.ANY_RESPONSE", 0x01B7).beside(0x10004),
    any("OCR.DEMAND_CODE_RD.DRAM", 0x01B7).beside(0x1fbc000004),
    any("OCR.DEMAND_CODE_RD.L3_MISS", 0x01B7).beside(0x13fbfc00004),
    any("OCR.DEMAND_CODE_RD.MEMSIDE_CACHE", 0x01B7).beside(0x11f80000004),
    any("OCR.DEMAND_DATA_RD.ANY_RESPONSE", 0x01B7).beside(0x10001),
    any("OCR.DEMAND_DATA_RD.DRAM", 0x01B7).beside(0x1fbc000001),
    any("OCR.DEMAND_DATA_RD.L3_MISS", 0x01B7).beside(0x13fbfc00001),
    any("OCR.DEMAND_DATA_RD.MEMSIDE_CACHE", 0x01B7).beside(0x11f80000001),
    any("OCR.DEMAND_RFO.ANY_RESPONSE", 0x01B7).beside(0x10002),
    any("OCR.DEMAND_RFO.DRAM", 0x01B7).beside(0x1fbc000002),
    any("OCR.DEMAND_RFO.L3_MISS", 0x01B7).beside(0x13fbfc00002),
];
