//! The events of family 12h by name.
//!
//! The northbridge's events are left out, because these counters do not count them.
//!
//! Sources: names, codes, unit masks and shortest periods as in OProfile, events/x86-64/family12h/events and
//! unit_masks. A unit mask without a name there is named by its value.

use super::{bitmask, mask, masked, timed};
use crate::event::catalogue::{NamedEvent, UnitMasks};

pub(super) const EVENTS: &[NamedEvent] = &[
    masked("CANCELLED_STORE_TO_LOAD", 0x2A, 0b1111, 500, STORE_TO_LOAD),
    timed("CPU_CLK_UNHALTED", 0x76, 0b1111, 50000),
    timed("CYCLES_FPU_EMPTY", 0x01, 0b1111, 500),
    timed("DATA_CACHE_ACCESSES", 0x40, 0b1111, 500),
    masked("DATA_CACHE_LINES_EVICTED", 0x44, 0b1111, 500, MOESI_GH),
    timed("DATA_CACHE_MISSES", 0x41, 0b1111, 500),
    masked("DATA_CACHE_REFILLS_FROM_L2_OR_NORTHBRIDGE", 0x42, 0b1111, 500, MOESS),
    masked("DATA_CACHE_REFILLS_FROM_NORTHBRIDGE", 0x43, 0b1111, 500, MOESI),
    masked("DATA_PREFETCHES", 0x67, 0b1111, 500, DATAPREFETCH),
    timed("DECODER_EMPTY", 0xD0, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_BRANCH_ABORT", 0xD2, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_FAR_TRANSFER_OR_RESYNC", 0xDA, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_FPU_FULL", 0xD7, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_LS_FULL", 0xD8, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_REORDER_BUFFER_FULL", 0xD5, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_RESERVATION_STATION_FULL", 0xD6, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_SEGMENT_LOAD", 0xD4, 0b1111, 500),
    timed("DISPATCH_STALL_FOR_SERIALIZATION", 0xD3, 0b1111, 500),
    timed("DISPATCH_STALL_WAITING_FOR_ALL_QUIET", 0xD9, 0b1111, 500),
    timed("DISPATCH_STALLS", 0xD1, 0b1111, 500),
    masked("DISPATCHED_FPU_OPS", 0x00, 0b1111, 500, FPU_OPS),
    timed("DISPATCHED_FPU_OPS_FAST_FLAG", 0x02, 0b1111, 500),
    timed("DR0_BREAKPOINTS", 0xDC, 0b1111, 500),
    timed("DR1_BREAKPOINTS", 0xDD, 0b1111, 500),
    timed("DR2_BREAKPOINTS", 0xDE, 0b1111, 500),
    timed("DR3_BREAKPOINTS", 0xDF, 0b1111, 500),
    masked("FPU_EXCEPTIONS", 0xDB, 0b1111, 500, FPU_EXCEPTIONS),
    timed("GLOBAL_TLB_FLUSHES", 0x54, 0b1111, 500),
    masked("INEFFECTIVE_SW_PREFETCHES", 0x52, 0b1111, 500, SOFT_PREFETCH),
    timed("INSTRUCTION_CACHE_FETCHES", 0x80, 0b1111, 500),
    masked("INSTRUCTION_CACHE_INVALIDATED", 0x8C, 0b1111, 500, ICACHE_INVALIDATED),
    timed("INSTRUCTION_CACHE_MISSES", 0x81, 0b1111, 500),
    timed("INSTRUCTION_CACHE_REFILLS_FROM_L2", 0x82, 0b1111, 500),
    timed("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 0x83, 0b1111, 500),
    timed("INSTRUCTION_CACHE_VICTIMS", 0x8B, 0b1111, 500),
    timed("INSTRUCTION_FETCH_STALL", 0x87, 0b1111, 500),
    timed("INTERRUPTS_MASKED_CYCLES", 0xCD, 0b1111, 500),
    timed("INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", 0xCE, 0b1111, 500),
    timed("INTERRUPTS_TAKEN", 0xCF, 0b1111, 500),
    timed("ITLB_RELOADS", 0x99, 0b1111, 500),
    timed("ITLB_RELOADS_ABORTED", 0x9A, 0b1111, 500),
    masked("L1_DTLB_AND_L2_DTLB_MISS", 0x46, 0b1111, 500, L1_L2_DTLB_MISS),
    masked("L1_DTLB_HIT", 0x4D, 0b1111, 500, L1_DTLB_HIT),
    masked("L1_DTLB_MISS_AND_L2_DTLB_HIT", 0x45, 0b1111, 500, L1_DTLB_MISS_L2_HIT),
    timed("L1_ITLB_MISS_AND_L2_ITLB_HIT", 0x84, 0b1111, 500),
    masked("L1_ITLB_MISS_AND_L2_ITLB_MISS", 0x85, 0b1111, 500, L1_L2_ITLB_MISS),
    masked("L2_CACHE_FILL_WRITEBACK", 0x7F, 0b1111, 500, L2_FILL),
    masked("L2_CACHE_MISS", 0x7E, 0b1111, 500, L2_REQ_MISS),
    timed("LFENCE_INSTRUCTIONS_RETIRED", 0x1_0000_00D3, 0b1111, 500),
    timed("LOCKED_INSTRUCTIONS_DCACHE_MISSES", 0x024C, 0b1111, 500),
    masked("LOCKED_OPS", 0x24, 0b1111, 500, LOCK_OPS),
    timed("LS_BUFFER_2_FULL_CYCLES", 0x23, 0b1111, 500),
    masked("MEMORY_REQUESTS", 0x65, 0b1111, 500, MEMREQTYPE),
    timed("MFENCE_INSTRUCTIONS_RETIRED", 0x1_0000_00D5, 0b1111, 500),
    timed("MICRO_ARCH_EARLY_CANCEL_ACCESS", 0x49, 0b1111, 500),
    timed("MICRO_ARCH_LATE_CANCEL_ACCESS", 0x48, 0b1111, 500),
    timed("MISALIGNED_ACCESSES", 0x47, 0b1111, 500),
    masked("NORTHBRIDGE_READ_RESPONSES", 0x6C, 0b1111, 500, SYSTEMREADRESPONSE),
    timed("OCTWORD_WRITE_TRANSFERS", 0x016D, 0b1111, 500),
    masked("PAGE_SIZE_MISMATCHES", 0x1_0000_0065, 0b1111, 500, PAGE_SIZE_MISMATCHES),
    timed("PIPELINE_RESTART_DUE_TO_INSTRUCTION_STREAM_PROBE", 0x86, 0b1111, 500),
    timed("PIPELINE_RESTART_DUE_TO_PROBE_HIT", 0x22, 0b1111, 500),
    timed("PIPELINE_RESTART_DUE_TO_SELF_MODIFYING_CODE", 0x21, 0b1111, 500),
    masked("PREFETCH_INSTRUCTIONS_DISPATCHED", 0x4B, 0b1111, 500, PREFETCH),
    masked("REQUESTS_TO_L2", 0x7D, 0b1111, 500, L2_INTERNAL),
    timed("RETIRED_BRANCH_INSTRUCTIONS", 0xC2, 0b1111, 500),
    timed("RETIRED_BRANCH_RESYNCS", 0xC7, 0b1111, 500),
    timed("RETIRED_CLFLUSH_INSTRUCTIONS", 0x26, 0b1111, 500),
    timed("RETIRED_CPUID_INSTRUCTIONS", 0x27, 0b1111, 500),
    timed("RETIRED_FAR_CONTROL_TRANSFERS", 0xC6, 0b1111, 500),
    timed("RETIRED_INDIRECT_BRANCHES_MISPREDICTED", 0xCA, 0b1111, 500),
    timed("RETIRED_INSTRUCTIONS", 0xC0, 0b1111, 50000),
    timed("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 0xC3, 0b1111, 500),
    masked("RETIRED_MMX_FP_INSTRUCTIONS", 0xCB, 0b1111, 500, FPU_INSTR),
    masked("RETIRED_MOVE_OPS", 0x04, 0b1111, 500, MOVE_OPS),
    timed("RETIRED_NEAR_RETURNS", 0xC8, 0b1111, 500),
    timed("RETIRED_NEAR_RETURNS_MISPREDICTED", 0xC9, 0b1111, 500),
    masked("RETIRED_SERIALIZING_OPS", 0x05, 0b1111, 500, SERIAL_OPS),
    masked("RETIRED_SSE_OPS", 0x03, 0b1111, 500, SSE_OPS),
    timed("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 0xC4, 0b1111, 500),
    timed("RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xC5, 0b1111, 500),
    timed("RETIRED_UOPS", 0xC1, 0b1111, 50000),
    masked("RETIRED_X87_FLOATING_POINT_OPERATIONS", 0x1_0000_00C0, 0b1111, 500, RETIRED_X87_FP),
    timed("RETURN_STACK_HITS", 0x88, 0b1111, 500),
    timed("RETURN_STACK_OVERFLOWS", 0x89, 0b1111, 500),
    masked("SEGMENT_REGISTER_LOADS", 0x20, 0b1111, 500, SEGREGLOAD),
    masked("SERIAL_UOPS_IN_FP_SCHED", 0x06, 0b1111, 500, SERIAL_OPS_SCHED),
    timed("SFENCE_INSTRUCTIONS_RETIRED", 0x1_0000_00D4, 0b1111, 500),
    timed("SMIS_RECEIVED", 0x2B, 0b1111, 500),
];

const DATAPREFETCH: UnitMasks = bitmask(0x03, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const FPU_EXCEPTIONS: UnitMasks =
    bitmask(0x0F, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const FPU_INSTR: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const FPU_OPS: UnitMasks = bitmask(
    0x3F,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x3f", 0x3F),
    ],
);
const ICACHE_INVALIDATED: UnitMasks =
    bitmask(0x03, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const L1_DTLB_HIT: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const L1_DTLB_MISS_L2_HIT: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const L1_L2_DTLB_MISS: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const L1_L2_ITLB_MISS: UnitMasks = bitmask(0x03, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const L2_FILL: UnitMasks = bitmask(0x03, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const L2_INTERNAL: UnitMasks = bitmask(
    0x3F,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
    ],
);
const L2_REQ_MISS: UnitMasks =
    bitmask(0x0F, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const LOCK_OPS: UnitMasks =
    bitmask(0x0F, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const MEMREQTYPE: UnitMasks =
    bitmask(0x87, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x80", 0x80)]);
const MOESI: UnitMasks = bitmask(
    0x1F,
    &[
        mask("invalid", 0x01),
        mask("shared", 0x02),
        mask("exclusive", 0x04),
        mask("owned", 0x08),
        mask("modified", 0x10),
        mask("all", 0x1F),
    ],
);
const MOESI_GH: UnitMasks = bitmask(
    0x1F,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
    ],
);
const MOESS: UnitMasks = bitmask(
    0x1E,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x1e", 0x1E),
    ],
);
const MOVE_OPS: UnitMasks =
    bitmask(0x0F, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const PAGE_SIZE_MISMATCHES: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const PREFETCH: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const RETIRED_X87_FP: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const SEGREGLOAD: UnitMasks = bitmask(
    0x7F,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
    ],
);
const SERIAL_OPS: UnitMasks =
    bitmask(0x0F, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const SERIAL_OPS_SCHED: UnitMasks = bitmask(0x03, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const SOFT_PREFETCH: UnitMasks = bitmask(0x09, &[mask("0x01", 0x01), mask("0x08", 0x08)]);
const SSE_OPS: UnitMasks = bitmask(
    0x7F,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
    ],
);
const STORE_TO_LOAD: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const SYSTEMREADRESPONSE: UnitMasks = bitmask(
    0x1F,
    &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08), mask("0x10", 0x10)],
);
