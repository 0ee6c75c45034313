//! R10000's events up to revision 2.x.
//!
//! Source: IRIX' perfex(1) and r10k_counters(5), compared with PAPI's irix-mips.c. The code is perfex' number.
//! The shortest periods are OProfile's (mips/r10000, GPL), whose list is of the later revisions.
//! Cycles and graduated instructions are events of both counters, with two numbers: those of counter 1 end in _1.

use super::event;
use crate::event::catalogue::NamedEvent;

pub(super) const EVENTS: &[NamedEvent] = &[
    event("Correctable_scache_data_array_ECC_errors", 0x08, 0b1, 500),
    event("Cycles", 0x00, 0b1, 500),
    event("Cycles_1", 0x10, 0b10, 500),
    event("Data_misprediction_from_scache_way_prediction_table", 0x1B, 0b10, 500),
    event("Decoded_branches", 0x06, 0b1, 500),
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
    event("Secondary_data_cache_misses", 0x1A, 0b10, 500),
    event("Secondary_instruction_cache_misses", 0x0A, 0b1, 500),
    event("Store/prefetch_exclusive_to_clean_block_in_scache", 0x1E, 0b10, 500),
    event("Store/prefetch_exclusive_to_shared_block_in_scache", 0x1F, 0b10, 500),
    event("TLB_misses", 0x17, 0b10, 500),
    event("Virtual_coherency_conditions", 0x0E, 0b1, 500),
];
