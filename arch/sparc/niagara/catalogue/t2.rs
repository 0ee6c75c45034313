//! The events of T2 that T2+ and T3 have, too.
//!
//! Sources: illumos-gate, usr/src/uts/sun4v/pcbe/niagara2_pcbe.c (names and codes), compared with OpenSPARC T2's design,
//! pmu_pct_ctl.v, and with libpfm4, lib/events/sparc_niagara2_events.h, whose groups `cache`, `TLB`, `mem` and their
//! masks are here too. libpfm4 and illumos-gate share the names Instr_cnt and TLB_miss: without a mask they are
//! illumos-gate's sums, with masks libpfm4's. A group without a mask is the sum of all its events.

use super::{event, group, mask, masks};
use crate::event::catalogue::{NamedEvent, UnitMasks};

/// The kinds of instructions. A branch that is taken is counted among the branches already.
const INSTRUCTIONS: UnitMasks = masks(
    0xFD,
    &[
        mask("branches", 0x01),
        mask("taken_branches", 0x02),
        mask("FGU_arith", 0x04),
        mask("Loads", 0x08),
        mask("Stores", 0x10),
        mask("SW_count", 0x20),
        mask("other", 0x40),
        mask("atomics", 0x80),
    ],
);

/// The misses of caches.
const CACHE: UnitMasks =
    masks(0x33, &[mask("IC_miss", 0x01), mask("DC_miss", 0x02), mask("L2IC_miss", 0x10), mask("L2LD_miss", 0x20)]);

/// The accesses of the hardware's table walks to the second level.
const WALKS: UnitMasks = masks(
    0x3C,
    &[mask("ITLB_L2ref", 0x04), mask("DTLB_L2ref", 0x08), mask("ITLB_L2miss", 0x10), mask("DTLB_L2miss", 0x20)],
);

/// The accesses to the second level.
const MEMORY: UnitMasks = masks(
    0x3F,
    &[
        mask("stream_load", 0x01),
        mask("stream_store", 0x02),
        mask("cpu_load", 0x04),
        mask("cpu_ifetch", 0x08),
        mask("cpu_store", 0x10),
        mask("mmu_load", 0x20),
    ],
);

/// The misses of the translation buffers.
const TLB: UnitMasks = masks(0x0C, &[mask("ITLB", 0x04), mask("DTLB", 0x08)]);

pub(super) const EVENTS: &[NamedEvent] = &[
    event("AES_busy_cycle", 0x702),
    event("AES_op", 0x602),
    event("Atomics", 0x280),
    event("Br_completed", 0x201),
    event("Br_taken", 0x202),
    group("cache", 0x300, CACHE),
    event("CPU_ifetch_to_PCX", 0x508),
    event("CPU_ld_to_PCX", 0x504),
    event("CPU_st_to_PCX", 0x510),
    event("CRC_MPA_cksum", 0x720),
    event("CRC_TCPIP_cksum", 0x620),
    event("DC_miss", 0x302),
    event("DES_3DES_busy_cycle", 0x701),
    event("DES_3DES_op", 0x601),
    event("DTLB_HWTW_miss_L2", 0x420),
    event("DTLB_HWTW_ref_L2", 0x408),
    event("DTLB_miss", 0xB08),
    event("IC_miss", 0x301),
    event("Idle_strands", 0x000),
    group("Instr_cnt", 0x200, INSTRUCTIONS),
    event("Instr_FGU_arithmetic", 0x204),
    event("Instr_ld", 0x208),
    event("Instr_other", 0x240),
    event("Instr_st", 0x210),
    event("Instr_sw", 0x220),
    event("ITLB_HWTW_miss_L2", 0x410),
    event("ITLB_HWTW_ref_L2", 0x404),
    event("ITLB_miss", 0xB04),
    event("L2_dmiss_ld", 0x320),
    event("L2_imiss", 0x310),
    event("MA_busy_cycle", 0x710),
    event("MA_op", 0x610),
    event("MD5_SHA-1_SHA-256_busy_cycle", 0x708),
    event("MD5_SHA-1_SHA-256_op", 0x608),
    group("mem", 0x500, MEMORY),
    event("MMU_ld_to_PCX", 0x520),
    event("Stream_ld_to_PCX", 0x501),
    event("Stream_st_to_PCX", 0x502),
    group("TLB", 0x400, WALKS),
    group("TLB_miss", 0xB00, TLB),
];
