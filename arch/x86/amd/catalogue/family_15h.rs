//! The events of family 15h by name.
//!
//! Sources: names, codes, unit masks and shortest periods as in OProfile, events/x86-64/family15h/events and
//! unit_masks. A unit mask without a name there is named by its value.

use super::{bitmask, mask, masked, timed};
use crate::event::catalogue::{NamedEvent, UnitMasks};

pub(super) const EVENTS: &[NamedEvent] = &[
    timed("BOTTOM_EXECUTE_OP", 0x06, 0b111000, 500),
    timed("CANCELLED_STORE_TO_LOAD", 0x012A, 0b111111, 500),
    timed("CPU_CLK_UNHALTED", 0x76, 0b111, 50000),
    timed("CYCLES_FPU_EMPTY", 0x01, 0b111000, 500),
    timed("DATA_CACHE_ACCESSES", 0x40, 0b111111, 500),
    masked("DATA_CACHE_MISSES", 0x41, 0b111111, 500, DCACHE_MISSES),
    masked("DATA_CACHE_REFILLS_FROM_L2_OR_NORTHBRIDGE", 0x42, 0b111111, 500, DCACHE_REFILLS),
    timed("DATA_CACHE_REFILLS_FROM_NORTHBRIDGE", 0x43, 0b111, 500),
    timed("DATA_PREFETCHER", 0x0267, 0b111, 500),
    timed("DECODER_EMPTY", 0xD0, 0b111, 500),
    timed("DISPATCH_STALL_FOR_FPU_FULL", 0xD7, 0b111, 500),
    timed("DISPATCH_STALL_FOR_INT_SCHED_QUEUE_FULL", 0xD6, 0b111, 500),
    timed("DISPATCH_STALL_FOR_LDQ_FULL", 0xD8, 0b111, 500),
    timed("DISPATCH_STALL_FOR_RETIRE_QUEUE_FULL", 0xD5, 0b111, 500),
    timed("DISPATCH_STALL_FOR_SERIALIZATION", 0xD3, 0b111, 500),
    timed("DISPATCH_STALL_FOR_STQ_FULL", 0x1_0000_00D8, 0b111111, 500),
    timed("DISPATCH_STALLS", 0xD1, 0b111, 500),
    masked("DISPATCHED_FPU_OPS", 0x00, 0b1000, 500, FPU_OPS),
    timed("DR0_BREAKPOINTS", 0xDC, 0b111111, 500),
    timed("DR1_BREAKPOINTS", 0xDD, 0b111111, 500),
    timed("DR2_BREAKPOINTS", 0xDE, 0b111111, 500),
    timed("DR3_BREAKPOINTS", 0xDF, 0b111111, 500),
    timed("EXECUTED_CFLUSH_INST", 0x30, 0b111111, 500),
    masked("FPU_EXCEPTIONS", 0xDB, 0b111111, 500, FPU_EXCEPTIONS),
    masked("IBS_OPS_TAGGED", 0x1_0000_00CF, 0b111111, 50000, IBS_OPS_TAGGED),
    masked("INEFFECTIVE_SW_PREFETCHES", 0x52, 0b111111, 500, SOFT_PREFETCH),
    timed("INSTRUCTION_CACHE_FETCHES", 0x80, 0b111, 500),
    masked("INSTRUCTION_CACHE_INVALIDATED", 0x8C, 0b111, 500, ICACHE_INVALIDATED),
    timed("INSTRUCTION_CACHE_MISSES", 0x81, 0b111, 500),
    timed("INSTRUCTION_CACHE_REFILLS_FROM_L2", 0x82, 0b111, 500),
    timed("INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", 0x83, 0b111, 500),
    timed("INSTRUCTION_CACHE_VICTIMS", 0x8B, 0b111, 500),
    timed("INSTRUCTION_FETCH_STALL", 0x87, 0b111, 500),
    timed("INTERRUPTS_MASKED_CYCLES", 0xCD, 0b111111, 500),
    timed("INTERRUPTS_MASKED_CYCLES_WITH_INTERRUPT_PENDING", 0xCE, 0b111111, 500),
    timed("INTERRUPTS_TAKEN", 0xCF, 0b111111, 500),
    timed("ITLB_RELOADS", 0x99, 0b111, 500),
    timed("ITLB_RELOADS_ABORTED", 0x9A, 0b111, 500),
    timed("L1_ITLB_MISS_AND_L2_ITLB_HIT", 0x84, 0b111, 500),
    masked("L1_ITLB_MISS_AND_L2_ITLB_MISS", 0x85, 0b111, 500, L1_L2_ITLB_MISS),
    masked("L2_CACHE_FILL_WRITEBACK", 0x7F, 0b111, 500, L2_FILL),
    masked("L2_CACHE_MISS", 0x7E, 0b111, 500, L2_REQ_MISS),
    masked("L2_PREFETCHER_TRIGGER", 0x1_0000_006C, 0b111, 500, L2_PREFETCHER_TRIGGER),
    masked("LOAD_Q_STORE_Q_FULL", 0x23, 0b111, 500, LOADQ_STOREQ),
    masked("LOCKED_OPS", 0x24, 0b111111, 500, LOCK_OPS),
    masked("LS_DISPATCH", 0x29, 0b111111, 500, LS_DISPATCH),
    masked("MAB_REQS", 0x68, 0b111, 500, BUFFER_ID),
    masked("MAB_WAIT", 0x69, 0b111, 500, BUFFER_ID),
    masked("MEMORY_REQUESTS", 0x65, 0b111, 500, MEMREQTYPE),
    timed("MICROSEQ_STALL_WAITING_FOR_ALL_QUIET", 0xD9, 0b111, 500),
    timed("MISALIGNED_ACCESSES", 0x47, 0b111111, 500),
    masked("MOVE_SCALAR_OPTIMIZATION", 0x04, 0b1000, 500, MOVE_OPS),
    timed("OCTWORD_WRITE_TRANSFERS", 0x016D, 0b111, 500),
    masked("PAGE_SPLINTERING", 0x1_0000_0065, 0b111, 500, PAGE_SIZE_MISMATCHES),
    timed("PIPELINE_RESTART_DUE_TO_INSTRUCTION_STREAM_PROBE", 0x86, 0b111, 500),
    timed("PIPELINE_RESTART_DUE_TO_PROBE_HIT", 0x22, 0b111111, 500),
    timed("PIPELINE_RESTART_DUE_TO_SELF_MODIFYING_CODE", 0x21, 0b111111, 500),
    masked("PREFETCH_INSTRUCTIONS_DISPATCHED", 0x4B, 0b111111, 500, PREFETCH),
    masked("REQUESTS_TO_L2", 0x7D, 0b111, 500, L2_INTERNAL),
    timed("RETIRED_BRANCH_INSTRUCTIONS", 0xC2, 0b111111, 500),
    timed("RETIRED_BRANCH_RESYNCS", 0xC7, 0b111111, 500),
    timed("RETIRED_CLFLUSH_INSTRUCTIONS", 0x26, 0b111111, 500),
    timed("RETIRED_CPUID_INSTRUCTIONS", 0x27, 0b111111, 500),
    timed("RETIRED_FAR_CONTROL_TRANSFERS", 0xC6, 0b111111, 500),
    timed("RETIRED_INDIRECT_BRANCHES_MISPREDICTED", 0xCA, 0b111111, 500),
    timed("RETIRED_INSTRUCTIONS", 0xC0, 0b111111, 50000),
    timed("RETIRED_MISPREDICTED_BRANCH_INSTRUCTIONS", 0xC3, 0b111111, 500),
    masked("RETIRED_MMX_FP_INSTRUCTIONS", 0xCB, 0b111111, 500, FPU_INSTR),
    timed("RETIRED_NEAR_RETURNS", 0xC8, 0b111111, 500),
    timed("RETIRED_NEAR_RETURNS_MISPREDICTED", 0xC9, 0b111111, 500),
    masked("RETIRED_SERIALIZING_OPS", 0x05, 0b111000, 500, SERIAL_OPS),
    masked("RETIRED_SSE_OPS", 0x03, 0b1000, 500, SSE_OPS),
    timed("RETIRED_TAKEN_BRANCH_INSTRUCTIONS", 0xC4, 0b111111, 500),
    timed("RETIRED_TAKEN_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xC5, 0b111111, 500),
    timed("RETIRED_UOPS", 0xC1, 0b111111, 50000),
    timed("RETURN_STACK_HITS", 0x88, 0b111, 500),
    timed("RETURN_STACK_OVERFLOWS", 0x89, 0b111, 500),
    masked("SEGMENT_REGISTER_LOADS", 0x20, 0b111111, 500, SEGREGLOAD),
    timed("SMIS_RECEIVED", 0x2B, 0b111111, 500),
    masked("SYSTEM_READ_RESPONSES", 0x6C, 0b111, 500, SYSTEMREADRESPONSE),
    masked("UNIFIED_TLB_HIT", 0x45, 0b111, 50000, UNIFIED_TLB_HIT),
    masked("UNIFIED_TLB_MISS", 0x46, 0b111, 500, UNIFIED_TLB_MISS),
];

const BUFFER_ID: UnitMasks = bitmask(
    0x01,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
        mask("0x80", 0x80),
    ],
);
const DCACHE_MISSES: UnitMasks = bitmask(0x01, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const DCACHE_REFILLS: UnitMasks = bitmask(0x0B, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x08", 0x08)]);
const FPU_EXCEPTIONS: UnitMasks = bitmask(
    0x1F,
    &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08), mask("0x10", 0x10)],
);
const FPU_INSTR: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const FPU_OPS: UnitMasks = bitmask(
    0xFF,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
        mask("0x80", 0x80),
        mask("0xff", 0xFF),
    ],
);
const IBS_OPS_TAGGED: UnitMasks = bitmask(0x01, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const ICACHE_INVALIDATED: UnitMasks =
    bitmask(0x0F, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const L1_L2_ITLB_MISS: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const L2_FILL: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const L2_INTERNAL: UnitMasks = bitmask(
    0x47,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x40", 0x40),
    ],
);
const L2_PREFETCHER_TRIGGER: UnitMasks = bitmask(0x03, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const L2_REQ_MISS: UnitMasks =
    bitmask(0x17, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x10", 0x10)]);
const LOADQ_STOREQ: UnitMasks = bitmask(0x03, &[mask("0x01", 0x01), mask("0x02", 0x02)]);
const LOCK_OPS: UnitMasks = bitmask(0x01, &[mask("0x01", 0x01), mask("0x04", 0x04), mask("0x08", 0x08)]);
const LS_DISPATCH: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const MEMREQTYPE: UnitMasks = bitmask(0x83, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x80", 0x80)]);
const MOVE_OPS: UnitMasks =
    bitmask(0x0C, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04), mask("0x08", 0x08)]);
const PAGE_SIZE_MISMATCHES: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
const PREFETCH: UnitMasks = bitmask(0x07, &[mask("0x01", 0x01), mask("0x02", 0x02), mask("0x04", 0x04)]);
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
const SOFT_PREFETCH: UnitMasks = bitmask(0x09, &[mask("0x01", 0x01), mask("0x08", 0x08)]);
const SSE_OPS: UnitMasks = bitmask(
    0xFF,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x08", 0x08),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
        mask("0x80", 0x80),
    ],
);
const SYSTEMREADRESPONSE: UnitMasks = bitmask(
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
const UNIFIED_TLB_HIT: UnitMasks = bitmask(
    0x77,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x07", 0x07),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
        mask("0x70", 0x70),
        mask("0x77", 0x77),
    ],
);
const UNIFIED_TLB_MISS: UnitMasks = bitmask(
    0x77,
    &[
        mask("0x01", 0x01),
        mask("0x02", 0x02),
        mask("0x04", 0x04),
        mask("0x07", 0x07),
        mask("0x10", 0x10),
        mask("0x20", 0x20),
        mask("0x40", 0x40),
        mask("0x70", 0x70),
        mask("0x77", 0x77),
    ],
);
