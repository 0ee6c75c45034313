//! perf's names of events: those of its lists that Intel's own lists have otherwise, and those that it has without lists.

use pmu::arch::riscv::hpm::Identity as Riscv;
use pmu::arch::x86::intel::Identity;
use pmu::text::catalogue::Catalogue;
use pmu::text::{notation::Cpc, notation::Oprofile, notation::Perfmon, notation::Processor};
use pmu::{Event, Modes, Request};

use crate::catalogues::{intel, riscv};

/// Skylake's counters with another processor's names.
fn named_as(catalogue: &'static Catalogue) -> Processor {
    Processor::new(Processor::of(&intel::driver(&Identity::SKYLAKE)).description, catalogue)
}

fn parsed(text: &str, here: Processor) -> Result<Request, String> {
    let set = Perfmon::parse::<1>(text, here).map_err(|error| error.in_text(text).to_string())?;
    Ok(set.requests()[0])
}

/// torvalds/linux tools/perf/pmu-events/arch/x86: nehalemep, nehalemex, westmereex and cascadelakex.
#[test]
fn perfs_names_of_off_core_responses_are_intels_with_another_first_word() {
    let lists = [
        (Catalogue::NEHALEM, "OFFCORE_RESPONSE_0.", 270),
        (Catalogue::NEHALEM_EX, "OFFCORE_RESPONSE_0.", 270),
        (Catalogue::WESTMERE_EX, "OFFCORE_RESPONSE_0.", 270),
        (Catalogue::CASCADE_LAKE, "OCR.", 1008),
    ];
    for (catalogue, first, count) in lists {
        let here = named_as(catalogue);
        let mut names = 0;
        for named in catalogue.events {
            let text = named.name.text();
            let Some(rest) = text.strip_prefix(first) else { continue };
            let (perfs, request) = (format!("offcore_response.{rest}"), catalogue.request(named));
            assert_eq!(parsed(&perfs, here), Ok(request), "{perfs}");
            names += 1;
        }
        assert_eq!(names, count, "{}", catalogue.unit);
    }
}

#[test]
fn a_name_with_another_first_word_is_read_in_each_notation() {
    let here = named_as(Catalogue::CASCADE_LAKE);
    let all = Request::new(Event::raw_with(0x01B7, 0x1_0001)).on(pmu::CounterSet::from_bits(0b1111));
    let perfs = "OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONSE";
    assert_eq!(parsed(&format!("clx::{perfs}:u"), here), Ok(all.modes(Modes::USER)));
    assert_eq!(parsed("OFFCORE_RESPONSE:demand_data_rd:any_response", here), Ok(all));
    let profiled = Oprofile::parse::<1>(&format!("{perfs}:100003"), here).unwrap();
    assert_eq!(profiled.requests(), [all.every(100_003)]);
    let counted = Cpc::parse::<1>(&format!("pic1={perfs}"), here).unwrap().requests()[0];
    assert_eq!((counted.event, counted.counters.bits()), (all.event, 0b10));
    for wrong in ["OFFCORE_RESPONSE.DEMAND_DATA_RD.ANY_RESPONS", "OFFCORE_RESPONSES.DEMAND_DATA_RD.ANY_RESPONSE"] {
        assert!(parsed(wrong, here).is_err(), "{wrong}");
    }
    let long = format!("{perfs}{}", ".X".repeat(60));
    assert!(parsed(&long, here).is_err(), "{long}");
}

/// torvalds/linux arch/x86/events/intel/core.c: the events of the snb_, tnt_, cmt_ and skt_ groups.
#[test]
fn perfs_topdown_events_are_the_processors_own_of_the_same_code() {
    for (catalogue, text, code) in [
        (Catalogue::SANDY_BRIDGE, "topdown-slots-issued", 0x010E),
        (Catalogue::SKYLAKE, "topdown-slots-retired", 0x02C2),
        (Catalogue::SKYLAKE, "topdown-fetch-bubbles", 0x019C),
        (Catalogue::TREMONT, "topdown-bad-spec", 0x0673),
        (Catalogue::TREMONT, "topdown-retiring", 0x00C2),
        (Catalogue::CRESTMONT, "topdown-retiring", 0x0072),
        (Catalogue::SKYMONT, "topdown-fe-bound", 0x019C),
        (Catalogue::SKYMONT, "topdown-be-bound", 0x02A4),
    ] {
        let event = parsed(text, named_as(catalogue)).map(|request| request.event);
        assert_eq!(event, Ok(Event::raw(code)), "{}: {text}", catalogue.unit);
    }
}

#[test]
fn perfs_events_that_no_counter_counts_are_refused_with_the_reason_and_another_name() {
    for (catalogue, text, reason, instead) in [
        (Catalogue::SKYLAKE, "mem-loads:u", "debug store", "MEM_INST_RETIRED.ALL_LOADS"),
        (Catalogue::HASWELL, "mem-stores", "debug store", "MEM_UOPS_RETIRED.ALL_STORES"),
        (Catalogue::NEHALEM, "mem-loads", "debug store", "MEM_INST_RETIRED.LOADS"),
        (Catalogue::SKYLAKE, "topdown-total-slots", "PERF_METRICS", "CPU_CLK_UNHALTED.THREAD_P"),
        (Catalogue::ICE_LAKE, "topdown-retiring", "PERF_METRICS", "UOPS_RETIRED.SLOTS"),
        (Catalogue::SAPPHIRE_RAPIDS, "topdown-mem-bound:u", "PERF_METRICS", "TOPDOWN.MEMORY_BOUND_SLOTS"),
    ] {
        let error = parsed(text, named_as(catalogue)).unwrap_err();
        assert!(
            error.contains(reason) && error.ends_with(&format!("the nearest name is {instead}")),
            "{text}: {error}"
        );
    }
    let error = parsed("topdown-mem-bound", named_as(Catalogue::SKYLAKE)).unwrap_err();
    assert!(error.contains("PERF_METRICS") && !error.contains("nearest"), "{error}");
}

/// Intel's lists have them with `"PEBS": "2"`: for precise samples alone.
#[test]
fn names_of_the_debug_store_alone_are_refused_with_the_reason() {
    for (catalogue, text) in [
        (Catalogue::SKYLAKE, "BR_INST_RETIRED.ALL_BRANCHES_PEBS:u"),
        (Catalogue::SKYLAKE, "inst_retired.total_cycles_ps"),
        (Catalogue::SKYLAKE, "FRONTEND_RETIRED.LATENCY_GE_1"),
        (Catalogue::NEHALEM, "MEM_INST_RETIRED.LATENCY_ABOVE_THRESHOLD_0"),
    ] {
        let error = parsed(text, named_as(catalogue)).unwrap_err();
        assert!(error.contains("debug store"), "{text}: {error}");
    }
}

#[test]
fn broadwell_de_has_the_remote_caches_that_its_list_has() {
    for (name, code) in [("REMOTE_DRAM", 0x04D3), ("REMOTE_HITM", 0x10D3), ("REMOTE_FWD", 0x20D3)] {
        let named = Catalogue::BROADWELL_DE.named(&format!("MEM_LOAD_UOPS_L3_MISS_RETIRED.{name}"));
        assert_eq!(named.map(|named| named.code), Some(code), "{name}");
    }
}

#[test]
fn an_off_core_response_can_be_named_without_its_value() {
    for catalogue in [Catalogue::GOLDMONT, Catalogue::GOLDMONT_PLUS, Catalogue::SILVERMONT] {
        let request = parsed("OFFCORE_RESPONSE:offcore_rsp=0x10001", named_as(catalogue));
        assert_eq!(request.map(|request| request.event), Ok(Event::raw_with(0x01B7, 0x1_0001)), "{}", catalogue.unit);
    }
}

/// torvalds/linux tools/perf/pmu-events/arch/riscv/andes/ax45/instructions.json.
/// Intel's names that begin like perf's, with an underscore for the hyphen.
#[test]
fn a_misspelt_name_of_intels_is_no_event_of_perfs() {
    for text in ["DTLB_LOAD_MISSES_CAUSES_A_WALK", "ITLB_FLUSH", "topdown_slots"] {
        let error = parsed(text, named_as(Catalogue::SKYLAKE)).unwrap_err();
        assert!(error.starts_with(&format!("'{text}'")) && error.contains("has such an event"), "{error}");
    }
    let libpfms = parsed("PERF_COUNT_HW_STALLED_CYCLES_FRONTEND", named_as(Catalogue::SKYLAKE)).unwrap_err();
    assert!(libpfms.contains("perf's cache, bus and stall events have no codes here"), "{libpfms}");
}

#[test]
fn ax45s_events_have_perfs_names_too() {
    let ax45 = riscv::driver(&Riscv::AX45);
    for (perfs, own) in [
        ("cycle_count", "CYCLES"),
        ("inst_count", "INSTRET"),
        ("int_div_rem_inst", "INT_DIV_REMAINDER_INST"),
        ("float_div_sqrt_inst", "FLOAT_DIV_SQUARE_ROOT_INST"),
        ("int_mul_add_sub_inst", "INT_MUL_AND_SUB_INST"),
        ("retired_ops", "RETIRED_OP"),
    ] {
        let read = |text| parsed(text, Processor::of(&ax45));
        assert!(read(perfs).is_ok() && read(perfs) == read(own), "{perfs}: {:?}", read(perfs));
    }
}
