//! The events that came with MMX, by name.
//!
//! Sources: SDM vol. 3, "Pentium Processor Performance Monitoring Events", table "Events That Can Be Counted with Pentium
//! Processor Performance-Monitoring Counters", its shaded lines; checked against perfctr (usr.lib/event_set_p5.c), whose
//! spelling of the names is used, and for event 36H of counter 1 against FreeBSD's pmc.p5(3). The table has
//! MISPREDICTED_OR_UNPREDICTED_RETURNS under counter 1; perfctr, illumos-gate (usr/src/uts/intel/pcbe/p123_pcbe.c) and the
//! order of the table have it on counter 0. Event 39H of counter 1 is reserved, and left out.

use super::{first, second};
use crate::event::catalogue::NamedEvent;

pub(in crate::arch::x86::p5) const EVENTS: &[NamedEvent] = &[
    first("BTB_FALSE_ENTRIES", 0x3A),
    second("BTB_MISS_PREDICTION_ON_NOT_TAKEN_BRANCH", 0x3A),
    first("BUS_OWNERSHIP_LATENCY", 0x2A),
    second("BUS_OWNERSHIP_TRANSFERS", 0x2A),
    first("BUS_UTILIZATION_DUE_TO_PROCESSOR_ACTIVITY", 0x2E),
    second("CACHE_LINE_SHARING", 0x2C),
    first("CACHE_M_STATE_LINE_SHARING", 0x2C),
    first("D1_STARVATION_AND_FIFO_IS_EMPTY", 0x33),
    second("D1_STARVATION_AND_ONLY_ONE_INSTRUCTION_IN_FIFO", 0x33),
    second("DATA_CACHE_TLB_MISS_STALL_DURATION", 0x30),
    first("EMMS_INSTRUCTIONS_EXECUTED", 0x2D),
    first("FLOATING_POINT_STALLS_DURATION", 0x32),
    first("FULL_WRITE_BUFFER_STALL_DURATION_WHILE_EXECUTING_MMX_INSTRUCTIONS", 0x3B),
    first("MISALIGNED_DATA_MEMORY_REFERENCE_ON_MMX_INSTRUCTIONS", 0x36),
    first("MISPREDICTED_OR_UNPREDICTED_RETURNS", 0x37),
    second("MMX_INSTRUCTION_DATA_READ_MISSES", 0x31),
    first("MMX_INSTRUCTION_DATA_READS", 0x31),
    second("MMX_INSTRUCTION_DATA_WRITE_MISSES", 0x34),
    first("MMX_INSTRUCTION_DATA_WRITES", 0x34),
    first("MMX_INSTRUCTIONS_EXECUTED_U_PIPE", 0x2B),
    second("MMX_INSTRUCTIONS_EXECUTED_V_PIPE", 0x2B),
    first("MMX_MULTIPLY_UNIT_INTERLOCK", 0x38),
    second("MOVD_MOVQ_STORE_STALL_DUE_TO_PREVIOUS_MMX_OPERATION", 0x38),
    first("NUMBER_OF_CYCLES_NOT_IN_HALT_STATE", 0x30),
    first("PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS", 0x35),
    second("PIPELINE_FLUSHES_DUE_TO_WRONG_BRANCH_PREDICTIONS_RESOLVED_IN_WB_STAGE", 0x35),
    second("PIPELINE_STALL_FOR_MMX_INSTRUCTION_DATA_MEMORY_READS", 0x36),
    second("PREDICTED_RETURNS", 0x37),
    first("RETURNS", 0x39),
    first("SATURATING_MMX_INSTRUCTIONS_EXECUTED", 0x2F),
    second("SATURATIONS_PERFORMED", 0x2F),
    second("STALL_ON_MMX_INSTRUCTION_WRITE_TO_E_OR_M_STATE_LINE", 0x3B),
    second("TAKEN_BRANCHES", 0x32),
    second("TRANSITIONS_BETWEEN_MMX_AND_FP_INSTRUCTIONS", 0x2D),
    second("WRITES_TO_NONCACHEABLE_MEMORY", 0x2E),
];
