//! AMD's tables, each by a processor that has it.

use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{Amd, Capabilities, Device, Identity};
use pmu::driver::Plan;
use pmu::text::catalogue::Catalogue;
use pmu::text::native::Native;
use pmu::text::{notation::Cpc, notation::Problem, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterId, CounterSet, Event, Modes, Request, Set};

fn driver(identity: &Identity, capabilities: Capabilities) -> impl Plan {
    Amd::new(Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, capabilities)
}

pub(crate) fn driver_of_k8() -> impl Plan {
    driver(&Identity::K8, Identity::K8.capabilities())
}

/// A processor without an identity, based on one whose unit is alike.
fn relative(identity: &Identity, family: u32, model: u32) -> impl Plan {
    let mut capabilities = identity.capabilities();
    (capabilities.family, capabilities.model) = (family, model);
    driver(identity, capabilities)
}

#[test]
fn amds_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity, identity.capabilities()));
    }
}

#[test]
fn the_events_of_their_relatives_are_too() {
    crate::catalogues::check(&relative(&Identity::K8, 0x11, 0x03));
    crate::catalogues::check(&relative(&Identity::FAMILY_10H, 0x12, 0x01));
    crate::catalogues::check(&relative(&Identity::FAMILY_10H, 0x14, 0x02));
    crate::catalogues::check(&relative(&Identity::ZEN_2, 0x17, 0x01));
    crate::catalogues::check(&relative(&Identity::ZEN_4, 0x19, 0x21));
    crate::catalogues::check(&relative(&Identity::ZEN_4, 0x1A, 0x44));
}

#[test]
fn each_family_has_its_own_table() {
    let units = Identity::ALL.map(|identity| identity.capabilities().catalogue().unit);
    let later =
        ["hammer", "family10", "family15h", "family16h", "zen2", "zen3", "zen4"].map(|unit| format!("x86-64/{unit}"));
    assert_eq!((units[0], &units[1..]), ("i386/athlon", &later.each_ref().map(String::as_str)[..]));
}

/// BKDG 48751 and 52740, which alone has the latency.
#[test]
fn family_16hs_own_list_is_that_of_its_manuals() {
    let own = Identity::FAMILY_16H.capabilities().catalogue();
    assert_eq!(own.named("L1_DTLB_RELOAD_LATENCY").map(|named| named.code), Some(0x4E));
    let masks = own.named("LS_DISPATCH").map(|named| named.masks);
    assert_eq!(masks.and_then(|masks| masks.value_of("load_op_stores")), Some(0x04));
}

/// BKDG 26094, "Performance Monitor Events", event 42H: its unit mask names the line's state.
#[test]
fn an_event_has_its_unit_masks_by_name() {
    let catalogue = Identity::K8.capabilities().catalogue();
    let named = catalogue.named("DATA_CACHE_REFILLS_FROM_SYSTEM").unwrap();
    assert_eq!(named.masks.value_of("owned"), Some(0x08));
    assert_eq!(catalogue.event(named), Event::raw(0x1F43));
}

/// PPR for family 17h, "Large Increment per Cycle Events".
#[test]
fn a_large_increment_is_on_even_counters() {
    let named = Identity::ZEN_2.capabilities().catalogue().named("fp_ret_sse_avx_ops.all").unwrap();
    assert_eq!((named.code, named.counters), (0xFF03, CounterSet::from_bits(0b01_0101)));
}

/// What illumos-gate maps, usr/src/uts/intel/pcbe/opteron_pcbe.c: the event, and its unit mask in bits 8 to 15.
const OF_SOLARIS: [(&str, u64); 31] = [
    ("PAPI_br_ins", 0x00C2),
    ("PAPI_br_msp", 0x00C3),
    ("PAPI_br_tkn", 0x00C4),
    ("PAPI_fp_ops", 0x0300),
    ("PAPI_fad_ins", 0x0100),
    ("PAPI_fml_ins", 0x0200),
    ("PAPI_fpu_idl", 0x0001),
    ("PAPI_tot_cyc", 0x0076),
    ("PAPI_tot_ins", 0x00C0),
    ("PAPI_l1_dca", 0x0040),
    ("PAPI_l1_dcm", 0x0041),
    ("PAPI_l1_ldm", 0x0E42),
    ("PAPI_l1_stm", 0x1042),
    ("PAPI_l1_ica", 0x0080),
    ("PAPI_l1_icm", 0x0081),
    ("PAPI_l1_icr", 0x0080),
    ("PAPI_l2_dch", 0x1E42),
    ("PAPI_l2_dcm", 0x1E43),
    ("PAPI_l2_dcr", 0x0E42),
    ("PAPI_l2_dcw", 0x1042),
    ("PAPI_l2_ich", 0x0082),
    ("PAPI_l2_icm", 0x0083),
    ("PAPI_l2_ldm", 0x0E43),
    ("PAPI_l2_stm", 0x1043),
    ("PAPI_res_stl", 0x00D1),
    ("PAPI_stl_icy", 0x00D0),
    ("PAPI_hw_int", 0x00CF),
    ("PAPI_tlb_dm", 0x0046),
    ("PAPI_tlb_im", 0x0085),
    ("PAPI_fp_ins", 0x0DCB),
    ("PAPI_vec_ins", 0x04CB),
];

#[test]
fn opteron_has_every_generic_event_that_solaris_has() {
    let driver = driver_of_k8();
    for (name, code) in OF_SOLARIS {
        let native = Native::of(&driver, name).unwrap();
        assert_eq!(native.terms().map(|term| term.event).collect::<Vec<_>>(), [Event::raw(code)], "{name}");
    }
}

/// icl-utk-edu/papi, src/papi_events.csv, since commit 15f32cb3: the preset is conditional branches.
#[test]
fn from_zen_3_on_taken_branches_are_the_conditional_ones() {
    let terms = |catalogue: &'static Catalogue| {
        let preset = catalogue.preset("PAPI_br_tkn")?;
        Some(preset.terms().map(|term| (term.factor, term.event)).collect::<Vec<_>>())
    };
    assert_eq!(terms(Catalogue::ZEN_2), None, "it is one event");
    assert_eq!(terms(Catalogue::ZEN_3).unwrap(), [(1, "ex_ret_brn_tkn"), (-1, "ex_ret_brn"), (1, "ex_ret_cond")]);
    for later in [Catalogue::ZEN_4, Catalogue::ZEN_5] {
        assert_eq!(terms(later).unwrap(), [(1, "ex_ret_brn_tkn"), (-1, "ex_ret_uncond_brnch_instr")]);
    }
}

/// "Open-Source Register Reference for AMD Family 17h Processors Models 00h-2Fh" (56255), and LIKWID,
/// src/includes/perfmon_zen_events.txt. Linux' list does not have these, and has one of Zen 2 without its unit mask.
#[test]
fn zen_1_has_the_events_of_its_guide_that_linux_leaves_out() {
    let code = |catalogue: &Catalogue, name| catalogue.named(name).map(|named| named.code);
    for (name, expected) in [
        ("ls_bad_status2.stli_other", 0x0224),
        ("ls_ret_cl_flush", 0x0026),
        ("ls_ret_cpuid", 0x0027),
        ("ls_smi_rx", 0x002B),
        ("ls_st_commit_cancel2.st_commit_cancel_wcb_full", 0x0137),
        ("ls_refills_from_sys.ls_mabresp_lcl_l2", 0x0143),
        ("ls_tw_dc_fills.ls_mabresp_rmt_dram", 0x405B),
    ] {
        assert_eq!(code(Catalogue::ZEN_1, name), Some(expected), "{name}");
    }
    assert_eq!(code(Catalogue::ZEN_2, "ls_st_commit_cancel2.st_commit_cancel_wcb_full"), Some(0x0137));
}

/// The events that AMD's manuals, libpfm4 and PAPI have; Linux' own are not the core's.
#[test]
fn k7_and_family_16h_count_the_first_level_of_the_caches() {
    let code = |identity: &Identity, name| {
        let driver = driver(identity, identity.capabilities());
        Native::of(&driver, name).ok().map(|native| native.terms().next().unwrap().event)
    };
    for identity in [&Identity::K7, &Identity::FAMILY_16H] {
        let names = ["papi_l1_dca", "papi_l1_dcm", "papi_l1_ica", "papi_l1_icm"];
        assert_eq!(names.map(|name| code(identity, name)), [0x40, 0x41, 0x80, 0x81].map(|code| Some(Event::raw(code))));
        assert_eq!(["papi_l2_tca", "papi_l2_tcm"].map(|name| code(identity, name)), [None; 2]);
    }
    assert_eq!(code(&Identity::K7, "papi_l2_dcm"), Some(Event::raw(0x1F43)));
    assert_eq!(code(&Identity::FAMILY_16H, "papi_tlb_dm"), Some(Event::raw(0x0F46)));
}

/// Parses events for cputrack on a processor.
fn typed(driver: &impl Plan, text: &str) -> Vec<Request> {
    let processor = Processor::of(driver);
    let set: Set<4> = Cpc::parse(text, processor).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
    set.requests().to_vec()
}

/// "Process(or) Forensics": `cputrack -t -N 5 -c DC_misaligned_data_ref ./misaligned_access 1`.
#[test]
fn solaris_own_example_works_as_typed() {
    let opteron = driver_of_k8();
    let wanted = Request::new(Event::raw(0x47)).modes(Modes::USER).pinned_to(CounterId::ZERO);
    assert_eq!(typed(&opteron, "DC_misaligned_data_ref"), [wanted]);
    let masked = typed(&opteron, "pic0=DC_refill_from_system,umask0=0x1e,pic1=DC_dcache_accesses_by_locks");
    assert_eq!(masked.iter().map(|request| request.event).collect::<Vec<_>>(), [0x1E43, 0x014C].map(Event::raw));
}

#[test]
fn solaris_names_are_counted_by_all_that_have_them() {
    are_counted(&driver_of_k8());
    are_counted(&relative(&Identity::K8, 0x11, 0x03));
    are_counted(&relative(&Identity::FAMILY_10H, 0x10, 0x02));
}

/// Solaris' names of the northbridge's events are refused with the reason.
fn are_counted(driver: &impl Plan) {
    let catalogue = driver.catalogue();
    assert!(catalogue.other_names.len() > 70, "{}", catalogue.unit);
    for other in catalogue.other_names {
        let [request] = typed(driver, other.name).try_into().expect("it is one event");
        let is_northbridge = other.name.starts_with("NB_");
        assert_eq!(driver.encode(&request).is_err(), is_northbridge, "{}: {}", catalogue.unit, other.name);
        assert!(catalogue.named(other.name).is_none(), "{}: {} is its own", catalogue.unit, other.name);
        let Event::Raw { code, .. } = request.event else { panic!("{} has no code", other.name) };
        assert_eq!(code & 0xFF, other.code & 0xFF, "{}", other.name);
    }
}

/// illumos-gate, usr/src/data/amdpmc: its names have no unit masks, and AMD's end with what the mask selects.
#[test]
fn illumos_names_of_zen_are_typed_with_a_unit_mask() {
    let zen_2 = driver(&Identity::ZEN_2, Identity::ZEN_2.capabilities());
    let codes = |text| typed(&zen_2, text).iter().map(|request| request.event).collect::<Vec<_>>();
    assert_eq!(codes("pic0=LsDispatch,umask0=0x3,pic1=LsMabAlloc,umask1=8"), [0x0329, 0x0841].map(Event::raw));
    assert_eq!(codes("ExRetMmxFpInstr,umask=7,sys"), [Event::raw(0x07CB)]);
    assert_eq!(codes("LsNotHaltedCyc"), [Event::raw(0x76)], "it has none");
    let bare = Cpc::parse::<2>("ExRetInstr,pic1=LsDispatch", Processor::of(&zen_2)).unwrap_err();
    assert_eq!((bare.at, bare.problem), (16..26, Problem::Expected("the event's unit mask too, as umask=0x1")));
}

/// illumos-gate, usr/src/uts/intel/pcbe/opteron_pcbe.c, AMD_FAMILY_10h_events.
#[test]
fn family_10h_has_solaris_names_of_its_own_events() {
    let family_10h = relative(&Identity::FAMILY_10H, 0x10, 0x02);
    let codes = |text| typed(&family_10h, text).iter().map(|request| request.event).collect::<Vec<_>>();
    assert_eq!(codes("LS_smi_received,DC_dtlb_L1_hit"), [0x2B, 0x074D].map(Event::raw));
    assert!(Cpc::parse::<1>("LS_smi_received", Processor::of(&driver_of_k8())).is_err());
}
