//! R10000's events from revision 3.0 on.
//!
//! Source: IRIX' perfex(1) and r10k_counters(5), compared with PAPI's irix-mips.c. The code is perfex' number.
//! The shortest periods are OProfile's (mips/r10000, GPL).
//! Cycles and graduated instructions are events of both counters, with two numbers: those of counter 1 end in _1.

use super::{event, other};
use crate::event::catalogue::{NamedEvent, OtherName};

pub(super) const EVENTS: &[NamedEvent] = &[
    event("ALU/FPU_progress_cycles", 0x0E, 0b1, 500),
    event("Correctable_scache_data_array_ECC_errors", 0x08, 0b1, 500),
    event("Cycles", 0x00, 0b1, 500),
    event("Cycles_1", 0x10, 0b10, 500),
    event("Data_misprediction_from_scache_way_prediction_table", 0x1B, 0b10, 500),
    event("External_intervention_hits_in_scache", 0x1C, 0b10, 500),
    event("External_interventions", 0x0C, 0b1, 500),
    event("External_invalidation_hits_in_scache", 0x1D, 0b10, 500),
    event("External_invalidations", 0x0D, 0b1, 500),
    event("Failed_store_conditionals", 0x05, 0b1, 500),
    event("Graduated_floating_point_instructions", 0x15, 0b10, 500),
    event("Graduated_instructions", 0x0F, 0b1, 500),
    event("Graduated_instructions_1", 0x11, 0b10, 500),
    event("Graduated_loads", 0x12, 0b10, 500),
    event("Graduated_store_conditionals", 0x14, 0b10, 500),
    event("Graduated_stores", 0x13, 0b10, 500),
    event("Instruction_misprediction_from_scache_way_prediction_table", 0x0B, 0b1, 500),
    event("Issued_instructions", 0x01, 0b1, 500),
    event("Issued_loads", 0x02, 0b1, 500),
    event("Issued_store_conditionals", 0x04, 0b1, 500),
    event("Issued_stores", 0x03, 0b1, 500),
    event("Mispredicted_branches", 0x18, 0b10, 500),
    event("Primary_data_cache_misses", 0x19, 0b10, 500),
    event("Primary_instruction_cache_misses", 0x09, 0b1, 500),
    event("Quadwords_written_back_from_primary_data_cache", 0x16, 0b10, 500),
    event("Quadwords_written_back_from_scache", 0x07, 0b1, 500),
    event("Resolved_branches", 0x06, 0b1, 500),
    event("Secondary_data_cache_misses", 0x1A, 0b10, 500),
    event("Secondary_instruction_cache_misses", 0x0A, 0b1, 500),
    event("Store/prefetch_exclusive_to_clean_block_in_scache", 0x1E, 0b10, 500),
    event("Store/prefetch_exclusive_to_shared_block_in_scache", 0x1F, 0b10, 500),
    event("TLB_misses", 0x17, 0b10, 500),
];

/// OProfile's names.
pub(super) const OTHER_NAMES: &[OtherName] = &[
    other("BRANCHES_MISPREDICTED", 0x18),
    other("BRANCHES_RESOLVED", 0x06),
    other("CORRECTABLE_ECC_ERRORS_SCACHE", 0x08),
    other("EXTERNAL_INTERVENTION_RQ", 0x0C),
    other("EXTERNAL_INTERVENTION_RQ_HITS_SCACHE", 0x1C),
    other("EXTERNAL_INVALIDATE_RQ", 0x0D),
    other("EXTERNAL_INVALIDATE_RQ_HITS_SCACHE", 0x1D),
    other("FAILED_STORE_CONDITIONAL", 0x05),
    other("FP_INSTRUCTON_GRADUATED", 0x15),
    other("FUNCTIONAL_UNIT_COMPLETION_CYCLES", 0x0E),
    other("INSTRUCTIONS_GRADUATED", 0x11),
    other("INSTRUCTIONS_ISSUED", 0x01),
    other("INSTRUCTION_CACHE_MISSES", 0x09),
    other("INSTRUCTION_GRADUATED", 0x0F),
    other("LOAD_PREFETC_SYNC_CACHEOP_GRADUATED", 0x12),
    other("LOAD_PREFETC_SYNC_CACHEOP_ISSUED", 0x02),
    other("QUADWORDS_WB_FROM_PRIMARY_DCACHE", 0x16),
    other("QUADWORDS_WB_FROM_SCACHE", 0x07),
    other("SCACHE_LOAD_STORE_CACHEOP_OPERATIONS", 0x19),
    other("SCACHE_MISSES_DATA", 0x1A),
    other("SCACHE_MISSES_INSTRUCTION", 0x0A),
    other("SCACHE_WAY_MISPREDICTED_DATA", 0x1B),
    other("SCACHE_WAY_MISPREDICTED_INSN", 0x0B),
    other("STORES_GRADUATED", 0x13),
    other("STORES_ISSUED", 0x03),
    other("STORES_OR_STORE_PREF_TO_CLEANEXCLUSIVE_SCACHE_BLOCKS", 0x1E),
    other("STORES_OR_STORE_PREF_TO_SHD_SCACHE_BLOCKS", 0x1F),
    other("STORE_COND_GRADUATED", 0x14),
    other("STORE_COND_ISSUED", 0x04),
    other("TLB_REFILL_EXCEPTIONS", 0x17),
];
