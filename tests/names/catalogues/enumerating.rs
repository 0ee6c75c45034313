//! All events of a processor can be enumerated.

use pmu::arch::x86::intel::Identity;
use pmu::driver::{Plan, counters_for};
use pmu::request::Flag;
use pmu::text::{catalogue::Effect, catalogue::MaskKind};
use pmu::text::{notation::Oprofile, notation::Processor};
use pmu::{CounterSet, Event, Request, Set};

use crate::catalogues::{amd, intel};

fn bits(number: u8) -> CounterSet {
    CounterSet::from_bits(1 << number)
}

#[test]
fn the_events_of_a_counter_are_those_that_it_has() {
    let driver = intel::driver(&Identity::NEHALEM);
    let has = |counter, name| driver.catalogue().events_of(bits(counter)).any(|named| named.name == name);
    assert_eq!([0, 1, 2, 3].map(|counter| has(counter, "L1D.REPL")), [true, true, false, false]);
    assert_eq!([0, 32, 33].map(|counter| has(counter, "INST_RETIRED.ANY")), [false, true, false]);
}

#[test]
fn the_counters_of_an_event_are_found_by_asking_the_driver() {
    let driver = intel::driver(&Identity::NEHALEM);
    let counters = |request: Request| counters_for(&driver, &request);
    assert_eq!(counters(Event::INSTRUCTIONS.into()), CounterSet::from_bits(0x1_0000_000F));
    assert_eq!(counters(Request::new(Event::INSTRUCTIONS).on(CounterSet::first(2))), CounterSet::first(2));
    assert_eq!(counters(Event::SLOTS.into()), CounterSet::EMPTY);
}

#[test]
fn a_generic_event_says_what_it_is_made_of() {
    let driver = intel::driver(&Identity::SKYLAKE);
    let catalogue = driver.catalogue();
    let preset = catalogue.preset("PAPI_BR_PRC").unwrap();
    let terms: Vec<_> = preset.terms().map(|term| (term.factor, term.event)).collect();
    assert_eq!(terms, [(1, "BR_INST_RETIRED.CONDITIONAL"), (-1, "BR_MISP_RETIRED.CONDITIONAL")]);
    let set: Vec<_> = catalogue.requests_of(preset).collect();
    assert_eq!(set, [Request::new(Event::raw(0x01C4)), Request::new(Event::raw(0x01C5))]);
    assert_eq!(preset.value(&[1000, 30]), Some(970));
}

#[test]
fn unit_masks_are_listed_with_their_kind_their_default_and_their_names() {
    let driver = amd::driver_of_k8();
    let masks = driver.catalogue().named("DATA_CACHE_REFILLS_FROM_SYSTEM").unwrap().masks;
    assert_eq!((masks.kind, masks.default), (MaskKind::Bitmask, 0x1F));
    assert!(masks.named.iter().any(|mask| (mask.name, mask.value) == ("modified", 0x10)), "{masks:?}");
}

#[test]
fn attributes_are_listed_with_what_they_do_and_how_far_they_go() {
    let driver = intel::driver(&Identity::SKYLAKE);
    let attribute = |name| driver.catalogue().attributes.iter().find(|it| it.name == name).copied();
    let threshold = attribute("cmask").unwrap();
    assert_eq!((threshold.effect, threshold.largest), (Effect::Threshold, 255));
    assert_eq!(attribute("edge").map(|it| it.effect), Some(Effect::Flag(Flag::Edge)));
    assert_eq!(attribute("cmsk"), None);
}

#[test]
fn the_requests_of_a_set_are_listed_as_they_were_asked_for() {
    let mut set = Set::<3>::from([Event::CYCLES, Event::INSTRUCTIONS]);
    set.add(Request::new(Event::raw(0xC4)).threshold(2)).unwrap();
    let events: Vec<_> = set.requests().iter().map(|request| request.event).collect();
    assert_eq!(events, [Event::CYCLES, Event::INSTRUCTIONS, Event::raw(0xC4)]);
}

#[test]
fn a_processor_says_what_it_is_profiled_by_and_how_often() {
    let driver = intel::driver(&Identity::SKYLAKE);
    let catalogue = driver.catalogue();
    let default: Set<1> = Oprofile::parse("default", Processor::of(&driver)).unwrap();
    let named = catalogue.default_event().unwrap();
    assert_eq!(named.name, "CPU_CLK_UNHALTED.THREAD_P");
    assert_eq!(default.requests(), [catalogue.request(named).every(Oprofile::DEFAULT_COUNT)]);
}
