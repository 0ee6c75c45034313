//! 5K's events.
//!
//! Source: names, numbers and shortest periods are those of OProfile's list mips/5K (GPL).
//!
//! OProfile has two INSNS_EXECED, one for each counter, and tells them apart by the counter. Counter 1's is INSNS_EXECED_1 here.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("BRANCHES_EXECED", 0x06, 0b1, 500),
    event("BRANCHES_MISSPREDICTED", 0x408, 0b10, 500),
    event("COND_STORES_EXECED", 0x04, 0b11, 500),
    event("CONFLICT_STALL_M_STAGE", 0x40A, 0b10, 500),
    event("COP2_INSNS_EXECED", 0x40F, 0b10, 500),
    event("CYCLES", 0x00, 0b11, 500),
    event("DCACHE_LINE_EVICTED", 0x406, 0b10, 500),
    event("DCACHE_MISS", 0x409, 0b10, 500),
    event("DTLB_MISSES", 0x08, 0b1, 500),
    event("DUAL_ISSUED_INSNS", 0x0E, 0b1, 500),
    event("FAILED_COND_STORES", 0x05, 0b1, 500),
    event("FP_INSNS_EXECED", 0x405, 0b10, 500),
    event("ICACHE_MISS", 0x09, 0b1, 500),
    event("INSN_FETCHED", 0x01, 0b1, 500),
    event("INSN_SCHEDULED", 0x0A, 0b1, 500),
    event("INSNS_EXECED", 0x0F, 0b1, 500),
    event("INSNS_EXECED_1", 0x401, 0b10, 500),
    event("ITLB_MISSES", 0x07, 0b1, 500),
    event("LOADS_EXECED", 0x02, 0b11, 500),
    event("STORES_EXECED", 0x03, 0b11, 500),
    event("TLB_MISS_EXCEPTIONS", 0x407, 0b10, 500),
];
