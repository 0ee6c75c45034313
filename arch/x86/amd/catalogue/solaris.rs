//! Solaris' names for the events of Opteron, families 0Fh, 10h and 11h.
//!
//! Sources: the names that cputrack -h lists ("AMD Opteron & Athlon64"), with the codes of illumos-gate,
//! usr/src/uts/intel/pcbe/opteron_pcbe.c, which are those of the BKDG 26094. The northbridge's have no counter: a
//! core's counters do not count them. An event has the unit mask of its own table by default; Solaris leaves it
//! 0, with which most events that have unit masks count nothing.

use crate::event::catalogue::OtherName;

const fn name(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// The names of family 10h.
pub(super) const FAMILY_10H: &[OtherName] = ALL.split_at(6).1;

/// The names of families 0Fh and 11h.
pub(super) const HAMMER: &[OtherName] = ALL.split_at(88).0;

/// All names: first those that family 10h does not have, last those that it has alone.
const ALL: &[OtherName] = &[
    name("BU_quadwords_written_to_system", 0x016D),
    name("FR_retired_fpu_instr", 0xCB),
    name("FR_retired_mmx_fp_instr", 0xCB),
    name("NB_sized_blocks", 0xE5),
    name("NB_ECC_errors", 0xE8),
    name("NB_probe_result", 0xEC),
    name("DC_dcache_accesses_by_locks", 0x014C),
    name("DC_dtlb_L1_miss_L2_miss", 0x46),
    name("IC_itlb_L1_miss_L2_miss", 0x85),
    name("FP_dispatched_fpu_ops", 0x00),
    name("FP_cycles_no_fpu_ops_retired", 0x01),
    name("FP_dispatched_fpu_ops_ff", 0x02),
    name("LS_seg_reg_load", 0x20),
    name("LS_uarch_resync_self_modify", 0x21),
    name("LS_uarch_resync_snoop", 0x22),
    name("LS_buffer_2_full", 0x23),
    name("LS_locked_operation", 0x24),
    name("LS_retired_cflush", 0x26),
    name("LS_retired_cpuid", 0x27),
    name("DC_access", 0x40),
    name("DC_miss", 0x41),
    name("DC_refill_from_L2", 0x42),
    name("DC_refill_from_system", 0x43),
    name("DC_copyback", 0x44),
    name("DC_dtlb_L1_miss_L2_hit", 0x45),
    name("DC_misaligned_data_ref", 0x47),
    name("DC_uarch_late_cancel_access", 0x48),
    name("DC_uarch_early_cancel_access", 0x49),
    name("DC_1bit_ecc_error_found", 0x4A),
    name("DC_dispatched_prefetch_instr", 0x4B),
    name("BU_memory_requests", 0x65),
    name("BU_data_prefetch", 0x67),
    name("BU_system_read_responses", 0x6C),
    name("BU_cpu_clk_unhalted", 0x76),
    name("BU_internal_L2_req", 0x7D),
    name("BU_fill_req_missed_L2", 0x7E),
    name("BU_fill_into_L2", 0x7F),
    name("IC_fetch", 0x80),
    name("IC_miss", 0x81),
    name("IC_refill_from_L2", 0x82),
    name("IC_refill_from_system", 0x83),
    name("IC_itlb_L1_miss_L2_hit", 0x84),
    name("IC_uarch_resync_snoop", 0x86),
    name("IC_instr_fetch_stall", 0x87),
    name("IC_return_stack_hit", 0x88),
    name("IC_return_stack_overflow", 0x89),
    name("FR_retired_x86_instr_w_excp_intr", 0xC0),
    name("FR_retired_uops", 0xC1),
    name("FR_retired_branches_w_excp_intr", 0xC2),
    name("FR_retired_branches_mispred", 0xC3),
    name("FR_retired_taken_branches", 0xC4),
    name("FR_retired_taken_branches_mispred", 0xC5),
    name("FR_retired_far_ctl_transfer", 0xC6),
    name("FR_retired_resyncs", 0xC7),
    name("FR_retired_near_rets", 0xC8),
    name("FR_retired_near_rets_mispred", 0xC9),
    name("FR_retired_taken_branches_mispred_addr_miscomp", 0xCA),
    name("FR_retired_fastpath_double_op_instr", 0xCC),
    name("FR_intr_masked_cycles", 0xCD),
    name("FR_intr_masked_while_pending_cycles", 0xCE),
    name("FR_taken_hardware_intrs", 0xCF),
    name("FR_nothing_to_dispatch", 0xD0),
    name("FR_dispatch_stalls", 0xD1),
    name("FR_dispatch_stall_branch_abort_to_retire", 0xD2),
    name("FR_dispatch_stall_serialization", 0xD3),
    name("FR_dispatch_stall_segment_load", 0xD4),
    name("FR_dispatch_stall_reorder_buffer_full", 0xD5),
    name("FR_dispatch_stall_resv_stations_full", 0xD6),
    name("FR_dispatch_stall_fpu_full", 0xD7),
    name("FR_dispatch_stall_ls_full", 0xD8),
    name("FR_dispatch_stall_waiting_all_quiet", 0xD9),
    name("FR_dispatch_stall_far_ctl_trsfr_resync_branch_pend", 0xDA),
    name("FR_fpu_exception", 0xDB),
    name("FR_num_brkpts_dr0", 0xDC),
    name("FR_num_brkpts_dr1", 0xDD),
    name("FR_num_brkpts_dr2", 0xDE),
    name("FR_num_brkpts_dr3", 0xDF),
    name("NB_mem_ctrlr_page_access", 0xE0),
    name("NB_mem_ctrlr_page_table_overflow", 0xE1),
    name("NB_mem_ctrlr_turnaround", 0xE3),
    name("NB_mem_ctrlr_bypass_counter_saturation", 0xE4),
    name("NB_cpu_io_to_mem_io", 0xE9),
    name("NB_cache_block_commands", 0xEA),
    name("NB_sized_commands", 0xEB),
    name("NB_gart_events", 0xEE),
    name("NB_ht_bus0_bandwidth", 0xF6),
    name("NB_ht_bus1_bandwidth", 0xF7),
    name("NB_ht_bus2_bandwidth", 0xF8),
    name("BU_octwords_written_to_system", 0x016D),
    name("DC_dtlb_L1_hit", 0x4D),
    name("FP_retired_move_ops", 0x04),
    name("FP_retired_serialize_ops", 0x05),
    name("FP_retired_sse_ops", 0x03),
    name("FP_serialize_ops_cycles", 0x06),
    name("FR_retired_mmx_sse_fp_instr", 0xCB),
    name("IC_cache_lines_invalidate", 0x8C),
    name("IC_eviction", 0x8B),
    name("IC_itlb_reload", 0x99),
    name("IC_itlb_reload_aborted", 0x9A),
    name("LS_cancelled_store_to_load_fwd_ops", 0x2A),
    name("LS_global_tlb_flush", 0x54),
    name("LS_ineffective_prefetch", 0x52),
    name("LS_smi_received", 0x2B),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_family_has_its_names_from_the_first_to_the_last() {
        let ends = |names: &[OtherName]| [names[0].name, names[names.len() - 1].name];
        assert_eq!(ends(FAMILY_10H), ["DC_dcache_accesses_by_locks", "LS_smi_received"]);
        assert_eq!(ends(HAMMER), ["BU_quadwords_written_to_system", "NB_ht_bus2_bandwidth"]);
    }
}
