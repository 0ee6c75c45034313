//! libpfm's `unit::event:unit-mask:modifier=value`.

use pmu::arch::x86::{Unattached, p6};
use pmu::request::Flag;
use pmu::text::notation::Perfmon;
use pmu::text::{notation::Error, notation::Problem, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{CounterSet, Event, Modes, Request, Set};

use crate::notation::with_toy;

fn parse(text: &str) -> Result<Set<4>, Error> {
    with_toy(|toy| Perfmon::parse(text, toy))
}

fn one(text: &str) -> Request {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {}", error.in_text(text)));
    parsed.exactly::<1>().expect("there is one")[0]
}

#[test]
fn a_unit_mask_may_be_part_of_the_name_or_beside_it() {
    for text in ["INST_RETIRED:ANY_P", "inst_retired.any_p", "toy::INST_RETIRED:ANY_P", "TOY::Inst_Retired.Any_P"] {
        assert_eq!(one(text), Request::new(Event::raw(0xC0)), "{text}");
    }
}

#[test]
fn modifiers_and_unit_masks_come_in_any_order() {
    let wanted = Request::new(Event::raw(0x0642)).modes(Modes::USER).flag(Flag::Edge).threshold(2);
    for text in
        ["DC_refill:shared:exclusive:u:e:c=2", "DC_refill:c=2:u:shared:e=1:exclusive", "dc_refill.E=y.0x6.U.C=0x2"]
    {
        assert_eq!(one(text), wanted, "{text}");
    }
}

/// As in libpfm, where an event has several groups of unit masks, each with a default.
#[test]
fn bits_that_no_unit_mask_decides_are_the_defaults() {
    let mask = |text| one(text).event;
    assert_eq!(mask("DC_snoop"), Event::raw(0x4F77));
    assert_eq!([mask("DC_snoop:self"), mask("DC_snoop:both_cores")], [0x4F77, 0xCF77].map(Event::raw));
    assert_eq!([mask("DC_snoop:shared"), mask("DC_snoop:modified:shared")], [0x4277, 0x4A77].map(Event::raw));
    assert_eq!(mask("DC_snoop:both_cores:modified"), mask("DC_snoop:modified:both_cores"));
    assert_eq!(mask("DC_snoop:modified:both_cores"), Event::raw(0xC877));
    assert_eq!(mask("DC_snoop:0x40"), Event::raw(0x4077), "a number decides all");
}

#[test]
fn another_systems_name_of_an_event_is_taken() {
    assert_eq!(one("IC_miss:u"), Request::new(Event::raw(0x81)).modes(Modes::USER));
}

#[test]
fn a_misspelt_unit_mask_has_the_nearest_one() {
    let error = parse("DC_refill:shard").unwrap_err();
    assert_eq!((error.problem, error.nearest), (Problem::UnknownAttribute, Some("shared".into())));
}

#[test]
fn a_modifier_can_be_switched_off() {
    assert_eq!(one("INST_RETIRED:ANY_P:e=0:k=n:u"), Request::new(Event::raw(0xC0)).modes(Modes::USER));
}

#[test]
fn modes_are_those_that_are_named() {
    let modes = |text| one(text).modes;
    assert_eq!([modes("misc2"), modes("misc2:k"), modes("misc2:h")], [Modes::ALL, Modes::KERNEL, Modes::HYPERVISOR]);
    assert_eq!(modes("misc2:u:k:h"), Modes::ALL.and(Modes::HYPERVISOR));
}

#[test]
fn several_events_are_separated_by_commas_or_blanks() {
    let parsed = parse("misc2:u, INST_RETIRED:ANY_P\t0x51\n").unwrap();
    let codes: Vec<_> = parsed.requests().iter().map(|request| request.event).collect();
    assert_eq!(codes, [0x60, 0xC0, 0x51].map(Event::raw));
}

#[test]
fn what_is_printed_is_fully_qualified() {
    let printed = |text| with_toy(|toy| Perfmon::of(parse(text).unwrap().requests(), toy).unwrap().to_string());
    assert_eq!(printed("inst_retired.any_p"), "play::INST_RETIRED.ANY_P:k:u");
    assert_eq!(printed("dc_refill:shared:c=3:u"), "play::DC_refill:shared:u:c=3");
    assert_eq!(printed("dc_refill:shared:owned:k,either:two"), "play::DC_refill:0xa:k,play::EITHER:two:k:u");
    assert_eq!(printed("dc_snoop"), "play::DC_snoop:mesi:k:u");
    assert_eq!(printed("dc_snoop:modified:both_cores"), "play::DC_snoop:0xc8:k:u", "no mask alone is that");
    assert_eq!(printed("misc2:period=1000"), "play::misc2:k:u:period=1000");
}

#[test]
fn what_is_part_of_an_event_comes_with_its_name() {
    let active = Request::new(Event::raw(0x61)).threshold(1);
    assert_eq!(one("arith.active"), active);
    assert_eq!(one("arith.starts:u"), active.flag(Flag::Edge).modes(Modes::USER));
    assert_eq!(one("l2.remote"), Request::new(Event::raw_with(0x01B7, 0x1_0001)));
    assert_eq!(one("inst_retired.prec_dist"), Request::new(Event::raw(0x01C0)).on(CounterSet::from_bits(0b10)));
}

#[test]
fn what_is_part_of_an_event_is_printed_with_its_name_alone() {
    let printed = |request: Request| with_toy(|toy| Perfmon::of(&[request], toy).map(|text| text.to_string()));
    let active = Request::new(Event::raw(0x61)).threshold(1);
    assert_eq!(printed(active).unwrap(), "play::ARITH.ACTIVE:k:u");
    assert_eq!(printed(active.flag(Flag::Edge)).unwrap(), "play::ARITH.STARTS:k:u");
    assert_eq!(printed(active.flag(Flag::Invert)).unwrap(), "play::ARITH.ACTIVE:k:u:i");
    assert_eq!(printed(active.threshold(2)).unwrap(), "play::0x61:k:u:c=2");
    assert_eq!(printed(Request::new(Event::raw_with(0x01B7, 0x1_0001))).unwrap(), "play::L2.REMOTE:k:u");
    assert_eq!(printed(Request::new(Event::raw_with(0x01B7, 2))).unwrap(), "play::0x1b7:k:u:offcore_rsp=0x2");
    let refused = printed(Request::new(Event::raw_with(0x01B8, 2))).unwrap_err();
    assert_eq!(
        (refused.request, refused.reason),
        (0, "nothing says the value that its event needs in an auxiliary register")
    );
}

#[test]
fn a_register_beside_the_counter_takes_any_value_by_its_number() {
    assert_eq!(one("0x1b7:offcore_rsp=0x10001"), Request::new(Event::raw_with(0x01B7, 0x1_0001)));
    let most = Request::new(Event::raw_with(0x01BB, u64::MAX)).modes(Modes::USER).threshold(2);
    assert_eq!(one("0xbb:0x1:u:OFFCORE_RSP=18446744073709551615:c=2"), most);
    assert_eq!(one("0x1cd:ldlat=64"), Request::new(Event::raw_with(0x01CD, 64)));
    assert_eq!(one("0x1b7:offcore_rsp=0"), Request::new(Event::raw(0x01B7)));
}

#[test]
fn a_register_is_for_its_own_events_and_what_a_name_says_stands() {
    wrong("0x1cd:offcore_rsp=1", "offcore_rsp=1", Problem::OtherEvents);
    wrong("INST_RETIRED.ANY_P:ldlat=3", "ldlat=3", Problem::OtherEvents);
    wrong("L2.REMOTE:offcore_rsp=2", "offcore_rsp=2", Problem::PartOfEvent);
    wrong("PAPI_TOT_INS:offcore_rsp=2", "offcore_rsp=2", Problem::GenericTakesNone);
    wrong("0x1cd:ldlat=65536", "65536", Problem::OutOfRange { largest: 0xFFFF });
    wrong("0x1cd:ldlat", "", Problem::Expected("= and a number"));
}

#[test]
fn an_event_that_is_kept_to_some_counters_is_a_code_without_them() {
    let printed = |request: Request| with_toy(|toy| Perfmon::of(&[request], toy).unwrap().to_string());
    let precise = Request::new(Event::raw(0x01C0));
    assert_eq!(printed(precise.on(CounterSet::from_bits(0b10))), "play::INST_RETIRED.PREC_DIST:k:u");
    assert_eq!(printed(precise), "play::0x1c0:k:u");
}

#[test]
fn a_preset_that_is_one_event_stands_for_it() {
    let active = Request::new(Event::raw(0x61)).threshold(1);
    assert_eq!(one("PAPI_FUL_ICY:u"), active.modes(Modes::USER));
    wrong("PAPI_FUL_ICY:e", "e", Problem::GenericTakesNone);
}

/// libpfm4 prints every modifier of an event, those that are off too, and those that are part of the event:
/// `skl::UOPS_ISSUED:STALL_CYCLES:k=1:u=1:e=0:i=1:c=1:t=0:intx=0:intxcp=0`.
#[test]
fn a_modifier_that_is_already_so_may_be_said() {
    assert_eq!(one("ARITH.STARTS:k=1:u=1:e=1:i=0:c=1:t=0:intx=0:intxcp=0"), one("ARITH.STARTS"));
    assert_eq!(one("PAPI_TOT_CYC:e=0:c=0"), one("PAPI_TOT_CYC"));
    wrong("misc2:intx=1", "intx=1", Problem::UnknownAttribute);
    wrong("misc2:edeg=0", "edeg=0", Problem::UnknownAttribute);
}

/// libpfm's lists have a mask of this name where OProfile's have only those that it is made of.
#[test]
fn all_unit_masks_together_have_a_name() {
    assert_eq!(one("DC_refill:ALL:u"), one("DC_refill:0x1E:u"));
    wrong("EITHER:all", "all", Problem::UnknownAttribute);
}

#[test]
fn a_unit_has_the_names_that_others_call_it_by() {
    assert_eq!(one("play::misc2"), one("toy::misc2"));
    assert_eq!(one("PLAY::misc2"), one("misc2"));
}

#[track_caller]
fn wrong(text: &str, at: &str, problem: Problem) {
    let error = parse(text).expect_err("it is wrong");
    assert_eq!((text.get(error.at.clone()), error.problem), (Some(at), problem), "{}", error.in_text(text));
}

#[test]
fn an_error_says_where_it_is_and_what_was_expected() {
    wrong("other::misc2", "other", Problem::OtherUnit { unit: "play" });
    for text in ["misc2::", "play::", "other::", "play:::u", "cycles::,misc2"] {
        wrong(text, "", Problem::Expected("the name of an event after ::"));
    }
    for text in ["cycles::u", "misc2::u"] {
        wrong(text, "u", Problem::Expected("one colon between an event and what belongs to it"));
    }
    wrong("nothing:u", "nothing", Problem::UnknownEvent);
    wrong("misc2:x", "x", Problem::UnknownAttribute);
    // libpfm takes a mask of numbers in hexadecimal alone: in decimal it is likely to be a count of OProfile.
    wrong("misc2:1000", "1000", Problem::UnknownAttribute);
    wrong("misc2:", "", Problem::Expected("a unit mask or a modifier"));
    wrong("misc2:c", "", Problem::Expected("= and a number"));
    wrong("misc2:c=256", "256", Problem::OutOfRange { largest: 255 });
    wrong("misc2:c=many", "many", Problem::Expected("a number"));
    wrong("EITHER:one:two", "two", Problem::SecondUnitMask);
    wrong("DC_refill:0x20", "0x20", Problem::UnitMask);
    wrong("0x1900:0x0", "0x0", Problem::UnitMask);
    wrong("ARITH.ACTIVE:c=2", "c=2", Problem::PartOfEvent);
    wrong("ARITH.STARTS:e=0", "e=0", Problem::PartOfEvent);
    wrong("PAPI_TOT_CYC:e", "e", Problem::GenericTakesNone);
    wrong("papi_stl_icy:u", "papi_stl_icy", Problem::MadeOfSeveral);
    wrong("", "", Problem::Expected("an event"));
    wrong("1 2 3 4 5", "5", Problem::TooMany { room: 4 });
}

#[test]
fn an_event_that_would_count_nowhere_is_refused() {
    wrong("misc2,1:k=0", "1:k=0", Problem::Expected("a mode to count in"));
}

/// P6's mask of exclusive lines has the name of the modifier for edges.
#[test]
fn a_modifier_with_the_name_of_a_unit_mask_is_printed_with_its_value() {
    let identity = p6::Identity::PENTIUM_PRO;
    let device = p6::Device::new(&identity, Kinds::CLOCK, Unconnected);
    let processor = Processor::of(&p6::P6::detect(&identity, &device, Unattached).unwrap());
    let edges = [Request::new(Event::raw(0xF2E)).flag(Flag::Edge)];
    let text = Perfmon::of(&edges, processor).unwrap().to_string();
    assert_eq!(text, "ppro::L2_RQSTS:all:k:u:e=1");
    assert_eq!(Perfmon::parse::<1>(&text, processor).unwrap().requests()[0].flags, edges[0].flags);
}

#[test]
fn a_generic_event_may_be_restricted_to_modes() {
    assert_eq!(one("PAPI_TOT_CYC:u"), Request::new(Event::raw(0x76)).modes(Modes::USER));
}

#[test]
fn a_misspelt_name_has_the_nearest_one_even_after_its_dots() {
    let nearest = |text: &str| with_toy(|toy| Perfmon::parse::<4>(text, toy)).unwrap_err().nearest;
    assert_eq!(nearest("INST_RETIRD.ANY_P"), Some("INST_RETIRED.ANY_P".into()));
    assert_eq!(nearest("toy::CPU_CLK_UNHALTD:u"), Some("CPU_CLK_UNHALTED".into()));
}

#[test]
fn perfs_names_of_generic_events_and_its_raw_codes_are_taken() {
    assert_eq!(one("cycles:u"), Request::new(Event::CYCLES).modes(Modes::USER));
    let all = parse("cpu-cycles,branch-instructions ref-cycles,cache-misses").unwrap();
    let wanted = [Event::CYCLES, Event::BRANCHES, Event::REFERENCE_CYCLES, Event::CACHE_MISSES].map(Request::new);
    assert_eq!(all.requests(), wanted);
    assert_eq!(one("r2c0:k"), Request::new(Event::raw(0x2C0)).modes(Modes::KERNEL));
    for wrong in ["r0", "r", "rx1", "r+1", "cycle"] {
        assert_eq!(parse(wrong).unwrap_err().problem, Problem::UnknownEvent, "{wrong}");
    }
    assert_eq!(parse("cycles:e").unwrap_err().problem, Problem::GenericTakesNone);
}

#[test]
fn libpfms_units_of_perfs_events_have_these_alone() {
    for cycles in
        ["perf::cycles:u", "PERF::cpu-cycles:u", "perf::PERF_COUNT_HW_CPU_CYCLES:u", "perf_count_hw_cpu_cycles:u"]
    {
        assert_eq!(one(cycles), Request::new(Event::CYCLES).modes(Modes::USER), "{cycles}");
    }
    assert_eq!(one("perf::PERF_COUNT_HW_REF_CPU_CYCLES"), Request::new(Event::REFERENCE_CYCLES));
    assert_eq!(one("perf_raw::r2c0"), Request::new(Event::raw(0x2C0)));
    for other in ["perf::PERF_COUNT_HW_CPU_CYCLE", "perf::misc2", "perf::cycles2", "PERF_COUNT_HW_"] {
        assert_eq!(parse(other).unwrap_err().problem, Problem::UnknownEvent, "{other}");
    }
    let message = parse("perf::PERF_COUNT_HW_BUS_CYCLES").unwrap_err().to_string();
    assert!(message.contains("perf's cache, bus and stall events have no codes here"), "{message}");
}

#[test]
fn a_cache_event_of_perfs_is_answered_with_what_can_be_typed_instead() {
    for cache in ["L1-dcache-load-misses", "LLC-loads", "dTLB-load-misses:u", "l1-ICACHE-loads", "node-stores"] {
        let message = parse(cache).unwrap_err().to_string();
        assert!(message.contains("cache-references or cache-misses where the unit counts them"), "{cache}: {message}");
    }
    assert_eq!(parse("LLCloads").unwrap_err().problem, Problem::UnknownEvent);
}

#[test]
fn a_generic_event_with_a_wrong_attribute_is_said_to_take_modes() {
    let message = parse("cycles:ux").unwrap_err().to_string();
    assert!(message.contains("takes the processor's modes and no other attribute"), "{message}");
}
