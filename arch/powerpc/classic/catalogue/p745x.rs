//! The 7450's events and its successors'.
//!
//! Source: names, codes and shortest periods are those of OProfile's list ppc/7450 (GPL); each code and its counters are
//! as in Apple's "Shark User Guide", appendix "PPC 7450 (G4+) Performance Counter Event List". Where OProfile's list
//! gives UNRESOLVED_BRANCHES two counters, that has misses of the data cache on the second, as torvalds/linux has.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("ALTIVEC_LD_INSNS_COMPLETED", 0x140, 0b1, 3000),
    event("BR_LN_STACK_MIS", 0x31F, 0b100, 3000),
    event("CACHEINH_STORES", 0x134, 0b1, 3000),
    event("COMPLETED_INSNS", 0x002, 0b1111, 3000),
    event("CYCLES", 0x001, 0b111111, 3000),
    event("DISPATCHED_INSNS", 0x004, 0b1111, 3000),
    event("DTLB_MISSES", 0x312, 0b100, 3000),
    event("FOLDED_BRANCHES", 0x41D, 0b1000, 3000),
    event("FP_DENORMALIZED_RESULT", 0x15E, 0b1, 3000),
    event("FP_LDSINGLE_INSNS_COMPLETED_LSU", 0x150, 0b1, 3000),
    event("FP_LOAD_INSNS_COMPLETED_LSU", 0x14F, 0b1, 3000),
    event("FP_STORE_INSNS_COMPLETED_LSU", 0x141, 0b1, 3000),
    event("INSN_BP_MATCHES", 0x12A, 0b1, 3000),
    event("ITLB_TABLE_CYCLES", 0x127, 0b1, 3000),
    event("L1_DATA_HITS", 0x138, 0b1, 3000),
    event("L1_DATA_SNOOPS", 0x016, 0b11, 3000),
    event("L1_DLOAD_HIT", 0x135, 0b1, 3000),
    event("L1_DSNOOP_HITS", 0x132, 0b1, 3000),
    event("L1_DSTORE_HIT", 0x137, 0b1, 3000),
    event("L1_DTOUCH_HIT", 0x136, 0b1, 3000),
    event("L1_ICACHE_ACCESSES", 0x129, 0b1, 3000),
    event("L1_ICACHE_MISSES", 0x015, 0b11, 3000),
    event("MISPREDICTED_BRANCHES", 0x41C, 0b1000, 3000),
    event("PROC_PERFMON_EXC", 0x005, 0b1111, 3000),
    event("STORE_INSNS", 0x014, 0b11, 3000),
    event("TBL_BIT_TRANSTNS", 0x003, 0b1111, 3000),
    event("UNRESOLVED_BRANCHES", 0x117, 0b1, 3000),
    event("VFPU_CYCLES", 0x00F, 0b11, 3000),
    event("VFPU_INSNS", 0x009, 0b1011, 3000),
    event("VIU1_CYCLES", 0x010, 0b11, 3000),
    event("VIU1_INSNS", 0x00A, 0b1011, 3000),
    event("VIU2_CYCLES", 0x011, 0b11, 3000),
    event("VIU2_INSNS", 0x00B, 0b1011, 3000),
    event("VPU_CYCLES", 0x00E, 0b11, 3000),
    event("VPU_INSNS", 0x008, 0b1011, 3000),
    event("WRITETHRU_STORES", 0x133, 0b1, 3000),
];
