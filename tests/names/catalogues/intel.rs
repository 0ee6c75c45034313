//! Intel's tables, each by a processor that has it.

use pmu::arch::x86::intel::{Architectural, Auxiliary, Core, Device, Identity, Intel, Microarchitecture};
use pmu::arch::x86::{Detected, Unattached};
use pmu::driver::{Plan, counters_for};
use pmu::request::{Flag, Refusal};
use pmu::text::{notation::Cpc, notation::Oprofile, notation::Perfmon, notation::Problem, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Modes, Request, Set};

use crate::catalogues::unnamed;

pub(crate) fn driver(identity: &Identity) -> impl Plan {
    Intel::new(Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, identity.capabilities())
}

#[test]
fn intels_events_are_counted_and_come_back() {
    for identity in &Identity::ALL {
        crate::catalogues::check(&driver(identity));
    }
}

/// A processor without an identity, based on one whose unit is alike.
pub(crate) fn relative(identity: &Identity, model: u32) -> impl Plan {
    core(identity, model, Core::Alike)
}

/// One of its cores.
fn core(identity: &Identity, model: u32, core: Core) -> impl Plan {
    core_of(identity, 6, model, core)
}

fn core_of(identity: &Identity, family: u32, model: u32, core: Core) -> impl Plan {
    let mut capabilities = identity.capabilities();
    let microarchitecture = Microarchitecture::of_core(family, model, core).expect("the model is listed");
    capabilities.family = family;
    // Only Nehalem has the erratum that hides an event.
    let events = capabilities.events | Architectural::BRANCH_MISSES;
    // Skymont and later ones have fixed counters that no identity has.
    let is_small = matches!(core, Core::Small(3..)) || model == 0xDD;
    let more = if is_small { CounterSet::from_bits(0x70 << 32) } else { CounterSet::EMPTY };
    (capabilities.model, capabilities.core, capabilities.microarchitecture) = (model, core, Some(microarchitecture));
    (capabilities.events, capabilities.fixed) = (events, capabilities.fixed.or(more));
    capabilities.auxiliaries = Auxiliary::of(microarchitecture);
    Intel::new(Device::new(identity, Kinds::CLOCK, Unconnected), Unattached, capabilities)
}

#[test]
fn the_events_of_nehalems_relatives_are_counted_and_come_back() {
    for model in [0x2E, 0x25, 0x2C, 0x2F] {
        crate::catalogues::check(&relative(&Identity::NEHALEM, model));
    }
}

#[test]
fn the_events_of_skylakes_relatives_are_counted_and_come_back() {
    for model in [0x2A, 0x2D, 0x3A, 0x3E, 0x3C, 0x3F, 0x3D, 0x56, 0x4F, 0x55] {
        crate::catalogues::check(&relative(&Identity::SKYLAKE, model));
    }
}

#[test]
fn the_events_of_sapphire_rapids_relatives_are_counted_and_come_back() {
    for model in [0x7E, 0x6A, 0x8C, 0x97, 0xCF, 0xAA, 0xAD] {
        crate::catalogues::check(&relative(&Identity::SAPPHIRE_RAPIDS, model));
    }
}

#[test]
fn the_events_of_arrow_lake_are_counted_and_come_back() {
    crate::catalogues::check(&relative(&Identity::LION_COVE, 0xC6));
}

/// Knights Landing is an Atom by its unit, with the counters that detection finds: two.
#[test]
fn the_events_of_knights_landing_are_counted_and_come_back() {
    crate::catalogues::check(&relative(&Identity::SKYLAKE.with_general_counters(2), 0x57));
}

#[test]
fn the_events_of_panther_lake_clearwater_forest_and_nova_lake_are_counted_and_come_back() {
    for (model, of) in [(0xCC, Core::Large), (0xCC, Core::Small(4)), (0xDD, Core::Alike)] {
        crate::catalogues::check(&core(&Identity::LION_COVE, model, of));
    }
    for of in [Core::Large, Core::Small(5)] {
        crate::catalogues::check(&core_of(&Identity::LION_COVE, 0x12, 1, of));
    }
}

#[test]
fn skylake_in_servers_and_cascade_lake_are_told_apart_by_their_stepping() {
    let catalogue = |stepping| {
        let mut capabilities = Identity::SKYLAKE.capabilities();
        (capabilities.model, capabilities.stepping) = (0x55, stepping);
        capabilities.catalogue()
    };
    let has = |stepping, name| catalogue(stepping).named(name).is_some();
    let bf16 = "FP_ARITH_INST_RETIRED2.128BIT_PACKED_BF16";
    assert_eq!([3, 4, 5, 7, 11].map(|stepping| has(stepping, bf16)), [false, false, true, true, true]);
    assert!(
        has(4, "OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE")
            && !has(5, "OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE")
    );
    assert!(has(7, "OCR.DEMAND_DATA_RD.ANY_RESPONSE") && !has(4, "OCR.DEMAND_DATA_RD.ANY_RESPONSE"));
}

#[test]
fn a_model_that_no_list_has_falls_back_to_the_events_of_the_architecture() {
    for (family, model) in [(6, 0xFF), (0x12, 2), (0x13, 1)] {
        let mut capabilities = Identity::LION_COVE.capabilities();
        (capabilities.family, capabilities.model, capabilities.core) = (family, model, Core::Alike);
        capabilities.microarchitecture = Microarchitecture::of(family, model);
        assert_eq!(capabilities.catalogue().unit, "i386/arch_perfmon");
    }
}

#[test]
fn each_model_has_its_own_table() {
    let units = Identity::ALL.map(|identity| identity.capabilities().catalogue().unit);
    let all = ["core", "core_2", "nehalem", "skylake", "sapphirerapids", "lioncove"];
    assert_eq!(units, all.map(|unit| format!("i386/{unit}")));
}

/// The parts of an event beside its code, in intel/perfmon's list for Skylake.
#[test]
fn what_is_part_of_an_event_is_part_of_its_request() {
    let catalogue = Identity::SKYLAKE.capabilities().catalogue();
    let request = |name| catalogue.request(catalogue.named(name).unwrap());
    let stalls = Request::new(Event::raw(0x010E)).threshold(1).flag(Flag::Invert);
    assert_eq!(request("UOPS_ISSUED.STALL_CYCLES"), stalls);
    assert_eq!(request("INT_MISC.CLEARS_COUNT"), Request::new(Event::raw(0x010D)).threshold(1).flag(Flag::Edge));
    assert_eq!(request("CPU_CLK_UNHALTED.THREAD_P_ANY"), Request::new(Event::raw(0x003C)).flag(Flag::AnyThread));
    let missed = Request::new(Event::raw_with(0x01C6, 0x11)).on(CounterSet::first(4));
    assert_eq!(request("FRONTEND_RETIRED.DSB_MISS"), missed);
}

/// SDM vol. 3, "Performance Monitoring", Sandy Bridge: L1D_PEND_MISS.PENDING is counted on PMC2 alone.
#[test]
fn an_event_is_kept_to_the_counters_that_have_it() {
    let driver = relative(&Identity::SKYLAKE, 0x2A);
    let catalogue = driver.catalogue();
    let pending = catalogue.request(catalogue.named("L1D_PEND_MISS.PENDING").unwrap());
    assert_eq!(pending.counters, CounterSet::from_bits(0b100));
    let elsewhere = catalogue.of_request(&Request::new(pending.event)).map(|(named, _)| named.name);
    assert_eq!(elsewhere, None, "the name is for counter 2");
}

/// intel/perfmon's lists, "CounterHTOff", and torvalds/linux arch/x86/events/intel/core.c, `intel_skl_event_constraints`
/// and those before it: "when HT is off, these events can only run on the bottom 4 counters".
#[test]
fn an_event_of_the_first_four_counters_is_on_no_other_where_a_thread_has_eight() {
    let memory = |code| matches!(code & 0xFF, 0xB7 | 0xBB | 0xD0..=0xD3);
    for model in [0x2A, 0x2D, 0x3A, 0x3E, 0x3C, 0x3F, 0x3D, 0x4F, 0x56, 0x5E, 0x55, 0x7E, 0x6A] {
        let driver = relative(&Identity::SKYLAKE, model);
        assert_eq!(driver.description().general, CounterSet::first(8));
        let catalogue = driver.catalogue();
        let all = catalogue.events.iter().chain(catalogue.libpfm);
        let kept: Vec<_> = all.filter(|named| memory(named.code)).collect();
        assert!(kept.len() >= 20, "model {model:#X}: {}", kept.len());
        for named in kept {
            let counters = counters_for(&driver, &catalogue.request(named));
            assert!(CounterSet::first(4).covers(counters), "model {model:#X}: {} on {counters:?}", named.name);
        }
    }
}

/// SDM vol. 3, "Non-Architectural Performance Events in Processors Based on Intel Core Microarchitecture", and
/// torvalds/linux arch/x86/events/intel/core.c, `intel_core2_event_constraints`; OProfile lets seven of them be counted
/// on both counters.
#[test]
fn an_event_of_core_2_is_counted_on_its_one_counter() {
    let one =
        ["FLOPS", "CYCLES_DIV_BUSY", "IDLE_DURING_DIV", "ITLB_MISS_RETIRED", "MEM_LOAD_RETIRED"].map(|name| (name, 0));
    let other = ["FP_ASSIST", "MUL", "DIV", "DELAYED_BYPASS"].map(|name| (name, 1));
    has_one_counter(&Identity::CORE_2, one.iter().chain(&other));
}

/// OProfile's table, and torvalds/linux arch/x86/events/intel/p6.c for FLOPS; the others as on Core 2.
#[test]
fn an_event_of_core_duo_is_counted_on_its_one_counter() {
    let one = ["FLOPS", "COMP_FLOP_RET", "CYCLES_DIV_BUSY"].map(|name| (name, 0));
    let other = ["FP_ASSIST", "MUL", "DIV"].map(|name| (name, 1));
    has_one_counter(&Identity::CORE_DUO, one.iter().chain(&other));
}

fn has_one_counter<'a>(identity: &Identity, events: impl Iterator<Item = &'a (&'a str, u32)>) {
    let driver = driver(identity);
    for (name, counter) in events {
        let request = driver.catalogue().request(driver.catalogue().named(name).unwrap());
        assert_eq!(counters_for(&driver, &request), CounterSet::from_bits(1 << counter), "{name}");
    }
}

/// SDM vol. 3, "Core Specificity Encoding within a Non-Architectural Umask": 01B is this core, 00B is reserved.
#[test]
fn an_event_that_core_duos_two_cores_share_is_this_cores_by_default() {
    let catalogue = Identity::CORE_DUO.capabilities().catalogue();
    let code = |name| catalogue.event(catalogue.named(name).unwrap());
    assert_eq!(code("L2_ADS"), Event::raw(0x4021));
    assert_eq!(code("L2_LD"), Event::raw(0x4F29));
    assert_eq!(code("BUS_REQ_OUTSTANDING"), Event::raw(0x4060));
    assert_eq!(code("BUS_TRANS_DEF"), Event::raw(0x606D));
    assert_eq!(code("DCU_SNOOP_TO_SHARE"), Event::raw(0x4178));
}

/// SDM, BR_INST_RETIRED.ANY, and libpfm's default. OProfile's is 0x0A, taken branches alone.
#[test]
fn all_branches_of_core_2_are_counted_where_no_mask_is_named() {
    let catalogue = Identity::CORE_2.capabilities().catalogue();
    assert_eq!(catalogue.event(catalogue.named("BR_INST_RETIRED").unwrap()), Event::raw(0x00C4));
}

#[test]
fn a_load_that_is_slow_is_known_and_refused_with_the_reason() {
    let driver = driver(&Identity::SKYLAKE);
    for text in ["MEM_TRANS_RETIRED:LOAD_LATENCY_GT_32", "skl::MEM_TRANS_RETIRED"] {
        let set = Perfmon::parse::<1>(text, Processor::of(&driver)).unwrap();
        let refusal = driver.encode(&set.requests()[0]).err().expect("no counter has it");
        assert!(refusal.to_string().contains("precise sampling"), "{text}: {refusal}");
    }
}

#[test]
fn the_events_of_small_cores_are_counted_and_come_back() {
    for model in [0x1C, 0x37, 0x5C, 0x7A, 0x86, 0xBE] {
        crate::catalogues::check(&relative(&Identity::SKYLAKE, model));
    }
    for model in [0xAF, 0xB6] {
        crate::catalogues::check(&relative(&Identity::SAPPHIRE_RAPIDS, model));
    }
}

/// The native models of CPUID leaf 1AH, as intel/perfmon's map has them: 1 Gracemont, 2 Crestmont, 3 Skymont.
#[test]
fn the_events_of_hybrids_small_cores_are_counted_and_come_back() {
    let cores = [(0x97, 1, "gracemont"), (0xAA, 2, "crestmont"), (0xC5, 2, "crestmont")];
    for (model, native, unit) in cores {
        let small = core(&Identity::SAPPHIRE_RAPIDS, model, Core::Small(native));
        assert_eq!(small.catalogue().unit, format!("i386/{unit}"));
        crate::catalogues::check(&small);
    }
    for model in [0xBD, 0xC6] {
        let small = core(&Identity::LION_COVE, model, Core::Small(3));
        assert_eq!(small.catalogue().unit, "i386/skymont");
        crate::catalogues::check(&small);
    }
}

/// The examples of the notations' pages.
#[test]
fn a_unit_is_found_by_the_name_that_libpfm_perf_or_oprofile_gives_it() {
    let driver = driver(&Identity::SKYLAKE);
    let here = Processor::of(&driver);
    let expected = Request::new(Event::raw(0x00C0)).modes(Modes::USER).threshold(2);
    for unit in ["skl", "skylake", "i386/skylake"] {
        let set: Set<1> = Perfmon::parse(&format!("{unit}::INST_RETIRED:ANY_P:u:c=2"), here).unwrap();
        let request = unnamed(set.requests()[0]);
        assert_eq!(request, expected, "{unit}");
    }
}

/// libpfm's notation, with Linux' names for the registers beside the counters.
#[test]
fn a_value_beside_a_counter_is_read_by_its_number_and_judged_by_the_driver() {
    let driver = driver(&Identity::SKYLAKE);
    let here = Processor::of(&driver);
    let encode = |text| {
        let set: Set<1> = Perfmon::parse(text, here).unwrap();
        driver.encode(&set.requests()[0]).err()
    };
    assert_eq!(encode("0x1b7:offcore_rsp=0x10001:u"), None);
    assert_eq!(encode("0x1c6:frontend=0x11"), None);
    assert_eq!(encode("0x1b7:offcore_rsp=0x8000000000000000"), Some(Refusal::Auxiliary(1 << 63)));
    assert_eq!(encode("0x12a:offcore_rsp=0x10001"), Some(Refusal::Auxiliary(0x1_0001)), "Golden Cove's");
    let slow = encode("0x1cd:ldlat=64").map(|refusal| refusal.to_string());
    assert!(slow.is_some_and(|reason| reason.contains("precise sampling")));
}

/// A kernel reads names for each CPU, with the driver that was detected there.
#[test]
fn a_name_is_another_code_on_the_other_kind_of_core() {
    let code = |core_of: Core| {
        let driver = core(&Identity::SAPPHIRE_RAPIDS, 0x97, core_of);
        let request = |name| driver.catalogue().named(name).map(|named| driver.catalogue().request(named));
        (request("OCR.DEMAND_DATA_RD.ANY_RESPONSE").map(|it| it.event), request("MEM_BOUND_STALLS.LOAD").is_some())
    };
    assert_eq!(code(Core::Large), (Some(Event::raw_with(0x012A, 0x1_0001)), false));
    assert_eq!(code(Core::Small(1)), (Some(Event::raw_with(0x01B7, 0x1_0001)), true));
}

#[test]
fn a_core_that_nobody_knows_has_the_architectural_events() {
    for (identity, core) in [(Identity::LION_COVE, Core::Small(0xFF)), (Identity::SKYLAKE, Core::Alike)] {
        let mut capabilities = identity.capabilities();
        (capabilities.model, capabilities.core, capabilities.microarchitecture, capabilities.auxiliaries) =
            (0xFF, core, None, &[]);
        assert_eq!(capabilities.catalogue().unit, "i386/arch_perfmon");
        let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
        crate::catalogues::check(&Intel::new(device, Unattached, capabilities));
    }
}

/// Names and codes of intel/perfmon's list and of the SDM, table "Architectural Performance Events".
#[test]
fn an_event_is_found_by_its_name_and_by_its_code() {
    let catalogue = Identity::SKYLAKE.capabilities().catalogue();
    let named = catalogue.named("mem_load_retired:l3_miss").unwrap();
    assert_eq!((catalogue.event(named), named.counters), (Event::raw(0x20D1), CounterSet::first(4)));
    assert_eq!(catalogue.of_code(0x4F2E).map(|(named, _)| named.name), Some("LONGEST_LAT_CACHE.REFERENCE".into()));
    assert_eq!(catalogue.named("INST_RETIRED.ANY").map(|named| named.counters.bits()), Some(1 << 32));
}

#[test]
fn a_driver_that_was_found_out_has_its_familys_catalogue() {
    let device = Device::new(&Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let driver = Detected::detect(&Identity::SKYLAKE, &device, Unattached).unwrap();
    assert_eq!(driver.catalogue().unit, "i386/skylake");
}

/// CPU_CLK_UNHALTED:100000:0:1:1 is what OProfile's manual has its readers type.
#[test]
fn oprofiles_and_libpfms_names_of_the_architectural_events_are_known_since_nehalem() {
    let lists = [driver(&Identity::NEHALEM), driver(&Identity::SKYLAKE), driver(&Identity::LION_COVE)];
    for driver in lists {
        let here = Processor::of(&driver);
        let sampled = |text| {
            let set = Oprofile::parse::<1>(text, here).unwrap_or_else(|error| panic!("{text}: {error}"));
            set.requests()[0].event
        };
        let counted = |text| {
            let set = Perfmon::parse::<1>(text, here).unwrap_or_else(|error| panic!("{text}: {error}"));
            set.requests()[0].event
        };
        assert_eq!(sampled("CPU_CLK_UNHALTED:100000:0:1:1"), Event::raw(0x003C));
        assert_eq!([sampled("LLC_MISSES:100000:0x41"), counted("LLC_MISSES")], [Event::raw(0x412E); 2]);
        assert_eq!(counted("UNHALTED_CORE_CYCLES"), Event::raw(0x003C));
    }
}

fn read(text: &str, driver: &impl Plan) -> Request {
    let set: Set<1> =
        Oprofile::parse(text, Processor::of(driver)).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
    set.requests()[0]
}

/// OProfile's events/i386/skylake and haswell: the underscore stands where Intel's list has a dot.
#[test]
fn an_event_is_read_by_the_letters_and_digits_of_its_name() {
    let skylake = driver(&Identity::SKYLAKE);
    for (text, code) in [
        ("baclears_any:100003:any", 0x01E6),
        ("baclears_any:100003:0x1", 0x01E6),
        ("BaClears_Any:100003", 0x01E6),
        ("fp_arith_inst_retired:2000003:u128b_packed_double", 0x04C7),
        ("exe_activity:2000003:u1_ports_util", 0x02A6),
        ("mem_load_retired:2000003:l1_hit_pebs", 0x01D1),
    ] {
        assert_eq!(read(text, &skylake).event, Event::raw(code), "{text}");
    }
    // LIKWID's, of which the last two are fixed counters' (src/includes/perfmon_skylake_events.txt); Solaris' and NetBSD's.
    for (text, code) in [
        ("L1D_REPLACEMENT:u", 0x0151),
        ("CPU_CLOCK_UNHALTED_THREAD_P", 0x003C),
        ("INSTR_RETIRED_ANY", 0x0100),
        ("CPU_CLK_UNHALTED_REF", 0x0300),
        ("llc-reference", 0x4F2E),
    ] {
        let others: Set<1> = Perfmon::parse(text, Processor::of(&skylake)).unwrap();
        assert_eq!(others.requests()[0].event, Event::raw(code), "{text}");
    }
    let solaris: Set<1> = Cpc::parse("instr_retired.any", Processor::of(&skylake)).unwrap();
    assert_eq!(solaris.requests()[0].event, Event::raw(0x0100));
    // libpfm's event of this name is a fixed counter's.
    for text in ["unhalted_reference_cycles:6000", "UNHALTED_REFERENCE_CYCLES:6000:0x01:1:1"] {
        assert_eq!(read(text, &skylake).event, Event::raw(0x013C), "{text}");
    }
    let wrong = |text: &str| Oprofile::parse::<1>(text, Processor::of(&skylake)).unwrap_err().problem;
    assert_eq!(wrong("inst\u{e9}_retired.any_p:6000"), Problem::UnknownEvent, "no letter is left out");
    assert_eq!(wrong("baclears_any:100003:0x2"), Problem::UnitMask);
    assert_eq!(wrong("baclears_any:100003:none"), Problem::UnitMask);
    assert_eq!(wrong("baclears_all:100003"), Problem::UnknownEvent);
}

/// OProfile's events/i386/nehalem has numbers for the masks that Intel's list has by name.
#[test]
fn a_number_is_the_unit_mask_of_the_one_event_that_has_it() {
    let nehalem = driver(&Identity::NEHALEM);
    assert_eq!(read("L2_RQSTS:200000:0xaa", &nehalem).event, Event::raw(0xAA24));
    assert_eq!(read("L2_WRITE:200000:0xe", &nehalem).event, Event::raw(0x0E27));
    assert_eq!(read("unhalted_reference_cycles:200000:0x1", &nehalem).event, Event::raw(0x013C));
    for text in ["L2_RQSTS:200000:0xab", "L2_WRITE:200000:i_state", "L2_WRITE:200000:0"] {
        assert!(Oprofile::parse::<1>(text, Processor::of(&nehalem)).is_err(), "{text}");
    }
}
