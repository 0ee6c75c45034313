//! The events that the larger Armv9.2 cores have in common, in addition to those of [`late_9`](super::late_9).
//!
//! Source: ARM-software/data (Apache-2.0), those of its lists that the cores' tables name: names and numbers.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("BR_IMMED_MIS_PRED_RETIRED", 0x8111),
    event("BR_IMMED_PRED_RETIRED", 0x8110),
    event("BR_IND_MIS_PRED_RETIRED", 0x8113),
    event("BR_IND_PRED_RETIRED", 0x8112),
    event("BR_INDNR_MIS_PRED_RETIRED", 0x8117),
    event("BR_INDNR_PRED_RETIRED", 0x8116),
    event("BR_PRED_RETIRED", 0x811C),
    event("BR_RETURN_MIS_PRED_RETIRED", 0x8115),
    event("BR_RETURN_PRED_RETIRED", 0x8114),
    event("DTLB_HWUPD", 0x8134),
    event("DTLB_WALK_LARGE", 0x8138),
    event("DTLB_WALK_SMALL", 0x813A),
    event("INST_FETCH", 0x8124),
    event("INST_FETCH_PERCYC", 0x8120),
    event("ITLB_HWUPD", 0x8135),
    event("ITLB_WALK_LARGE", 0x8139),
    event("ITLB_WALK_SMALL", 0x813B),
    event("L1D_CACHE_RW", 0x8140),
    event("L2D_CACHE_RW", 0x8148),
    event("MEM_ACCESS_RD_PERCYC", 0x8121),
    event("SAMPLE_FEED_BR", 0x812A),
    event("SAMPLE_FEED_EVENT", 0x812E),
    event("SAMPLE_FEED_LAT", 0x812F),
    event("SAMPLE_FEED_LD", 0x812B),
    event("SAMPLE_FEED_OP", 0x812D),
    event("SAMPLE_FEED_ST", 0x812C),
    event("STALL_BACKEND_BUSY", 0x816B),
    event("STALL_BACKEND_CPUBOUND", 0x816A),
    event("STALL_BACKEND_L1D", 0x8165),
    event("STALL_BACKEND_MEMBOUND", 0x8164),
    event("STALL_BACKEND_RENAME", 0x816D),
    event("STALL_BACKEND_ST", 0x8168),
    event("STALL_BACKEND_TLB", 0x8167),
    event("STALL_FRONTEND_CPUBOUND", 0x8160),
    event("STALL_FRONTEND_L1I", 0x8159),
    event("STALL_FRONTEND_MEM", 0x815B),
    event("STALL_FRONTEND_MEMBOUND", 0x8158),
    event("STALL_FRONTEND_TLB", 0x815C),
];
