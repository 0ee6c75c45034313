//! perf's names of events that Intel's own lists have otherwise.

use pmu::arch::x86::intel::Identity;
use pmu::text::catalogue::Catalogue;
use pmu::text::{notation::Cpc, notation::Oprofile, notation::Perfmon, notation::Processor};
use pmu::{Event, Modes, Request};

use crate::catalogues::intel;

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
