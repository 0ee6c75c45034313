//! What `cputrack -h` lists of a real processor.

use pmu::arch::x86::intel::Identity;
use pmu::output::report::Listing;
use pmu::text::notation::Processor;

use crate::catalogues::intel;

#[test]
fn skylakes_events_are_listed_by_their_counters() {
    let driver = intel::driver(&Identity::SKYLAKE);
    let listing = Listing { processor: Processor::of(&driver) }.to_string();
    let excerpt = "
generic events: papi_br_ins papi_br_msp papi_l3_tca papi_l3_tcm
        papi_ref_cyc papi_tot_cyc papi_tot_ins papi_br_cn papi_br_ntk
        papi_ca_cln papi_ca_itv papi_ca_shr papi_ca_snp papi_ful_ccy
        papi_l1_dcm papi_l1_icm papi_l1_ldm papi_l1_stm papi_l2_dca
        papi_l2_dcr papi_l2_dcw papi_l2_ica papi_l2_ich papi_l2_icm
        papi_l2_icr papi_l2_ldm papi_l2_stm papi_l2_tcm papi_l2_tcw
        papi_l3_dcr papi_l3_dcw papi_l3_ica papi_l3_icr papi_l3_ldm
        papi_l3_tcw papi_ld_ins papi_mem_wcy papi_prf_dm papi_res_stl
        papi_sr_ins papi_stl_ccy papi_stl_icy papi_tlb_im

event[0-7]: ARITH.DIVIDER_ACTIVE BACLEARS.ANY
";
    assert!(listing.contains(excerpt), "{listing}");
    assert!(listing.contains("\nevent[8]: INST_RETIRED.ANY\n"), "{listing}");
    assert!(listing.contains("\nattributes: edge inv umask cmask anythr nouser sys\n"), "{listing}");
}

/// "Process(or) Forensics" lists these on an Opteron.
#[test]
fn solaris_names_are_listed_on_opteron() {
    let driver = crate::catalogues::amd::driver_of_k8();
    let listing = Listing { processor: Processor::of(&driver) }.to_string();
    let names = listing.split_once("\nother names of events:").expect("there are some").1;
    let (names, rest) = names.split_once("\n\n").expect("the attributes follow");
    assert!(rest.starts_with("attributes: edge inv cmask umask pc nouser sys\n"), "{rest}");
    for name in ["FP_dispatched_fpu_ops", "LS_retired_cpuid", "DC_misaligned_data_ref", "BU_memory_requests"] {
        assert!(names.split_whitespace().any(|word| word == name), "{name}: {names}");
    }
}
