//! Solaris' names for the Pentium's events, where they differ from Intel's by more than the case of letters.
//!
//! Source: the names and codes of illumos-gate, usr/src/uts/intel/pcbe/p123_pcbe.c (`cache_lint_sharing` is spelled so
//! there). Its `rsb_overflow` is left out: Intel's table has nothing there.

use super::SECOND;
use crate::event::catalogue::OtherName;

const fn name(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code }
}

/// A name of an event of counter 1.
const fn second(name: &'static str, code: u64) -> OtherName {
    OtherName { name, code: SECOND | code }
}

/// The names that the Pentium has with MMX, first those of the events that it has without.
pub(super) const MMX: &[OtherName] = &[
    name("write_hit_to_M_or_E", 0x05),
    name("dcache_lines_wrback", 0x06),
    name("external_dcache_snoop_hits", 0x08),
    name("memory_access_in_both_pipes", 0x09),
    name("misaligned_ref", 0x0B),
    name("any_segreg_loaded", 0x0F),
    name("taken_or_btb_hit", 0x14),
    name("instr_exec", 0x16),
    name("instr_exec_V_pipe", 0x17),
    name("clks_bus_cycle", 0x18),
    name("clks_full_wbufs", 0x19),
    name("pipe_stall_read", 0x1A),
    name("stall_on_write_ME", 0x1B),
    name("io_rw_cycles", 0x1D),
    name("reads_noncache_mem", 0x1E),
    name("bp_match_dr0", 0x23),
    name("bp_match_dr1", 0x24),
    name("bp_match_dr2", 0x25),
    name("bp_match_dr3", 0x26),
    name("hw_intrs", 0x27),
    name("data_rw", 0x28),
    name("data_rw_miss", 0x29),
    name("mmx_instr_upipe", 0x2B),
    second("mmx_instr_vpipe", 0x2B),
    name("cache_M_line_sharing", 0x2C),
    second("cache_lint_sharing", 0x2C),
    name("emms_instr", 0x2D),
    second("mmx_fp_transitions", 0x2D),
    name("bus_util_processor", 0x2E),
    second("writes_noncache_mem", 0x2E),
    name("sat_mmx_instr", 0x2F),
    second("sats_performed", 0x2F),
    name("clks_not_HLT", 0x30),
    second("clks_dcache_tlb_miss", 0x30),
    name("mmx_data_read", 0x31),
    second("mmx_data_read_miss", 0x31),
    name("clks_fp_stall", 0x32),
    second("taken_br", 0x32),
    name("d1_starv_fifo_0", 0x33),
    second("d1_starv_fifo_1", 0x33),
    name("mmx_data_write", 0x34),
    second("mmx_data_write_miss", 0x34),
    name("pipe_flush_wbp", 0x35),
    second("pipe_flush_wbp_wb", 0x35),
    name("mmx_misalign_data_refs", 0x36),
    second("mmx_pipe_stall_data_read", 0x36),
    name("rets_pred_incorrect", 0x37),
    second("rets_pred", 0x37),
    second("movd_movq_stall", 0x38),
    name("rets", 0x39),
    second("btb_mispred_nt", 0x3A),
    name("clocks_stall_full_wb", 0x3B),
    second("mmx_stall_write_ME", 0x3B),
];

/// The names that the Pentium has without MMX.
pub(super) const PENTIUM: &[OtherName] = MMX.split_at(22).0;
