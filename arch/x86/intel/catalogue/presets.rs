//! Generic events that are made of a microarchitecture's own, under PAPI's names.
//!
//! Loads and stores are those of instructions, or of micro-operations where the list has only these.
//! Sources: PAPI's definitions of its presets (papi.h: what each shall count), and the tables here.

use crate::event::catalogue::Preset;

const fn one(name: &'static str, plus: &'static [&'static str; 1]) -> Preset {
    sum(name, plus)
}

const fn sum(name: &'static str, plus: &'static [&'static str]) -> Preset {
    Preset { name, plus, minus: &[] }
}

const fn difference(name: &'static str, plus: &'static [&'static str; 1], minus: &'static [&'static str; 1]) -> Preset {
    Preset { name, plus, minus }
}

const L3_HITS: Preset = difference("papi_l3_tch", &["papi_l3_tca"], &["papi_l3_tcm"]);
const TLB_DATA: Preset = sum("papi_tlb_dm", &["DTLB_LOAD_MISSES.WALK_COMPLETED", "DTLB_STORE_MISSES.WALK_COMPLETED"]);
const TLB_INSTRUCTIONS: Preset = one("papi_tlb_im", &["ITLB_MISSES.WALK_COMPLETED"]);
const L1_DATA: Preset = one("papi_l1_dcm", &["L1D.REPLACEMENT"]);
const L2_CODE: Preset = one("papi_l2_ica", &["L2_RQSTS.ALL_CODE_RD"]);
const L2_CODE_MISSES: Preset = one("papi_l2_icm", &["L2_RQSTS.CODE_RD_MISS"]);
const STALLS: Preset = one("papi_res_stl", &["RESOURCE_STALLS.ANY"]);
const CONDITIONAL: Preset = one("papi_br_cn", &["BR_INST_RETIRED.CONDITIONAL"]);

/// Lines that were brought into the first level, as in PAPI (papi_events.csv, BSD-3-Clause).
pub(super) const CORE_DUO: &[Preset] = &[one("papi_l1_dcm", &["DCACHE_REPL"])];
/// The same.
pub(super) const CORE_2: &[Preset] = &[one("papi_l1_dcm", &["L1D_REPL"])];

pub(super) const NEHALEM: &[Preset] = &[
    CONDITIONAL,
    one("papi_l1_dcm", &["L1D.REPL"]),
    one("papi_l2_tca", &["L2_RQSTS.REFERENCES"]),
    difference("papi_l2_tch", &["L2_RQSTS.REFERENCES"], &["L2_RQSTS.MISS"]),
    one("papi_l2_tcm", &["L2_RQSTS.MISS"]),
    L3_HITS,
    one("papi_ld_ins", &["MEM_INST_RETIRED.LOADS"]),
    sum("papi_lst_ins", &["MEM_INST_RETIRED.LOADS", "MEM_INST_RETIRED.STORES"]),
    STALLS,
    one("papi_sr_ins", &["MEM_INST_RETIRED.STORES"]),
    TLB_INSTRUCTIONS,
];

const NOT_TAKEN: Preset = one("papi_br_ntk", &["BR_INST_RETIRED.NOT_TAKEN"]);
const PREDICTED: Preset = difference("papi_br_prc", &["BR_INST_RETIRED.CONDITIONAL"], &["BR_MISP_RETIRED.CONDITIONAL"]);
const TAKEN: Preset = difference("papi_br_tkn", &["BR_INST_RETIRED.CONDITIONAL"], &["BR_INST_RETIRED.NOT_TAKEN"]);
const UNCONDITIONAL: Preset = difference("papi_br_ucn", &["papi_br_ins"], &["BR_INST_RETIRED.CONDITIONAL"]);

/// Up to Broadwell.
pub(super) const SANDY_BRIDGE: &[Preset] = &[
    CONDITIONAL,
    NOT_TAKEN,
    PREDICTED,
    TAKEN,
    UNCONDITIONAL,
    L1_DATA,
    L2_CODE,
    L2_CODE_MISSES,
    L3_HITS,
    one("papi_ld_ins", &["MEM_UOPS_RETIRED.ALL_LOADS"]),
    sum("papi_lst_ins", &["MEM_UOPS_RETIRED.ALL_LOADS", "MEM_UOPS_RETIRED.ALL_STORES"]),
    STALLS,
    one("papi_sr_ins", &["MEM_UOPS_RETIRED.ALL_STORES"]),
    TLB_DATA,
    TLB_INSTRUCTIONS,
];

const LOADS: Preset = one("papi_ld_ins", &["MEM_INST_RETIRED.ALL_LOADS"]);
const STORES: Preset = one("papi_sr_ins", &["MEM_INST_RETIRED.ALL_STORES"]);
const BOTH: Preset = sum("papi_lst_ins", &["MEM_INST_RETIRED.ALL_LOADS", "MEM_INST_RETIRED.ALL_STORES"]);

pub(super) const SKYLAKE: &[Preset] = &[
    CONDITIONAL,
    NOT_TAKEN,
    PREDICTED,
    TAKEN,
    UNCONDITIONAL,
    L1_DATA,
    L2_CODE,
    L2_CODE_MISSES,
    L3_HITS,
    LOADS,
    BOTH,
    STALLS,
    STORES,
    TLB_DATA,
    TLB_INSTRUCTIONS,
];

/// And what came after.
pub(super) const ICE_LAKE: &[Preset] = &[
    one("papi_br_cn", &["BR_INST_RETIRED.COND"]),
    one("papi_br_ntk", &["BR_INST_RETIRED.COND_NTAKEN"]),
    difference("papi_br_prc", &["BR_INST_RETIRED.COND"], &["BR_MISP_RETIRED.COND"]),
    one("papi_br_tkn", &["BR_INST_RETIRED.COND_TAKEN"]),
    difference("papi_br_ucn", &["papi_br_ins"], &["BR_INST_RETIRED.COND"]),
    L1_DATA,
    L2_CODE,
    L2_CODE_MISSES,
    L3_HITS,
    LOADS,
    BOTH,
    STORES,
    TLB_DATA,
    TLB_INSTRUCTIONS,
];
