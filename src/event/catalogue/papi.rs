//! The names of all presets that PAPI defines, by which a name that this processor lacks is told from a misspelt one.
//!
//! Source: icl-utk-edu/papi, src/papiStdEventDefs.h (BSD-3-Clause).

use super::Preset;

/// The names without `papi_`, sorted.
const NAMES: &str = "\
    br_cn br_ins br_msp br_ntk br_prc br_tkn br_ucn bru_idl btac_m ca_cln ca_inv ca_itv ca_shr ca_snp \
    csr_fal csr_suc csr_tot dp_ops fad_ins fdv_ins fma_ins fml_ins fnv_ins fp_ins fp_ops fp_stal fpu_idl \
    fsq_ins ful_ccy ful_icy fxu_idl hp_ops hw_int int_ins l1_dca l1_dch l1_dcm l1_dcr l1_dcw l1_ica l1_ich \
    l1_icm l1_icr l1_icw l1_ldm l1_stm l1_tca l1_tch l1_tcm l1_tcr l1_tcw l2_dca l2_dch l2_dcm l2_dcr l2_dcw \
    l2_ica l2_ich l2_icm l2_icr l2_icw l2_ldm l2_stm l2_tca l2_tch l2_tcm l2_tcr l2_tcw l3_dca l3_dch l3_dcm \
    l3_dcr l3_dcw l3_ica l3_ich l3_icm l3_icr l3_icw l3_ldm l3_stm l3_tca l3_tch l3_tcm l3_tcr l3_tcw ld_ins \
    lst_ins lsu_idl mem_rcy mem_scy mem_wcy prf_dm ref_cyc res_stl sp_ops sr_ins stl_ccy stl_icy syc_ins \
    tlb_dm tlb_im tlb_sd tlb_tl tot_cyc tot_iis tot_ins vec_dp vec_hp vec_ins vec_sp";

impl Preset {
    /// Returns true if PAPI has a preset of this name, whether or not the processor can count it. Case does not matter.
    #[must_use]
    pub fn is_papi(name: &str) -> bool {
        let is_it = |(papi, own): (&str, &str)| {
            papi.eq_ignore_ascii_case("papi_") && NAMES.split(' ').any(|it| it.eq_ignore_ascii_case(own))
        };
        name.split_at_checked(5).is_some_and(is_it)
    }

    /// Returns the names of all presets that PAPI defines, without `papi_`.
    pub fn papi_names() -> impl Iterator<Item = &'static str> + Clone {
        NAMES.split(' ')
    }
}
