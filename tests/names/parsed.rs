//! What a user typed is counted, however many events it asks for.

use std::collections::{BTreeMap, HashSet};

use pmu::arch::mips::mipsxx;
use pmu::output::perfex::Perfex;
use pmu::request::{Flag, Full};
use pmu::text::{notation::Options, notation::PerfexCommand, notation::Perfmon, notation::Processor};
use pmu::virt::{Device as _, Kinds, Unconnected};
use pmu::{CounterId, CounterSet, Error, Event, Mode, Modes, Request, Set, Unit};

use crate::catalogues::amd::driver_of_k8;
use crate::skylake::{device, driver, work};

#[test]
fn a_set_that_was_parsed_opens_a_session_that_reads_in_its_order() {
    let device = device();
    let unit = Unit::<_, 8>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let set = Perfmon::parse::<8>("branches:u,instructions:u,branches:k", pmu.processor()).unwrap();
    let mut session = pmu.open_set(&set).unwrap();
    session.start().unwrap();
    device.advance(&work(1000));
    assert_eq!(session.read().unwrap().values(), [100, 1000, 0]);
    pmu.suspend().unwrap();
    assert_eq!(session.read().unwrap().values(), [100, 1000, 0], "asleep too");
    unit.resume().unwrap();
    session.reset().unwrap();
    device.advance(&work(50));
    session.stop().unwrap();
    assert_eq!(session.read().unwrap().values(), [5, 50, 0]);
    assert_eq!((session.counter(2).is_some(), session.counter(3)), (true, None), "there are three requests");
}

#[test]
fn a_session_of_a_set_knows_its_samples() {
    let device = device();
    let unit = Unit::<_, 8>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let mut set = Set::<4>::from([Event::BRANCHES]);
    set.add(Request::new(Event::INSTRUCTIONS).every(1000)).unwrap();
    let mut session = pmu.open_set(&set).unwrap();
    session.start().unwrap();
    device.advance(&work(1000));
    let _ = unit.on_overflow(pmu::Interrupted::new(7, Mode::User));
    let samples: Vec<_> = unit.samples().unwrap().by_ref().map(|sample| session.request_of(&sample)).collect();
    assert_eq!(samples, [Some(1)]);
}

#[test]
fn an_empty_set_counts_nothing() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let (counts, ()) = pmu.count_set(&Set::<4>::new(), || device.advance(&work(10))).unwrap();
    assert!(counts.values().is_empty());
}

#[test]
fn each_set_of_a_command_line_is_counted() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let text = "root=/dev/sda -c instructions -c instructions,branches,cycles";
    let options = Options::<4, 2>::parse(text, pmu.processor()).unwrap();
    let counts = options.sets().iter().map(|given| {
        let (counts, ()) = pmu.count_set(&given.set, || device.advance(&work(100))).unwrap();
        counts.values().to_vec()
    });
    assert!(counts.eq([vec![100], vec![100, 10, 100]]));
}

#[test]
fn a_pair_that_was_typed_is_counted_and_an_event_that_was_not_is_0() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let mut perfex = Perfex::new(&pmu);
    let mut count = |text| {
        let command = PerfexCommand::parse(text, pmu.processor()).unwrap();
        perfex.start_set(&command.sets()[0]).unwrap();
        device.advance(&work(1000));
        perfex.read().unwrap().0
    };
    assert_eq!(count("-e PAPI_br_ins -e INST_RETIRED.ANY_P ./a.out"), [100, 1000]);
    assert_eq!(count("-e PAPI_br_ins ./a.out"), [100, 0]);
}

#[test]
fn an_override_replaces_what_was_typed_with_its_name() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let replace = |number: usize| (number == 0).then_some(Event::BRANCHES);
    let mut perfex = Perfex::new(&pmu).replaced_by(&replace);
    let command = PerfexCommand::parse("-e INST_RETIRED.ANY_P", pmu.processor()).unwrap();
    perfex.start_set(&command.sets()[0]).unwrap();
    device.advance(&work(1000));
    assert_eq!(perfex.read().unwrap().0, [100, 0]);
}

#[test]
fn a_request_prints_under_the_name_that_it_was_made_by() {
    let printed = |processor, text| {
        let set = Perfmon::parse::<1>(text, processor).unwrap_or_else(|error| panic!("{}", error.in_text(text)));
        set.requests()[0].to_string()
    };
    let device = device();
    let on_skylake = |text| printed(Processor::of(&driver(&device)), text);
    assert_eq!(on_skylake("inst_retired.any_p:u"), "INST_RETIRED.ANY_P in user");
    assert_eq!(on_skylake("papi_tot_cyc"), "papi_tot_cyc");
    assert_eq!(on_skylake("PAPI_L1_DCM:k"), "papi_l1_dcm in kernel", "a preset");
    assert_eq!(on_skylake("cycles"), "cycles");
    assert_eq!(on_skylake("skl::BR_MISP_RETIRED:COND"), "BR_MISP_RETIRED.COND", "libpfm's");
    assert_eq!(on_skylake("0x01c4:u"), "event 0x1c4 in user", "nothing named it");
    let on_k8 = |text| printed(Processor::of(&driver_of_k8()), text);
    assert_eq!(on_k8("data_cache_lines_evicted"), "DATA_CACHE_LINES_EVICTED");
    assert_eq!(on_k8("DATA_CACHE_LINES_EVICTED:owned"), "DATA_CACHE_LINES_EVICTED:owned");
    assert_eq!(on_k8("DATA_CACHE_LINES_EVICTED:owned:modified"), "DATA_CACHE_LINES_EVICTED:0x18");
}

/// Of `ARITH.DIVIDER_ACTIVE`, the threshold is part of the event, and is not repeated.
#[test]
fn requests_that_differ_print_differently_and_a_plain_one_prints_its_name_alone() {
    let device = device();
    let processor = Processor::of(&driver(&device));
    let of_text = |text| Perfmon::parse::<1>(text, processor).unwrap_or_else(|error| panic!("{error}")).requests()[0];
    let plain = of_text("INST_RETIRED.ANY_P");
    let counter = CounterId::ZERO;
    let mut other = plain;
    other.event = Event::raw(0x1C5);
    let printed = [
        (plain, "INST_RETIRED.ANY_P"),
        (of_text("INST_RETIRED.ANY_P:c=2"), "INST_RETIRED.ANY_P, threshold 2"),
        (of_text("INST_RETIRED.ANY_P:c=2:i"), "INST_RETIRED.ANY_P, invert, threshold 2"),
        (of_text("INST_RETIRED.ANY_P:e:c=1:u"), "INST_RETIRED.ANY_P in user, edge, threshold 1"),
        (plain.pinned_to(counter), "INST_RETIRED.ANY_P, on counter 0"),
        (plain.on(CounterSet::first(2)).every(1000), "INST_RETIRED.ANY_P, every 1000, on counters {0, 1}"),
        (plain.begin_at(7), "INST_RETIRED.ANY_P, from 7"),
        (plain.modes(Modes::NONE), "INST_RETIRED.ANY_P in no mode"),
        (other, "INST_RETIRED.ANY_P as event 0x1c5"),
        (Request::from(Event::CYCLES).threshold(3), "cycles, threshold 3"),
        (of_text("ARITH.DIVIDER_ACTIVE"), "ARITH.DIVIDER_ACTIVE"),
    ];
    for (request, text) in printed {
        assert_eq!(request.to_string(), text);
    }
    let flagged = Flag::ALL.map(|flag| plain.flag(flag).to_string());
    assert_eq!(HashSet::from(flagged).len(), Flag::ALL.len());
}

#[test]
fn a_mode_that_only_its_processor_has_is_printed() {
    let device = mipsxx::Device::new(&mipsxx::Identity::R10000, Kinds::CLOCK, Unconnected);
    let driver = mipsxx::Mipsxx::detect(&device).unwrap();
    let printed = |text| Perfmon::parse::<1>(text, Processor::of(&driver)).unwrap().requests()[0].to_string();
    assert_eq!(printed("Cycles:u"), "Cycles in user");
    assert_eq!(printed("Cycles:u:e"), "Cycles:e in user");
    assert_eq!(printed("Cycles:e"), "Cycles:e in no other mode");
}

#[test]
fn an_error_has_the_names_that_were_typed() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let pmu = unit.claim(driver(&device)).unwrap();
    let typed = |text| Perfmon::parse::<9>(text, pmu.processor()).unwrap();
    let refusal = |text, period| {
        let mut set = Set::<9>::new();
        for request in typed(text).requests() {
            set.add(request.every(period)).unwrap();
        }
        pmu.open_set(&set).unwrap_err().to_string()
    };
    let zero = "a period of 0 never interrupts";
    assert_eq!(refusal("mem_load_retired.l1_hit:u", 0), format!("request 0 (MEM_LOAD_RETIRED.L1_HIT): {zero}"));
    assert_eq!(refusal("papi_l1_dcm", 0), format!("request 0 (papi_l1_dcm): {zero}"));
    assert_eq!(refusal("0x1d1", 0), format!("request 0 (event 0x1d1): {zero}"), "nothing named it");
    let conflict = refusal(&["mem_load_retired.l1_hit"; 9].join(","), 100_000);
    assert!(conflict.contains("(MEM_LOAD_RETIRED.L1_HIT, MEM_LOAD_RETIRED.L1_HIT and others)"), "{conflict}");
}

/// Requests and what they are made of can be keys of a map.
#[test]
fn equal_requests_have_equal_hashes_by_whatever_name() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let processor = unit.claim(driver(&device)).unwrap().processor();
    let set = Perfmon::parse::<2>("INST_RETIRED.ANY_P,0xc0", processor).unwrap();
    assert!(set.requests()[0].name.is_some() && set.requests()[1].name.is_none());
    let different: HashSet<Request> = set.requests().iter().copied().collect();
    assert_eq!(different.len(), 1);
    let modes = BTreeMap::from([(Mode::Kernel, 2), (Mode::User, 1)]);
    assert!(modes.into_values().eq([1, 2]), "the kernel is more privileged");
    let mut events = [Event::raw(5), Event::CYCLES, Event::raw(4)];
    events.sort();
    assert_eq!(events, [Event::CYCLES, Event::raw(4), Event::raw(5)]);
}

/// A kernel's own function, whose errors are all this crate's.
fn add_typed(text: &str, set: &mut Set<2>, processor: Processor) -> pmu::Result<()> {
    for request in Perfmon::parse::<4>(text, processor)?.requests() {
        set.add(request.modes(Modes::USER))?;
    }
    Ok(())
}

#[test]
fn what_is_wrong_with_a_text_or_a_set_is_an_error_like_others() {
    let device = device();
    let unit = Unit::<_, 0>::new();
    let processor = unit.claim(driver(&device)).unwrap().processor();
    let mut set = Set::new();
    let mut add = |text| add_typed(text, &mut set, processor);
    assert_eq!(add("instructions"), Ok(()));
    let unknown = add("cycles,instrutions").unwrap_err();
    let problem = "no counter of this processor has such an event";
    assert_eq!(unknown, Error::Text { at: 7, problem, limit: None, nearest: Some("instructions".into()) });
    let says =
        "the text is wrong at byte 7: no counter of this processor has such an event; the nearest name is instructions";
    assert_eq!(unknown.to_string(), says);
    let large = add("INST_RETIRED.ANY_P:c=256").unwrap_err();
    assert_eq!(large.to_string(), "the text is wrong at byte 21: the value must be from 0 to 255");
    let many = add("cycles,cycles,cycles,cycles,cycles").unwrap_err();
    assert_eq!(many.to_string(), "the text is wrong at byte 28: there is no room for more requests than 4");
    let Error::Expected { at: 0, what } = add("").unwrap_err() else { panic!("an event is missing") };
    assert_eq!(what, "an event");
    let full = add("cycles,branches").unwrap_err();
    assert_eq!(full.to_string(), "the set is full: it has room for 2 and no more");
    assert!(matches!(full, Error::Full(Full { most: 2, .. })));
}
