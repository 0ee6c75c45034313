//! libpfm's names, which the events' own lists do not have. `oracles` compares all of them with the library.

use pmu::arch::aarch64::pmuv3::Identity as Cortex;
use pmu::arch::x86::amd::{Amd, Device, Identity};
use pmu::arch::x86::{Unattached, intel as x86};
use pmu::driver::{Plan, counters_for};
use pmu::text::catalogue::Catalogue;
use pmu::text::{notation::Perfmon, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Request};

use crate::catalogues::{aarch64, counters, intel};

fn zen_4() -> impl Plan {
    let identity = Identity::ZEN_4;
    Amd::new(Device::new(&identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities())
}

fn zen_5() -> impl Plan {
    let mut capabilities = Identity::ZEN_4.capabilities();
    (capabilities.family, capabilities.model) = (0x1A, 0x44);
    Amd::new(Device::new(&Identity::ZEN_4, Kinds::CLOCK, Unconnected), Unattached, capabilities)
}

fn parsed(driver: &impl Plan, text: &str) -> Result<Request, String> {
    let here = Processor::of(driver);
    let set = Perfmon::parse::<1>(text, here).map_err(|error| error.in_text(text).to_string())?;
    Ok(set.requests()[0])
}

fn code(driver: &impl Plan, text: &str) -> u64 {
    match parsed(driver, text).unwrap_or_else(|error| panic!("{error}")).event {
        Event::Raw { code, .. } => code,
        _ => panic!("{text} is generic"),
    }
}

/// The driver takes libpfm's events on each counter that their lines name.
fn are_counted(driver: &impl Plan) {
    let (catalogue, description) = (driver.catalogue(), driver.description());
    for named in catalogue.libpfm {
        let (request, on) = (catalogue.request(named), counters(&description, named));
        let refused: CounterSet =
            on.into_iter().filter(|counter| driver.encode(&request.pinned_to(*counter)).is_err()).collect();
        assert!(refused.is_empty(), "{}: {} on {refused:?} of {on:?}", catalogue.unit, named.name);
    }
}

#[test]
fn libpfms_events_are_counted() {
    x86::Identity::ALL.iter().for_each(|identity| are_counted(&intel::driver(identity)));
    for identity in Identity::ALL {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        are_counted(&Amd::new(device, Unattached, identity.capabilities()));
    }
    are_counted(&zen_5());
}

#[test]
fn zens_events_are_known_by_libpfms_names_and_masks() {
    let zen_4 = zen_4();
    for (text, expected) in [
        ("amd64_fam19h_zen4::RETIRED_INSTRUCTIONS", 0x00C0),
        ("RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS:MULT_FLOPS:u", 0x0303),
        ("retired_mmx_fp_instructions:sse_instr", 0x04CB),
        ("RETIRED_UCODE_OPS", 0x1_0000_00C2),
    ] {
        assert_eq!(code(&zen_4, text), expected, "{text}");
    }
}

/// Nothing else compares them: Debian's libpfm is older.
#[test]
fn zen_5s_events_by_libpfms_names_have_codes_of_amds_own_list() {
    let zen_5 = zen_5();
    let catalogue = zen_5.catalogue();
    let mut names = 0;
    for named in catalogue.libpfm {
        for mask in named.masks.named.iter().filter(|mask| mask.value != 0) {
            let code = named.code | mask.value << 8;
            assert!(catalogue.of_code(code).is_some(), "{}:{} is {code:#x}", named.name, mask.name);
            names += 1;
        }
        let is_known = !named.masks.named.is_empty() || catalogue.of_code(named.code).is_some();
        assert!(is_known, "{} is {:#x}", named.name, named.code);
        names += 1;
    }
    assert_eq!(names, 354);
}

#[test]
fn zen_5s_unit_masks_are_one_for_each_field() {
    let zen_5 = zen_5();
    for (text, expected) in [
        ("amd64_fam1ah_zen5::PACKED_FP_OPS_RETIRED:FP256_MUL", 0x300C),
        ("PACKED_FP_OPS_RETIRED:FP256_MUL:FP128_ADD", 0x310C),
        ("RETIRED_SSE_AVX_FLOPS", 0x0F03),
        ("RETIRED_SSE_AVX_FLOPS:FLOP_TYPE_PACKED_DOUBLE", 0xAF03),
        ("RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS:MULT_FLOPS:FLOP_TYPE_SCALAR_SINGLE", 0x4303),
        ("L2_FILL_RESPONSE_SRC:DRAM_IO_NEAR", 0x1_0000_0865),
        ("L2_PREFETCH_MISS_L3:L2_HW_PF", 0x1F72),
    ] {
        assert_eq!(code(&zen_5, text), expected, "{text}");
        let (request, here) = (parsed(&zen_5, text).unwrap(), Processor::of(&zen_5));
        let printed = Perfmon::of(&[request], here).expect("it was read").to_string();
        assert_eq!(parsed(&zen_5, &printed), Ok(request), "{text} is printed as {printed}");
    }
    let error = parsed(&zen_5, "PACKED_FP_OPS_RETIRED:FP128_ADD:FP128_SUB:u").unwrap_err();
    assert!(error.contains("one unit mask, and has one already"), "{error}");
}

#[test]
fn an_event_that_has_no_default_mask_asks_for_one() {
    let error = parsed(&zen_4(), "RETIRED_MMX_FP_INSTRUCTIONS:u").unwrap_err();
    assert!(error.contains("a unit mask"), "{error}");
}

#[test]
fn intels_events_are_known_by_libpfms_other_names() {
    let skylake = intel::driver(&x86::Identity::SKYLAKE);
    let core_2 = intel::driver(&x86::Identity::CORE_2);
    assert_eq!(code(&skylake, "skl::MEM_LOAD_UOPS_RETIRED:L1_HIT"), 0x01D1);
    assert_eq!(code(&skylake, "skl::INSTRUCTIONS_RETIRED:k"), 0x00C0);
    assert_eq!(code(&core_2, "core::UNHALTED_CORE_CYCLES"), 0x003C);
    assert_eq!(code(&core_2, "core::BUS_TRANS_ANY:BOTH_CORES"), 0xC070);
    let stalls = parsed(&skylake, "skl::UOPS_ISSUED:STALL_CYCLES").unwrap();
    assert_eq!(parsed(&skylake, "skl::UOPS_ISSUED:i:c=1").unwrap(), stalls);
}

fn is_kept(driver: &impl Plan, text: &str, counters: u64) {
    let request = parsed(driver, text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(counters_for(driver, &request), CounterSet::from_bits(counters), "{text}");
}

/// intel/perfmon's counters of the same code, or those of libpfm 4.13 (`cntmsk`, `ucntmsk`) if perfmon does not have it.
#[test]
fn an_event_by_libpfms_name_is_kept_to_the_counters_that_have_it() {
    let relative = |model| intel::relative(&x86::Identity::SKYLAKE, model);
    is_kept(&intel::driver(&x86::Identity::CORE_2), "core::RS_UOPS_DISPATCHED_CYCLES:PORT_0", 0b1);
    is_kept(&relative(0x2A), "snb::MEM_TRANS_RETIRED:PRECISE_STORE", 0b1000);
    is_kept(&relative(0x5E), "skl::INST_RETIRED:PREC_DIST", 0b10);
    is_kept(&relative(0x5E), "skl::OFFCORE_RESPONSE_1:DMND_DATA_RD:L3_HIT:SNP_MISS", 0b1111);
    is_kept(&relative(0x55), "skx::OFFCORE_RESPONSE_0:DMND_RFO", 0b1111);
    is_kept(&intel::driver(&x86::Identity::SAPPHIRE_RAPIDS), "spr::AMX_OPS_RETIRED:BF16", 0b1);
}

/// intel/perfmon, `LONGEST_LAT_CACHE`. libpfm's own codes, 0x012E and 0x022E, are no event of Sandy Bridge.
#[test]
fn sandy_bridges_last_level_is_the_architectural_event_by_libpfms_names_too() {
    for (unit, model) in [("snb", 0x2A), ("snb_ep", 0x2D), ("ivb", 0x3A)] {
        let driver = intel::relative(&x86::Identity::SKYLAKE, model);
        let codes = ["MISS", "REFERENCE"].map(|mask| code(&driver, &format!("{unit}::L3_LAT_CACHE:{mask}")));
        assert_eq!(codes, [0x412E, 0x4F2E], "{unit}");
    }
}

#[test]
fn a_misspelt_mask_of_an_event_that_libpfm_knows_alone_has_the_nearest_name() {
    let skylake = intel::driver(&x86::Identity::SKYLAKE);
    let error = parsed(&skylake, "skl::BR_MISP_RETIRED:CONDITIONL").unwrap_err();
    assert!(error.ends_with("the nearest name is BR_MISP_RETIRED.CONDITIONAL"), "{error}");
}

#[test]
fn words_of_off_core_responses_are_combined_and_come_back() {
    let skylake = intel::driver(&x86::Identity::SKYLAKE);
    let here = Processor::of(&skylake);
    for (text, value, printed) in [
        ("skl::OFFCORE_RESPONSE_0:DMND_DATA_RD:L3_HIT:SNP_MISS", 0x2_001C_0001, "L3_HIT"),
        ("OFFCORE_RESPONSE_0.dmnd_rfo:dmnd_data_rd:u", 0x1_0003, "DMND_RFO"),
        ("offcore_response_1:snp_miss:l3_miss:k:u", 0x2_0401_8007, "SNP_MISS"),
        ("OFFCORE_RESPONSE_0:ANY_REQUEST:L3_HIT", 0x3F_801C_8007, "L3_HIT"),
    ] {
        let request = parsed(&skylake, text).unwrap_or_else(|error| panic!("{error}"));
        let Event::Raw { auxiliary, .. } = request.event else { panic!("{text} is generic") };
        assert_eq!(auxiliary, value, "{text}: {auxiliary:#x}");
        let again = Perfmon::of(&[request], here).expect("it was read").to_string();
        assert!(again.starts_with("skl::OFFCORE_RESPONSE_") && again.contains(printed), "{again}");
        assert_eq!(parsed(&skylake, &again), Ok(request), "{again}");
        assert!(skylake.encode(&request).is_ok(), "{text}");
    }
}

#[test]
fn a_response_by_anyone_is_none_by_someone() {
    let skylake = intel::driver(&x86::Identity::SKYLAKE);
    let error = parsed(&skylake, "OFFCORE_RESPONSE_0:DMND_RFO:L3_HIT:ANY_RESPONSE:u").unwrap_err();
    assert!(error.contains("unit mask"), "{error}");
    let error = parsed(&skylake, "OFFCORE_RESPONSE_0:DMND_RFO:L3_HOT").unwrap_err();
    assert!(error.contains("L3_HOT") || error.contains("nearest"), "{error}");
}

/// The cores' own lists have each number under another name, but for five.
#[test]
fn arms_events_by_libpfms_names_have_numbers_of_arms_own_lists() {
    let mut names = 0;
    for [catalogue, ..] in [
        Catalogue::A64FX,
        Catalogue::EMAG,
        Catalogue::CORTEX_A53,
        Catalogue::CORTEX_A55,
        Catalogue::CORTEX_A57,
        Catalogue::CORTEX_A72,
        Catalogue::CORTEX_A76,
        Catalogue::CORTEX_X4,
        Catalogue::NEOVERSE_N1,
        Catalogue::NEOVERSE_N2,
        Catalogue::NEOVERSE_V1,
        Catalogue::NEOVERSE_V2,
    ] {
        let has_one_source = |name: &str| name == "LDST_SPEC" || name.starts_with("BUS_READ_TOTAL_CMG");
        let mut known = catalogue.libpfm.iter().filter(|named| !has_one_source(&named.name.text()));
        let unknown = known.find(|named| catalogue.of_code(named.code).is_none());
        assert!(unknown.is_none(), "{}: {unknown:?}", catalogue.unit);
        names += catalogue.libpfm.len();
    }
    assert!(names > 100, "only {names} names");
}

#[test]
fn a_cortex_a57_is_known_by_libpfms_names() {
    let driver = aarch64::driver(Cortex::CORTEX_A57, |_| ());
    assert_eq!(code(&driver, "arm_ac57::L1D_CACHE_ACCESS:u"), 0x04);
    assert_eq!(code(&driver, "arm_ac57::BRANCH_MISPRED"), 0x10);
}
