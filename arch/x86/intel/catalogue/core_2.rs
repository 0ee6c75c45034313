//! The events of Core 2 by name, except those that need a threshold beside their code.
//!
//! Sources: SDM vol. 3, chapter "Performance Monitoring Events"; names, codes, unit masks and shortest
//! periods as in OProfile, events/i386/core_2/events and unit_masks.
//! Unit masks have the names that OProfile and libpfm (lib/events/intel_core_events.h, intel_coreduo_events.h; MIT) give
//! them, else their values.
//!
//! OProfile lets seven events be counted on both counters that only one has: FLOPS, CYCLES_DIV_BUSY and IDLE_DURING_DIV
//! (counter 0), FP_ASSIST, MUL, DIV and DELAYED_BYPASS (counter 1). The counters here are those of the SDM's table
//! "Non-Architectural Performance Events in Processors Based on Intel Core Microarchitecture", of torvalds/linux
//! arch/x86/events/intel/core.c, `intel_core2_event_constraints`, and of illumos-gate core_pcbe.c. L1D_ALL_REF has the
//! mask 0x10 in OProfile, and 0x01 in the SDM and libpfm.

use super::{bitmask, exclusive, mask, masked, timed};
use crate::event::catalogue::{NamedEvent, UnitMask, UnitMasks};

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("BACLEARS", 0xE6, 0b11, 500),
    timed("BR_BAC_MISSP_EXEC", 0x8A, 0b11, 3000),
    timed("BR_BOGUS", 0xE4, 0b11, 500),
    timed("BR_CALL_EXEC", 0x92, 0b11, 3000),
    timed("BR_CALL_MISSP_EXEC", 0x93, 0b11, 3000),
    timed("BR_CND_EXEC", 0x8B, 0b11, 3000),
    timed("BR_CND_MISSP_EXEC", 0x8C, 0b11, 3000),
    timed("BR_IND_CALL_EXEC", 0x94, 0b11, 3000),
    timed("BR_IND_EXEC", 0x8D, 0b11, 3000),
    timed("BR_IND_MISSP_EXEC", 0x8E, 0b11, 3000),
    timed("BR_INST_DECODED", 0xE0, 0b11, 500),
    timed("BR_INST_EXEC", 0x88, 0b11, 3000),
    masked("BR_INST_RETIRED", 0xC4, 0b11, 500, BR_INST_RETIRED),
    timed("BR_MISS_PRED_RETIRED", 0xC5, 0b11, 500),
    timed("BR_MISSP_EXEC", 0x89, 0b11, 3000),
    timed("BR_RET_BAC_MISSP_EXEC", 0x91, 0b11, 3000),
    timed("BR_RET_EXEC", 0x8F, 0b11, 3000),
    timed("BR_RET_MISSP_EXEC", 0x90, 0b11, 3000),
    timed("BR_TKN_BUBBLE_1", 0x97, 0b11, 3000),
    timed("BR_TKN_BUBBLE_2", 0x98, 0b11, 3000),
    masked("BUS_BNR_DRV", 0x61, 0b11, 500, BUS_AGENTS),
    masked("BUS_DATA_RCV", 0x64, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_DRDY_CLOCKS", 0x62, 0b11, 500, BUS_AGENTS),
    masked("BUS_HIT_DRV", 0x7A, 0b11, 500, BUS_AGENTS),
    masked("BUS_HITM_DRV", 0x7B, 0b11, 500, BUS_AGENTS),
    masked("BUS_IO_WAIT", 0x7F, 0b11, 500, CORE),
    masked("BUS_LOCK_CLOCKS", 0x63, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_REQ_OUTSTANDING", 0x60, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_ANY", 0x70, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_BRD", 0x65, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_BURST", 0x6E, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_IFETCH", 0x68, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_INVAL", 0x69, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_MEM", 0x6F, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_PWR", 0x6A, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_RFO", 0x66, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_WB", 0x67, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRANS_DEF", 0x6D, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRANS_IO", 0x6C, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRANS_P", 0x6B, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUSQ_EMPTY", 0x7D, 0b11, 500, CORE),
    masked("CMP_SNOOP", 0x78, 0b11, 500, CORE_AND_SNOOP),
    masked("CPU_CLK_UNHALTED", 0x3C, 0b11, 6000, NONHLT),
    timed("CYCLES_DIV_BUSY", 0x14, 0b1, 1000),
    masked("CYCLES_INT_MASKED", 0xC6, 0b11, 500, CYCLES_INT_MASKED),
    masked("DELAYED_BYPASS", 0x19, 0b10, 1000, DELAYED_BYPASS),
    timed("DIV", 0x13, 0b10, 500),
    masked("DTLB_MISSES", 0x08, 0b11, 500, DTLB_MISS),
    timed("EIST_TRANS_ALL", 0x3A, 0b11, 500),
    masked("ESP", 0xAB, 0b11, 500, ESP),
    masked("EXT_SNOOP", 0x77, 0b11, 500, BUS_AGENTS_AND_SNOOP),
    timed("FLOPS", 0x10, 0b1, 3000),
    timed("FP_ASSIST", 0x11, 0b10, 500),
    masked("FP_MMX_TRANS", 0xCC, 0b11, 3000, MMX_TRANS),
    timed("HW_INT_RCV", 0xC8, 0b11, 500),
    timed("IDLE_DURING_DIV", 0x18, 0b1, 1000),
    timed("IFU_MEM_STALL", 0x86, 0b11, 500),
    timed("ILD_STALL", 0x87, 0b11, 500),
    timed("INST_QUEUE_FULL", 0x0283, 0b11, 500),
    masked("INST_RETIRED", 0xC0, 0b11, 6000, INST_RETIRED),
    timed("INST_RETIRED_ANY_P", 0xC0, 0b11, 6000),
    masked("ITLB", 0x82, 0b11, 500, ITLB_MISS),
    timed("ITLB_MISS_RETIRED", 0xC9, 0b1, 500),
    timed("L1D_ALL_CACHE_REF", 0x0243, 0b11, 500),
    timed("L1D_ALL_REF", 0x0143, 0b11, 500),
    masked("L1D_CACHE_LD", 0x40, 0b11, 500, MESI),
    masked("L1D_CACHE_LOCK", 0x42, 0b11, 500, MESI),
    timed("L1D_CACHE_LOCK_DURATION", 0x1042, 0b11, 500),
    masked("L1D_CACHE_ST", 0x41, 0b11, 500, MESI),
    timed("L1D_M_EVICT", 0x47, 0b11, 500),
    timed("L1D_M_REPL", 0x46, 0b11, 500),
    timed("L1D_PEND_MISS", 0x48, 0b11, 500),
    timed("L1D_PREFETCH", 0x104E, 0b11, 500),
    timed("L1D_REPL", 0x0F45, 0b11, 500),
    masked("L1D_SPLIT", 0x49, 0b11, 500, L1D_SPLIT),
    timed("L1I_MISSES", 0x81, 0b11, 500),
    timed("L1I_READS", 0x80, 0b11, 500),
    masked("L2_ADS", 0x21, 0b11, 500, CORE),
    masked("L2_DBUS_BUSY_RD", 0x23, 0b11, 500, CORE),
    masked("L2_IFETCH", 0x28, 0b11, 500, CORE_MESI),
    masked("L2_LD", 0x29, 0b11, 500, CORE_PREFETCH_MESI),
    masked("L2_LINES_IN", 0x24, 0b11, 500, CORE_PREFETCH),
    masked("L2_LINES_OUT", 0x26, 0b11, 500, CORE_PREFETCH),
    masked("L2_LOCK", 0x2B, 0b11, 500, CORE_MESI),
    masked("L2_M_LINES_IN", 0x25, 0b11, 500, CORE),
    masked("L2_M_LINES_OUT", 0x27, 0b11, 500, CORE_PREFETCH),
    masked("L2_NO_REQ", 0x32, 0b11, 500, CORE),
    masked("L2_REJECT_BUSQ", 0x30, 0b11, 500, CORE_PREFETCH_MESI),
    masked("L2_RQSTS", 0x2E, 0b11, 500, CORE_PREFETCH_MESI),
    masked("L2_ST", 0x2A, 0b11, 500, CORE_MESI),
    timed("LLC_MISSES", 0x412E, 0b11, 6000),
    timed("LLC_REFS", 0x4F2E, 0b11, 6000),
    masked("LOAD_BLOCK", 0x03, 0b11, 500, LOAD_BLOCK),
    timed("LOAD_HIT_PRE", 0x4C, 0b11, 500),
    masked("MACHINE_NUKES_SMC", 0xC3, 0b11, 500, MACHINE_NUKES),
    masked("MACRO_INSTS", 0xAA, 0b11, 500, MACRO_INSTS),
    masked("MEM_LOAD_RETIRED", 0xCB, 0b1, 500, MEM_LOAD_RETIRED),
    masked("MEMORY_DISAMBIGUATION", 0x09, 0b11, 1000, MEMORY_DIS),
    timed("MISALIGN_MEM_REF", 0x05, 0b11, 500),
    timed("MMX_ASSIST", 0xCD, 0b11, 500),
    timed("MUL", 0x12, 0b10, 1000),
    masked("PAGE_WALKS", 0x0C, 0b11, 500, PAGE_WALKS),
    timed("PREF_RQSTS_DN", 0xF8, 0b11, 3000),
    timed("PREF_RQSTS_UP", 0xF0, 0b11, 3000),
    masked("RAT_STALLS", 0xD2, 0b11, 6000, RAT_STALLS),
    masked("RESOURCE_STALLS", 0xDC, 0b11, 3000, RESOURCE_STALLS),
    timed("RS_UOPS_DISPATCHED", 0xA0, 0b11, 1000),
    masked("SEG_RENAME_STALLS", 0xD4, 0b11, 500, SEG_REGS),
    masked("SEG_RENAMES", 0xD5, 0b11, 500, SEG_REGS),
    timed("SEGMENT_REG_LOADS", 0x06, 0b11, 500),
    masked("SIMD_COMP_INST_RETIRED", 0xCA, 0b11, 500, SIMD_COMP_INST_RETIRED),
    masked("SIMD_INST_RETIRED", 0xC7, 0b11, 500, SIMD_INST_RETIRED),
    timed("SIMD_INSTR_RET", 0xCE, 0b11, 500),
    timed("SIMD_SAT_INSTR_RET", 0xCF, 0b11, 500),
    timed("SIMD_SAT_UOP_EXEC", 0xB1, 0b11, 3000),
    masked("SIMD_UOP_TYPE_EXEC", 0xB3, 0b11, 3000, SIMD_INSTR_TYPE_EXEC),
    timed("SIMD_UOPS_EXEC", 0xB0, 0b11, 500),
    masked("SNOOP_STALL_DRV", 0x7E, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("SSE_PRE_EXEC", 0x07, 0b11, 500, SSE_PREFETCH),
    masked("SSE_PREF_MISS", 0x4B, 0b11, 500, SSE_MISS),
    masked("STORE_BLOCK", 0x04, 0b11, 500, STORE_BLOCK),
    timed("THERMAL_TRIP", 0xC03B, 0b11, 500),
    masked("UOPS_RETIRED", 0xC2, 0b11, 6000, UOPS_RETIRED),
    masked("X87_OPS_RETIRED", 0xC1, 0b11, 500, X87_OPS_RETIRED),
];

/// OProfile's default is 0x0A, taken branches alone. The SDM's BR_INST_RETIRED.ANY has no mask, and so does libpfm's.
const BR_INST_RETIRED: UnitMasks = bitmask(
    0x00,
    &[
        mask("any", 0x00),
        mask("pred_not_taken", 0x01),
        mask("mispred_not_taken", 0x02),
        mask("pred_taken", 0x04),
        mask("mispred_taken", 0x08),
        mask("taken", 0x0C),
    ],
);
/// Whose events: this core's or both cores'.
pub(super) const fn core(name: &'static str, value: u64) -> UnitMask {
    mask(name, value).within(0xC0)
}

/// Of this agent of the bus or of all.
const fn agents(name: &'static str, value: u64) -> UnitMask {
    mask(name, value).within(0x20)
}

/// With prefetches by hardware or without.
pub(super) const fn prefetches(name: &'static str, value: u64) -> UnitMask {
    mask(name, value).within(0x30)
}

/// Of lines in these states, or of these kinds of snoops.
pub(super) const fn lines(name: &'static str, value: u64) -> UnitMask {
    mask(name, value).within(0x0F)
}

const BUS_AGENTS: UnitMasks = exclusive(0x00, &[mask("this_agent", 0x00), mask("all_agents", 0x20)]);
const BUS_AGENTS_AND_SNOOP: UnitMasks = bitmask(
    0x0B,
    &[
        agents("this_agent", 0x00),
        lines("clean", 0x01),
        lines("hit", 0x02),
        lines("hitm", 0x08),
        lines("any", 0x0B),
        agents("all_agents", 0x20),
    ],
);
pub(super) const CORE: UnitMasks = exclusive(0x40, &[mask("self", 0x40), mask("both_cores", 0xC0)]);
pub(super) const CORE_AND_BUS_AGENTS: UnitMasks = bitmask(
    0x40,
    &[core("self", 0x40), agents("this_agent", 0x40), agents("all_agents", 0x60), core("both_cores", 0xC0)],
);
/// OProfile's default is 0x40, with which no snoop is counted. libpfm's is every kind.
const CORE_AND_SNOOP: UnitMasks = bitmask(
    0x43,
    &[
        core("self", 0x40),
        lines("share", 0x41),
        lines("invalidate", 0x42),
        lines("any", 0x43),
        core("both_cores", 0xC0),
    ],
);
const CORE_MESI: UnitMasks = bitmask(
    0x4F,
    &[
        core("self", 0x40),
        lines("i_state", 0x41),
        lines("s_state", 0x42),
        lines("e_state", 0x44),
        lines("m_state", 0x48),
        lines("mesi", 0x4F),
        core("both_cores", 0xC0),
    ],
);
pub(super) const CORE_PREFETCH: UnitMasks = bitmask(
    0x70,
    &[
        core("self", 0x40),
        prefetches("excl_prefetch", 0x40),
        prefetches("prefetch", 0x50),
        prefetches("any", 0x70),
        core("both_cores", 0xC0),
    ],
);
const CORE_PREFETCH_MESI: UnitMasks = bitmask(
    0x7F,
    &[
        core("self", 0x40),
        prefetches("excl_prefetch", 0x40),
        lines("i_state", 0x41),
        lines("s_state", 0x42),
        lines("e_state", 0x44),
        lines("m_state", 0x48),
        lines("mesi", 0x4F),
        prefetches("prefetch", 0x50),
        prefetches("any", 0x70),
        core("both_cores", 0xC0),
    ],
);
/// OProfile's default is 0x02, which the SDM calls CYCLES_INT_PENDING_AND_MASKED.
const CYCLES_INT_MASKED: UnitMasks = exclusive(0x01, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const DELAYED_BYPASS: UnitMasks = exclusive(0x00, &[mask("fp", 0x00), mask("simd", 0x01), mask("load", 0x02)]);
const DTLB_MISS: UnitMasks =
    bitmask(0x0F, &[mask("any", 0x01), mask("miss_ld", 0x02), mask("l0_miss_ld", 0x04), mask("miss_st", 0x08)]);
const ESP: UnitMasks = bitmask(0x01, &[mask("synch", 0x01), mask("additions", 0x02)]);
const INST_RETIRED: UnitMasks =
    bitmask(0x00, &[mask("any_p", 0x00), mask("loads", 0x01), mask("stores", 0x02), mask("other", 0x04)]);
const ITLB_MISS: UnitMasks =
    bitmask(0x12, &[mask("small_miss", 0x02), mask("large_miss", 0x10), mask("misses", 0x12), mask("flush", 0x40)]);
const L1D_SPLIT: UnitMasks = exclusive(0x01, &[mask("loads", 0x01), mask("stores", 0x02)]);
const LOAD_BLOCK: UnitMasks = bitmask(
    0x3E,
    &[mask("sta", 0x02), mask("std", 0x04), mask("overlap_store", 0x08), mask("until_retire", 0x10), mask("l1d", 0x20)],
);
const MACHINE_NUKES: UnitMasks = bitmask(0x05, &[mask("smc", 0x01), mask("mem_order", 0x04)]);
const MACRO_INSTS: UnitMasks = bitmask(0x09, &[mask("decoded", 0x01), mask("cisc_decoded", 0x08)]);
const MEMORY_DIS: UnitMasks = exclusive(0x01, &[mask("reset", 0x01), mask("success", 0x02)]);
const MEM_LOAD_RETIRED: UnitMasks = exclusive(
    0x01,
    &[
        mask("l1d_miss", 0x01),
        mask("l1d_line_miss", 0x02),
        mask("l2_miss", 0x04),
        mask("l2_line_miss", 0x08),
        mask("dtlb_miss", 0x10),
    ],
);
const MESI: UnitMasks = bitmask(
    0x0F,
    &[
        mask("invalid", 0x01),
        mask("i_state", 0x01),
        mask("shared", 0x02),
        mask("s_state", 0x02),
        mask("exclusive", 0x04),
        mask("e_state", 0x04),
        mask("modified", 0x08),
        mask("m_state", 0x08),
        mask("mesi", 0x0F),
    ],
);
const MMX_TRANS: UnitMasks = bitmask(0x03, &[mask("to_mmx", 0x01), mask("to_fp", 0x02)]);
const NONHLT: UnitMasks = exclusive(0x00, &[mask("core_p", 0x00), mask("bus", 0x01), mask("no_other", 0x02)]);
const PAGE_WALKS: UnitMasks = exclusive(0x02, &[mask("count", 0x01), mask("cycles", 0x02)]);
const RAT_STALLS: UnitMasks = bitmask(
    0x0F,
    &[
        mask("rob_read_port", 0x01),
        mask("partial_cycles", 0x02),
        mask("flags", 0x04),
        mask("fpsw", 0x08),
        mask("any", 0x0F),
    ],
);
const RESOURCE_STALLS: UnitMasks = bitmask(
    0x0F,
    &[
        mask("rob_full", 0x01),
        mask("rs_full", 0x02),
        mask("ld_st", 0x04),
        mask("fpcw", 0x08),
        mask("br_miss_clear", 0x10),
        mask("any", 0x1F),
    ],
);
const SEG_REGS: UnitMasks =
    bitmask(0x0F, &[mask("es", 0x01), mask("ds", 0x02), mask("fs", 0x04), mask("gs", 0x08), mask("any", 0x0F)]);
const SIMD_COMP_INST_RETIRED: UnitMasks = bitmask(
    0x0F,
    &[
        mask("packed_single", 0x01),
        mask("scalar_single", 0x02),
        mask("packed_double", 0x04),
        mask("scalar_double", 0x08),
    ],
);
const SIMD_INSTR_TYPE_EXEC: UnitMasks = bitmask(
    0x3F,
    &[
        mask("mul", 0x01),
        mask("shift", 0x02),
        mask("pack", 0x04),
        mask("unpack", 0x08),
        mask("logical", 0x10),
        mask("arithmetic", 0x20),
        mask("0x3f", 0x3F),
    ],
);
const SIMD_INST_RETIRED: UnitMasks = bitmask(
    0x1F,
    &[
        mask("packed_single", 0x01),
        mask("scalar_single", 0x02),
        mask("packed_double", 0x04),
        mask("scalar_double", 0x08),
        mask("vector", 0x10),
        mask("any", 0x1F),
    ],
);
const SSE_MISS: UnitMasks = exclusive(0x00, &[mask("nta", 0x00), mask("l1", 0x01), mask("l2", 0x02)]);
const SSE_PREFETCH: UnitMasks =
    exclusive(0x00, &[mask("nta", 0x00), mask("l1", 0x01), mask("l2", 0x02), mask("stores", 0x03)]);
const STORE_BLOCK: UnitMasks = bitmask(0x0B, &[mask("0x01", 0x01), mask("order", 0x02), mask("snoop", 0x08)]);
const UOPS_RETIRED: UnitMasks = bitmask(
    0x0F,
    &[
        mask("ld_ind_br", 0x01),
        mask("std_sta", 0x02),
        mask("macro_fusion", 0x04),
        mask("fused", 0x07),
        mask("non_fused", 0x08),
        mask("any", 0x0F),
    ],
);
const X87_OPS_RETIRED: UnitMasks = exclusive(0xFE, &[mask("fxch", 0x01), mask("any", 0xFE)]);
