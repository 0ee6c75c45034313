//! Events by name as constants: what the compiler finds is what a catalogue finds.

use pmu::arch::x86::intel;
use pmu::request::Flag;
use pmu::text::catalogue::Catalogue;
use pmu::text::{notation::Perfmon, notation::Processor};
use pmu::{Event, Request};

use crate::catalogues::{self, unnamed};

const STALLS: Request = Catalogue::SKYLAKE.constant("UOPS_ISSUED.STALL_CYCLES");
const MISSED: Request = Catalogue::SKYLAKE.constant("frontend_retired:dsb_miss");
const LAST: Request = Catalogue::CASCADE_LAKE.constant("UOPS_RETIRED.TOTAL_CYCLES");
const SSE: Request = Catalogue::ZEN_4.constant("RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR");
const FLOPS: Request = Catalogue::ZEN_4.constant("RETIRED_SSE_AVX_FLOPS:ADD_SUB_FLOPS:MULT_FLOPS");
const MODIFIED: Request = Catalogue::HAMMER.constant("DATA_CACHE_REFILLS_FROM_SYSTEM:modified");
const BOTH_CORES: Request = Catalogue::CORE_2.constant("BUS_TRANS_ANY:BOTH_CORES");
const RETIRED: Request = Catalogue::NEOVERSE_N1[0].constant("INST_RETIRED");
const CYCLES: Request = Catalogue::POWER9.constant("PM_CYC");

#[test]
fn a_constant_is_the_event_with_all_that_belongs_to_it() {
    assert_eq!(STALLS, Request::new(Event::raw(0x010E)).threshold(1).flag(Flag::Invert));
    assert_eq!((MISSED.event, MISSED.counters.bits()), (Event::raw_with(0x01C6, 0x11), 0xF));
    assert_eq!([SSE.event, FLOPS.event, MODIFIED.event], [0x04CB, 0x0303, 0x1043].map(Event::raw));
    assert_eq!([BOTH_CORES.event, RETIRED.event, CYCLES.event], [0xC070, 0x0008, 0x001E].map(Event::raw));
    assert_eq!(LAST.event, Catalogue::SKYLAKE.constant("UOPS_RETIRED.TOTAL_CYCLES").event);
}

/// Each name of a table in both of its spellings, at run time.
fn finds_what_the_catalogue_finds(catalogue: &'static Catalogue) {
    for named in catalogue.events.iter().filter(|named| !named.counters.is_empty()) {
        let name = named.name.to_string();
        for text in [name.clone(), name.to_lowercase().replace('.', ":")] {
            let found = catalogue.constant(&text);
            assert_eq!(found, unnamed(catalogue.request(named)), "{}: {text}", catalogue.unit);
        }
    }
}

#[test]
fn every_name_of_a_table_can_be_a_constant() {
    finds_what_the_catalogue_finds(Catalogue::SKYLAKE);
    finds_what_the_catalogue_finds(Catalogue::POWER9);
    finds_what_the_catalogue_finds(&Catalogue::NEOVERSE_N1[0]);
}

/// libpfm's names and masks, one mask at a time.
fn finds_what_libpfms_notation_reads(here: Processor) -> usize {
    let (mut found, catalogue) = (0, here.catalogue);
    for named in catalogue.libpfm.iter().filter(|named| !named.counters.is_empty()) {
        for mask in named.masks.named.iter() {
            let text = format!("{}:{}", named.name, mask.name);
            let Ok(read) = Perfmon::parse::<1>(&text, here) else { continue };
            assert_eq!(catalogue.constant(&text).event, read.requests()[0].event, "{text}");
            found += 1;
        }
    }
    found
}

#[test]
fn every_unit_mask_of_libpfms_can_be_part_of_a_constant() {
    let (k8, skylake) = (catalogues::amd::driver_of_k8(), catalogues::intel::driver(&intel::Identity::SKYLAKE));
    assert!(finds_what_libpfms_notation_reads(Processor::of(&k8)) > 10);
    finds_what_libpfms_notation_reads(Processor::of(&skylake));
}

#[test]
#[should_panic(expected = "the catalogue has no such event")]
fn a_name_that_goes_on_is_another() {
    let _ = Catalogue::SKYLAKE.constant("UOPS_ISSUED.STALL_CYCLES.ANY");
}

#[test]
#[should_panic(expected = "the catalogue has no such event")]
fn an_event_that_needs_a_unit_mask_is_no_constant_without() {
    let _ = Catalogue::ZEN_4.constant("RETIRED_MMX_FP_INSTRUCTIONS");
}
