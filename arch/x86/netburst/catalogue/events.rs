//! The events of the Pentium 4, with their masks.
//!
//! The names are libpfm's (lib/events/intel_netburst_events.h), whose case does not matter, so that OProfile's and the
//! manual's are the same but for [`OTHER_NAMES`]. The default masks and the shortest periods are OProfile's
//! (events/i386/p4); events that it lacks have all their masks, or what is not bogus. Masks that libpfm lacks: of the
//! branch types, of memory_complete and of x87_SIMD_moves_uop, which are OProfile's and the SDM's. Bits 4 to 6 of
//! b2b_cycles are bits 4 to 6, where libpfm has bit 4 for all three. SMCLEAR is bit 6, as libpfm, OProfile and the SDM have
//! it, and not bit 2, as Linux has it.

use super::{BPU, BPU_0, BPU_1, FLAME, IQ, MS, bits, event, mask};
use crate::arch::x86::netburst::events::{Part, code};
use crate::event::catalogue::{NamedEvent, OtherName, UnitMask};

/// Other names of events: the manual's and OProfile's.
pub(super) const OTHER_NAMES: &[OtherName] = &[OtherName { name: "uop_type", code: code(Part::Iq, 0x02, 2, 0) }];

/// The number of events that all processors have.
pub(super) const COUNT: usize = 45;

/// The events that all processors have.
pub(super) const COMMON: &[NamedEvent] = &[
    event("128bit_MMX_uop", code(Part::Flame, 0x1A, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("64bit_MMX_uop", code(Part::Flame, 0x02, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("b2b_cycles", code(Part::Bpu, 0x16, 3, 0), BPU, 0, bits(0x7E, B2B_CYCLES)),
    event("bnr", code(Part::Bpu, 0x08, 3, 0), BPU, 0, bits(0x7, BNR)),
    event("BPU_fetch_request", code(Part::Bpu, 0x03, 0, 0), BPU, 3000, bits(0x1, BPU_FETCH_REQUEST)),
    event("branch_retired", code(Part::Iq, 0x06, 5, 0), IQ, 3000, bits(0xC, BRANCH_RETIRED)),
    event("BSQ_active_entries", code(Part::Bpu, 0x06, 7, 0), BPU_1, 3000, bits(0x21, BSQ)),
    event("BSQ_allocation", code(Part::Bpu, 0x05, 7, 0), BPU_0, 3000, bits(0x21, BSQ)),
    event("BSQ_cache_reference", code(Part::Bpu, 0x0C, 7, 0), BPU, 3000, bits(0x73F, BSQ_CACHE_REFERENCE)),
    event("execution_event", code(Part::Iq, 0x0C, 5, 0), IQ, 0, bits(0xF, EXECUTION_EVENT)),
    event("front_end_event", code(Part::Iq, 0x08, 5, 0), IQ, 0, bits(0x1, RETIRED)),
    event("FSB_data_activity", code(Part::Bpu, 0x17, 6, 0), BPU, 3000, bits(0x3F, FSB_DATA_ACTIVITY)),
    event("global_power_events", code(Part::Bpu, 0x13, 6, 0), BPU, 3000, bits(0x1, GLOBAL_POWER_EVENTS)),
    event("instr_retired", code(Part::Iq, 0x02, 4, 0), IQ, 3000, bits(0x1, INSTR_RETIRED)),
    event("IOQ_active_entries", code(Part::Bpu, 0x1A, 6, 0), BPU_1, 3000, bits(0xEFE1, IOQ)),
    event("ITLB_reference", code(Part::Bpu, 0x18, 3, 0), BPU, 3000, bits(0x7, ITLB_REFERENCE)),
    event("load_port_replay", code(Part::Flame, 0x04, 2, 0), FLAME, 3000, bits(0x2, LOAD_PORT_REPLAY)),
    event("machine_clear", code(Part::Iq, 0x02, 5, 0), IQ, 3000, bits(0x1, MACHINE_CLEAR)),
    event("memory_cancel", code(Part::Flame, 0x02, 5, 0), FLAME, 3000, bits(0x8, MEMORY_CANCEL)),
    event("memory_complete", code(Part::Flame, 0x08, 2, 0), FLAME, 3000, bits(0x3, MEMORY_COMPLETE)),
    event("mispred_branch_retired", code(Part::Iq, 0x03, 4, 0), IQ, 3000, bits(0x1, MISPRED_BRANCH_RETIRED)),
    event("MOB_load_replay", code(Part::Bpu, 0x03, 2, 0), BPU, 3000, bits(0x3A, MOB_LOAD_REPLAY)),
    event("packed_DP_uop", code(Part::Flame, 0x0C, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("packed_SP_uop", code(Part::Flame, 0x08, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("page_walk_type", code(Part::Bpu, 0x01, 4, 0), BPU, 3000, bits(0x1, PAGE_WALK_TYPE)),
    event("replay_event", code(Part::Iq, 0x09, 5, 0), IQ, 0, bits(0x5, REPLAY_EVENT)),
    event("resource_stall", code(Part::Iq, 0x01, 1, 0), IQ, 0, bits(0x20, RESOURCE_STALL)),
    event("response", code(Part::Bpu, 0x04, 3, 0), BPU, 0, bits(0x306, RESPONSE)),
    event("retired_branch_type", code(Part::Ms, 0x04, 2, 0), MS, 3000, bits(0x1F, BRANCH_TYPE)),
    event("retired_mispred_branch_type", code(Part::Ms, 0x05, 2, 0), MS, 3000, bits(0x1F, BRANCH_TYPE)),
    event("scalar_DP_uop", code(Part::Flame, 0x0E, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("scalar_SP_uop", code(Part::Flame, 0x0A, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("snoop", code(Part::Bpu, 0x06, 3, 0), BPU, 0, bits(0xC4, SNOOP)),
    event("SSE_input_assist", code(Part::Flame, 0x34, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("store_port_replay", code(Part::Flame, 0x05, 2, 0), FLAME, 3000, bits(0x2, STORE_PORT_REPLAY)),
    event("TC_deliver_mode", code(Part::Ms, 0x01, 1, 0), MS, 3000, bits(0x4, TC_DELIVER_MODE)),
    event("TC_misc", code(Part::Ms, 0x06, 1, 0), MS, 0, bits(0x10, TC_MISC)),
    event("tc_ms_xfer", code(Part::Ms, 0x05, 0, 0), MS, 3000, bits(0x1, TC_MS_XFER)),
    event("uop_queue_writes", code(Part::Ms, 0x09, 0, 0), MS, 3000, bits(0x7, UOP_QUEUE_WRITES)),
    event("uops_retired", code(Part::Iq, 0x01, 4, 0), IQ, 3000, bits(0x1, RETIRED)),
    event("uops_type", code(Part::Iq, 0x02, 2, 0), IQ, 3000, bits(0x2, UOPS_TYPE)),
    event("WC_Buffer", code(Part::Flame, 0x05, 5, 0), FLAME, 0, bits(0x3, WC_BUFFER)),
    event("x87_assist", code(Part::Iq, 0x03, 5, 0), IQ, 3000, bits(0x1F, X87_ASSIST)),
    event("x87_FP_uop", code(Part::Flame, 0x04, 1, 0), FLAME, 3000, bits(0x8000, ALL)),
    event("x87_SIMD_moves_uop", code(Part::Flame, 0x2E, 1, 0), FLAME, 3000, bits(0x18, X87_SIMD_MOVES_UOP)),
];

/// The events of processors before Prescott.
pub(super) const EARLY: &[NamedEvent] =
    &[event("IOQ_allocation", code(Part::Bpu, 0x03, 6, 0), BPU_0, 3000, bits(0xEFE1, IOQ))];

/// The events of Prescott and later processors.
pub(super) const PRESCOTT: &[NamedEvent] = &[
    event("instr_completed", code(Part::Iq, 0x07, 4, 0), IQ, 0, bits(0x1, RETIRED)),
    event("IOQ_allocation", code(Part::Bpu, 0x03, 6, 0), BPU, 3000, bits(0xEFE1, IOQ)),
];

const ALL: &[UnitMask] = &[mask("ALL", 15)];
const B2B_CYCLES: &[UnitMask] =
    &[mask("BIT1", 1), mask("BIT2", 2), mask("BIT3", 3), mask("BIT4", 4), mask("BIT5", 5), mask("BIT6", 6)];
const BNR: &[UnitMask] = &[mask("BIT0", 0), mask("BIT1", 1), mask("BIT2", 2)];
const BPU_FETCH_REQUEST: &[UnitMask] = &[mask("TCMISS", 0)];
const BRANCH_RETIRED: &[UnitMask] = &[mask("MMNP", 0), mask("MMNM", 1), mask("MMTP", 2), mask("MMTM", 3)];
const BSQ: &[UnitMask] = &[
    mask("REQ_TYPE0", 0),
    mask("REQ_TYPE1", 1),
    mask("REQ_LEN0", 2),
    mask("REQ_LEN1", 3),
    mask("REQ_IO_TYPE", 5),
    mask("REQ_LOCK_TYPE", 6),
    mask("REQ_CACHE_TYPE", 7),
    mask("REQ_SPLIT_TYPE", 8),
    mask("REQ_DEM_TYPE", 9),
    mask("REQ_ORD_TYPE", 10),
    mask("MEM_TYPE0", 11),
    mask("MEM_TYPE1", 12),
    mask("MEM_TYPE2", 13),
];
const BSQ_CACHE_REFERENCE: &[UnitMask] = &[
    mask("RD_2ndL_HITS", 0),
    mask("RD_2ndL_HITE", 1),
    mask("RD_2ndL_HITM", 2),
    mask("RD_3rdL_HITS", 3),
    mask("RD_3rdL_HITE", 4),
    mask("RD_3rdL_HITM", 5),
    mask("RD_2ndL_MISS", 8),
    mask("RD_3rdL_MISS", 9),
    mask("WR_2ndL_MISS", 10),
];
const EXECUTION_EVENT: &[UnitMask] = &[
    mask("NBOGUS0", 0),
    mask("NBOGUS1", 1),
    mask("NBOGUS2", 2),
    mask("NBOGUS3", 3),
    mask("BOGUS0", 4),
    mask("BOGUS1", 5),
    mask("BOGUS2", 6),
    mask("BOGUS3", 7),
];
const RETIRED: &[UnitMask] = &[mask("NBOGUS", 0), mask("BOGUS", 1)];
const FSB_DATA_ACTIVITY: &[UnitMask] = &[
    mask("DRDY_DRV", 0),
    mask("DRDY_OWN", 1),
    mask("DRDY_OTHER", 2),
    mask("DBSY_DRV", 3),
    mask("DBSY_OWN", 4),
    mask("DBSY_OTHER", 5),
];
const GLOBAL_POWER_EVENTS: &[UnitMask] = &[mask("RUNNING", 0)];
const INSTR_RETIRED: &[UnitMask] =
    &[mask("NBOGUSNTAG", 0), mask("NBOGUSTAG", 1), mask("BOGUSNTAG", 2), mask("BOGUSTAG", 3)];
const IOQ: &[UnitMask] = &[
    mask("TYPE_BIT0", 0),
    mask("TYPE_BIT1", 1),
    mask("TYPE_BIT2", 2),
    mask("TYPE_BIT3", 3),
    mask("TYPE_BIT4", 4),
    mask("ALL_READ", 5),
    mask("ALL_WRITE", 6),
    mask("MEM_UC", 7),
    mask("MEM_WC", 8),
    mask("MEM_WT", 9),
    mask("MEM_WP", 10),
    mask("MEM_WB", 11),
    mask("OWN", 13),
    mask("OTHER", 14),
    mask("PREFETCH", 15),
];
const ITLB_REFERENCE: &[UnitMask] = &[mask("HIT", 0), mask("MISS", 1), mask("HIT_UC", 2)];
const LOAD_PORT_REPLAY: &[UnitMask] = &[mask("SPLIT_LD", 1)];
const MACHINE_CLEAR: &[UnitMask] = &[mask("CLEAR", 0), mask("MOCLEAR", 2), mask("SMCLEAR", 6)];
const MEMORY_CANCEL: &[UnitMask] = &[mask("ST_RB_FULL", 2), mask("64K_CONF", 3)];
const MEMORY_COMPLETE: &[UnitMask] = &[mask("LSC", 0), mask("SSC", 1), mask("UC_LSC", 2), mask("UC_SSC", 3)];
const MISPRED_BRANCH_RETIRED: &[UnitMask] = &[mask("NBOGUS", 0), mask("BOGUS", 0)];
const MOB_LOAD_REPLAY: &[UnitMask] =
    &[mask("NO_STA", 1), mask("NO_STD", 3), mask("PARTIAL_DATA", 4), mask("UNALGN_ADDR", 5)];
const PAGE_WALK_TYPE: &[UnitMask] = &[mask("DTMISS", 0), mask("ITMISS", 1)];
const REPLAY_EVENT: &[UnitMask] = &[
    mask("NBOGUS", 0),
    mask("BOGUS", 1),
    mask("L1_LD_MISS", 2),
    mask("L2_LD_MISS", 3),
    mask("DTLB_LD_MISS", 4),
    mask("DTLB_ST_MISS", 5),
    mask("DTLB_ALL_MISS", 6),
    mask("BR_MSP", 7),
    mask("MOB_LD_REPLAY", 8),
    mask("SP_LD_RET", 9),
    mask("SP_ST_RET", 10),
];
const RESOURCE_STALL: &[UnitMask] = &[mask("SBFULL", 5)];
const RESPONSE: &[UnitMask] = &[mask("BIT1", 1), mask("BIT2", 2), mask("BIT8", 8), mask("BIT9", 9)];
const BRANCH_TYPE: &[UnitMask] =
    &[mask("UNCONDITIONAL", 0), mask("CONDITIONAL", 1), mask("CALL", 2), mask("RETURN", 3), mask("INDIRECT", 4)];
const SNOOP: &[UnitMask] = &[mask("BIT2", 2), mask("BIT6", 6), mask("BIT7", 7)];
const STORE_PORT_REPLAY: &[UnitMask] = &[mask("SPLIT_ST", 1)];
const TC_DELIVER_MODE: &[UnitMask] = &[
    mask("DD", 0),
    mask("DB", 1),
    mask("DI", 2),
    mask("BD", 3),
    mask("BB", 4),
    mask("BI", 5),
    mask("ID", 6),
    mask("IB", 7),
];
const TC_MISC: &[UnitMask] = &[mask("FLUSH", 4)];
const TC_MS_XFER: &[UnitMask] = &[mask("CISC", 0)];
const UOP_QUEUE_WRITES: &[UnitMask] = &[mask("FROM_TC_BUILD", 0), mask("FROM_TC_DELIVER", 1), mask("FROM_ROM", 2)];
const UOPS_TYPE: &[UnitMask] = &[mask("TAGLOADS", 1), mask("TAGSTORES", 2)];
const WC_BUFFER: &[UnitMask] = &[mask("WCB_EVICTS", 0), mask("WCB_FULL_EVICT", 1)];
const X87_ASSIST: &[UnitMask] = &[mask("FPSU", 0), mask("FPSO", 1), mask("POAO", 2), mask("POAU", 3), mask("PREA", 4)];
const X87_SIMD_MOVES_UOP: &[UnitMask] = &[mask("ALLP0", 3), mask("ALLP2", 4)];
