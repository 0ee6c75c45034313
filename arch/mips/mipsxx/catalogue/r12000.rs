//! R12000's and R14000's events.
//!
//! Source: IRIX' perfex(1) and r10k_counters(5), compared with PAPI's irix-mips.c. The code is perfex' number.
//! The shortest periods are OProfile's (mips/r12000, GPL).

use super::{event, other};
use crate::event::catalogue::{NamedEvent, OtherName};

pub(super) const EVENTS: &[NamedEvent] = &[
    event("ALU/FPU_progress_cycles", 0x0E, 0b11, 500),
    event("Correctable_scache_data_array_ECC_errors", 0x08, 0b11, 500),
    event("Cycles", 0x00, 0b11, 500),
    event("Data_misprediction_from_scache_way_prediction_table", 0x1B, 0b11, 500),
    event("Decoded_instructions", 0x01, 0b11, 500),
    event("Decoded_loads", 0x02, 0b11, 500),
    event("Decoded_stores", 0x03, 0b11, 500),
    event("Executed_prefetch_instructions", 0x10, 0b11, 500),
    event("External_interventions", 0x0C, 0b11, 500),
    event("External_invalidations", 0x0D, 0b11, 500),
    event("Failed_store_conditionals", 0x05, 0b11, 500),
    event("Graduated_floating_point_instructions", 0x15, 0b11, 500),
    event("Graduated_instructions", 0x0F, 0b11, 500),
    event("Graduated_loads", 0x12, 0b11, 500),
    event("Graduated_store_conditionals", 0x14, 0b11, 500),
    event("Graduated_stores", 0x13, 0b11, 500),
    event("Instruction_misprediction_from_scache_way_prediction_table", 0x0B, 0b11, 500),
    event("Mispredicted_branches", 0x18, 0b11, 500),
    event("Miss_handling_table_entries_accessing_memory", 0x1E, 0b11, 500),
    event("Miss_handling_table_occupancy", 0x04, 0b11, 500),
    event("Prefetch_primary_data_cache_misses", 0x11, 0b11, 500),
    event("Primary_data_cache_misses", 0x19, 0b11, 500),
    event("Primary_instruction_cache_misses", 0x09, 0b11, 500),
    event("Quadwords_written_back_from_primary_data_cache", 0x16, 0b11, 500),
    event("Quadwords_written_back_from_scache", 0x07, 0b11, 500),
    event("Resolved_conditional_branches", 0x06, 0b11, 500),
    event("Secondary_data_cache_misses", 0x1A, 0b11, 500),
    event("Secondary_instruction_cache_misses", 0x0A, 0b11, 500),
    event("State_of_external_intervention_hits_in_scache", 0x1C, 0b11, 500),
    event("State_of_external_invalidation_hits_in_scache", 0x1D, 0b11, 500),
    event("Store/prefetch_exclusive_to_shared_block_in_scache", 0x1F, 0b11, 500),
    event("TLB_misses", 0x17, 0b11, 500),
];

/// OProfile's names.
pub(super) const OTHER_NAMES: &[OtherName] = &[
    other("CORRECTABLE_ECC_ERRORS", 0x08),
    other("DCACHE_MISSES", 0x19),
    other("EXTERNAL_REQUESTS", 0x0D),
    other("FAILED_STORE_CONDITIONAL", 0x05),
    other("GRADUATED_FP_INSTRUCTIONS", 0x15),
    other("ICACHE_MISSES", 0x09),
    other("INSTRUCTIONS_GRADUATED", 0x0F),
    other("INSTRUCTION_SECONDARY_CACHE_MISSES", 0x0A),
    other("INTERVENTION_REQUESTS", 0x0C),
    other("MISS_TABLE_OCCUPANCY", 0x04),
    other("PREFETCH_INSTRUCTIONS_EXECUTED", 0x10),
    other("PREFETCH_MISSES_IN_DCACHE", 0x11),
    other("QUADWORDS", 0x16),
    other("QUADWORRDS_WRITEBACK_FROM_SC", 0x07),
    other("RESOLVED_BRANCH_CONDITIONAL", 0x06),
    other("SCACHE_MISSES", 0x1A),
    other("SCACHE_WAY_MISPREDICTION", 0x1B),
    other("SECONDARY_CACHE_WAY_MISSPREDICTED", 0x0B),
    other("STATE_OF_EXTERNAL_INVALIDATION_HIT", 0x1D),
    other("STATE_OF_SCACHE_INTERVENTION_HIT", 0x1C),
    other("STORE_PREFETCH_EXCLUSIVE_SHARED_SC_BLOCK", 0x1F),
    other("STORE_PREFETCH_EXCLUSIVE_TO_CLEAN_SC_BLOCK", 0x1E),
];
