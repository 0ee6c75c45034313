//! The events of Core Solo and Core Duo by name.
//!
//! Sources: SDM vol. 3, chapter "Performance Monitoring Events"; names, codes, unit masks and shortest
//! periods as in OProfile, events/i386/core/events and unit_masks.
//! Unit masks have the names that OProfile and libpfm (lib/events/intel_core_events.h, intel_coreduo_events.h; MIT) give
//! them, else their values.
//!
//! Bits 14 and 15 of a selector say whose events are counted where the two cores share what an event is about: this
//! core's (01B) or both cores' (11B); 00B is reserved (SDM vol. 3, table "Core Specificity Encoding within a
//! Non-Architectural Umask"). OProfile has 00B for 26 events. Here they are this core's unless a unit mask says
//! otherwise, as in libpfm (lib/events/intel_coreduo_events.h, which has the same 26).

use super::core_2::{CORE, CORE_AND_BUS_AGENTS, CORE_PREFETCH, core, lines, prefetches};
use super::{bitmask, exclusive, mask, masked, timed};
use crate::event::catalogue::{NamedEvent, UnitMasks};

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
    timed("BR_INST_RETIRED", 0xC4, 0b11, 500),
    timed("BR_MISS_PRED_RETIRED", 0xC5, 0b11, 500),
    timed("BR_MISS_PRED_TAKEN_RET", 0xCA, 0b11, 500),
    timed("BR_MISSP_EXEC", 0x89, 0b11, 3000),
    timed("BR_RET_BAC_MISSP_EXEC", 0x91, 0b11, 3000),
    timed("BR_RET_EXEC", 0x8F, 0b11, 3000),
    timed("BR_RET_MISSP_EXEC", 0x90, 0b11, 3000),
    timed("BR_TAKEN_RETIRED", 0xC9, 0b11, 500),
    timed("BTB_MISSES", 0xE2, 0b11, 500),
    timed("BUS_BNR_DRV", 0x61, 0b11, 500),
    timed("BUS_DATA_RCV", 0x4064, 0b11, 500),
    timed("BUS_DRDY_CLOCKS", 0x62, 0b11, 500),
    masked("BUS_LOCK_CLOCKS", 0x63, 0b11, 500, CORE),
    masked("BUS_NOT_IN_USE", 0x7D, 0b11, 500, CORE),
    masked("BUS_REQ_OUTSTANDING", 0x60, 0b11, 500, CORE_AND_BUS_AGENTS),
    timed("BUS_SNOOP_STALL", 0x7E, 0b11, 500),
    masked("BUS_SNOOPS", 0x77, 0b11, 500, CORE_MESI),
    timed("BUS_TRAN_ANY", 0xC070, 0b11, 500),
    masked("BUS_TRAN_BRD", 0x65, 0b11, 500, CORE),
    timed("BUS_TRAN_BURST", 0xC06E, 0b11, 500),
    masked("BUS_TRAN_IFETCH", 0x68, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_INVAL", 0x69, 0b11, 500, CORE_AND_BUS_AGENTS),
    timed("BUS_TRAN_MEM", 0xC06F, 0b11, 500),
    masked("BUS_TRAN_PWR", 0x6A, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRAN_RFO", 0x66, 0b11, 500, CORE_AND_BUS_AGENTS),
    timed("BUS_TRAN_WB", 0xC067, 0b11, 500),
    timed("BUS_TRANS_DEF", 0x606D, 0b11, 500),
    masked("BUS_TRANS_IO", 0x6C, 0b11, 500, CORE_AND_BUS_AGENTS),
    masked("BUS_TRANS_P", 0x6B, 0b11, 500, CORE_AND_BUS_AGENTS),
    timed("COMP_FLOP_RET", 0xC1, 0b1, 3000),
    masked("CPU_CLK_UNHALTED", 0x3C, 0b11, 6000, NONHLT),
    timed("CYCLES_DIV_BUSY", 0x14, 0b1, 1000),
    timed("CYCLES_INT_MASKED", 0xC6, 0b11, 500),
    timed("CYCLES_INT_PENDING_AND_MASKED", 0xC7, 0b11, 500),
    timed("DATA_MEM_CACHE_REFS", 0x0244, 0b11, 500),
    timed("DATA_MEM_REFS", 0x0143, 0b11, 500),
    masked("DCACHE_CACHE_LD", 0x40, 0b11, 500, MESI),
    masked("DCACHE_CACHE_LOCK", 0x42, 0b11, 500, MESI),
    masked("DCACHE_CACHE_ST", 0x41, 0b11, 500, MESI),
    timed("DCACHE_M_EVICT", 0x47, 0b11, 500),
    timed("DCACHE_M_REPL", 0x46, 0b11, 500),
    masked("DCACHE_PEND_MISS", 0x48, 0b11, 500, DC_PEND_MISS),
    timed("DCACHE_REPL", 0x0F45, 0b11, 500),
    timed("DCU_SNOOP_TO_SHARE", 0x4178, 0b11, 500),
    timed("DIV", 0x13, 0b10, 500),
    timed("DTLB_MISS", 0x49, 0b11, 500),
    masked("EMON_FUSED_UOPS_RET", 0xDA, 0b11, 3000, FUSED),
    masked("EMON_KNI_PREF_DISPATCHED", 0x07, 0b11, 500, KNI_PREFETCH),
    timed("EMON_PREF_RQSTS_DN", 0xF8, 0b11, 3000),
    timed("EMON_PREF_RQSTS_UP", 0xF0, 0b11, 3000),
    masked("EMON_SSE_SSE2_COMP_INST_RETIRED", 0xD9, 0b11, 3000, SSE_SSE2_INST_RETIRED),
    masked("EMON_SSE_SSE2_INST_RETIRED", 0xD8, 0b11, 3000, SSE_SSE2_INST_RETIRED),
    timed("EMON_UNFUSION", 0xDB, 0b11, 3000),
    timed("ESP_UOPS", 0xD7, 0b11, 3000),
    masked("EST_TRANS_ALL", 0x3A, 0b11, 500, EST_TRANS),
    timed("FLOPS", 0x10, 0b1, 3000),
    timed("FP_ASSIST", 0x11, 0b10, 500),
    masked("FP_MMX_TRANS", 0xCC, 0b11, 3000, MMX_TRANS),
    timed("HW_INT_RX", 0xC8, 0b11, 500),
    timed("ICACHE_MISSES", 0x81, 0b11, 500),
    timed("ICACHE_READS", 0x80, 0b11, 500),
    timed("IFU_MEM_STALL", 0x86, 0b11, 500),
    timed("ILD_STALL", 0x87, 0b11, 500),
    timed("INST_DECODED", 0xD0, 0b11, 6000),
    timed("INST_RETIRED", 0xC0, 0b11, 6000),
    timed("ITLB_MISS", 0x85, 0b11, 500),
    timed("L1_PREF_REQ", 0x4F, 0b11, 500),
    masked("L2_ADS", 0x21, 0b11, 500, CORE),
    masked("L2_DBUS_BUSY", 0x22, 0b11, 500, CORE),
    masked("L2_DBUS_BUSY_RD", 0x23, 0b11, 500, CORE),
    masked("L2_IFETCH", 0x28, 0b11, 500, CORE_MESI),
    masked("L2_LD", 0x29, 0b11, 500, CORE_MESI),
    masked("L2_LINES_IN", 0x24, 0b11, 500, CORE_PREFETCH),
    masked("L2_LINES_OUT", 0x26, 0b11, 500, CORE_PREFETCH),
    masked("L2_M_LINES_INM", 0x25, 0b11, 500, CORE),
    masked("L2_M_LINES_OUTM", 0x27, 0b11, 500, CORE_PREFETCH),
    masked("L2_NO_REQUEST_CYCLES", 0x32, 0b11, 500, CORE_PREFETCH_MESI),
    masked("L2_REJECT_CYCLES", 0x30, 0b11, 500, CORE_PREFETCH_MESI),
    masked("L2_RQSTS", 0x2E, 0b11, 6000, CORE_PREFETCH_MESI),
    masked("L2_ST", 0x2A, 0b11, 500, CORE_MESI),
    timed("LD_BLOCKS", 0x03, 0b11, 500),
    timed("MISALIGN_MEM_REF", 0x05, 0b11, 500),
    timed("MMX_ASSIST", 0xCD, 0b11, 500),
    timed("MMX_INSTR_EXEC", 0xB0, 0b11, 500),
    timed("MMX_INSTR_RET", 0xCE, 0b11, 3000),
    masked("MMX_INSTR_TYPE_EXEC", 0xB3, 0b11, 3000, MMX_INSTR_TYPE_EXEC),
    timed("MUL", 0x12, 0b10, 1000),
    timed("RESOURCE_STALLS", 0xA2, 0b11, 500),
    timed("SB_DRAINS", 0x04, 0b11, 500),
    timed("SEGMENT_REG_LOADS", 0x06, 0b11, 500),
    timed("SIMD_SAT_INSTR_EXEC", 0xB1, 0b11, 3000),
    timed("SMC_DETECTED", 0xC3, 0b11, 500),
    masked("SSE_PREF_MISS", 0x4B, 0b11, 500, SSE_MISS),
    timed("THERMAL_TRIP", 0xC03B, 0b11, 500),
    timed("UOPS_RETIRED", 0xC2, 0b11, 6000),
];

/// The states of lines, of this core's events unless bit 15 is added.
const CORE_MESI: UnitMasks = bitmask(
    0x4F,
    &[
        core("self", 0x40),
        lines("invalid", 0x41),
        lines("i_state", 0x41),
        lines("shared", 0x42),
        lines("s_state", 0x42),
        lines("exclusive", 0x44),
        lines("e_state", 0x44),
        lines("modified", 0x48),
        lines("m_state", 0x48),
        lines("all", 0x4F),
        lines("mesi", 0x4F),
        core("both_cores", 0xC0),
    ],
);
/// The same, with prefetches: bits 12 and 13.
const CORE_PREFETCH_MESI: UnitMasks = bitmask(
    0x7F,
    &[
        core("self", 0x40),
        lines("invalid", 0x41),
        lines("i_state", 0x41),
        lines("shared", 0x42),
        lines("s_state", 0x42),
        lines("exclusive", 0x44),
        lines("e_state", 0x44),
        lines("modified", 0x48),
        lines("m_state", 0x48),
        lines("all", 0x4F),
        lines("mesi", 0x4F),
        prefetches("prefetch", 0x50),
        prefetches("any", 0x70),
        core("both_cores", 0xC0),
    ],
);
const DC_PEND_MISS: UnitMasks = exclusive(0x00, &[mask("0x00", 0x00), mask("0x01", 0x01)]);
const EST_TRANS: UnitMasks = exclusive(0x00, &[mask("any", 0x00), mask("freq", 0x10), mask("0x20", 0x20)]);
const FUSED: UnitMasks = exclusive(0x00, &[mask("all", 0x00), mask("loads", 0x01), mask("stores", 0x02)]);
const KNI_PREFETCH: UnitMasks =
    exclusive(0x00, &[mask("nta", 0x00), mask("t1", 0x01), mask("t2", 0x02), mask("0x03", 0x03)]);
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
        mask("all", 0x0F),
        mask("mesi", 0x0F),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
    ],
);
const MMX_INSTR_TYPE_EXEC: UnitMasks = bitmask(
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
const MMX_TRANS: UnitMasks = exclusive(0x00, &[mask("to_fp", 0x00), mask("to_mmx", 0x01)]);
const NONHLT: UnitMasks =
    exclusive(0x00, &[mask("core_p", 0x00), mask("nonhlt_ref_cycles", 0x01), mask("serial_execution_cycles", 0x02)]);
const SSE_MISS: UnitMasks =
    exclusive(0x00, &[mask("nta_miss", 0x00), mask("t1_miss", 0x01), mask("t2_miss", 0x02), mask("stores_miss", 0x03)]);
const SSE_SSE2_INST_RETIRED: UnitMasks = exclusive(
    0x00,
    &[
        mask("packed_single", 0x00),
        mask("single", 0x00),
        mask("scalar_single", 0x01),
        mask("packed_double", 0x02),
        mask("scalar_double", 0x03),
        mask("double", 0x03),
    ],
);
