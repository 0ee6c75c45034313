//! What `cputrack -h` lists of a real processor.

use pmu::Plan;
use pmu::arch::x86::intel::Identity;
use pmu::notation::Processor;
use pmu::report::Listing;

use crate::intel;

#[test]
fn skylakes_events_are_listed_by_their_counters() {
    let driver = intel::driver(&Identity::SKYLAKE);
    let (description, catalogue) = (driver.description(), driver.catalogue());
    let listing = Listing { processor: Processor { description: &description, catalogue } }.to_string();
    let excerpt = "
generic events: papi_br_ins papi_br_msp papi_l3_tca papi_l3_tcm
        papi_ref_cyc papi_tot_cyc papi_tot_ins papi_br_cn papi_br_ntk
        papi_l1_dcm papi_l2_ica papi_l2_icm papi_ld_ins papi_res_stl
        papi_sr_ins papi_tlb_im

event[0-7]: ARITH.DIVIDER_ACTIVE BACLEARS.ANY
";
    assert!(listing.contains(excerpt), "{listing}");
    assert!(listing.contains("\nevent[8]: INST_RETIRED.ANY\n"), "{listing}");
    assert!(listing.contains("\nattributes: edge inv umask cmask anythr nouser sys\n"), "{listing}");
}
