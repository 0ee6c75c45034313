//! OProfile's `name:count:unit-mask:kernel:user`.

use pmu::text::notation::Oprofile;
use pmu::text::{notation::Error, notation::Problem};
use pmu::{CounterId, Event, Modes, Request, Set};

use crate::notation::{counter, with_toy};

fn parse(text: &str) -> Result<Set<4>, Error> {
    with_toy(|toy| Oprofile::parse(text, toy))
}

fn one(text: &str) -> Request {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {}", error.in_text(text)));
    parsed.exactly::<1>().expect("there is one")[0]
}

fn every(code: u64, count: u64) -> Request {
    Request::new(Event::raw(code)).every(count)
}

#[test]
fn an_event_has_a_count_and_counts_everywhere() {
    assert_eq!(one("CPU_CLK_UNHALTED:100000"), every(0x76, 100_000));
    assert_eq!(one("CPU_CLK_UNHALTED:100000:0:1:1"), every(0x76, 100_000));
}

#[test]
fn unit_masks_are_numbers_or_names() {
    assert_eq!(one("DC_refill:500"), every(0x1E42, 500));
    assert_eq!(one("DC_refill:500:0x0a"), every(0x0A42, 500));
    assert_eq!(one("DC_refill:500:shared"), every(0x0242, 500));
    assert_eq!(one("EITHER:500:two:0:1"), every(0x0250, 500).modes(Modes::USER));
}

#[test]
fn kernel_and_user_are_switches() {
    assert_eq!(one("EITHER:500::1:0"), every(0x0150, 500).modes(Modes::KERNEL));
    assert_eq!(one("EITHER:500::0"), every(0x0150, 500).modes(Modes::USER));
}

#[test]
fn the_default_is_the_processors() {
    assert_eq!(one("default"), every(0x76, 100_000));
    assert_eq!(one("default:6000"), every(0x76, 6000));
}

#[test]
fn several_events_have_commas_between_them() {
    let parsed = parse("CPU_CLK_UNHALTED:3000,EITHER:500:1").unwrap();
    assert_eq!(parsed.requests(), [every(0x76, 3000), every(0x0150, 500)]);
}

/// OProfile calls it mandatory, and has nothing else for the event: 0x41 of Core 2's LLC_MISSES.
#[test]
fn the_unit_mask_that_an_event_has_anyway_is_taken() {
    assert_eq!(one("INST_RETIRED.PREC_DIST:500:0x1").event, Event::raw(0x01C0));
    assert_eq!(one("INST_RETIRED.PREC_DIST:500:0").event, Event::raw(0x01C0));
    wrong("INST_RETIRED.PREC_DIST:500:0x3", "0x3", Problem::UnitMask);
}

#[test]
fn what_is_printed_is_whole() {
    let printed = |text| with_toy(|toy| Oprofile::of(parse(text).unwrap().requests(), toy).unwrap().to_string());
    assert_eq!(printed("CPU_CLK_UNHALTED:100000"), "CPU_CLK_UNHALTED:100000:0x0:1:1");
    assert_eq!(printed("DC_refill:500:shared:0:1,0x1234:9"), "DC_refill:500:0x2:0:1,0x1234:9:0x12:1:1");
}

#[track_caller]
fn wrong(text: &str, at: &str, problem: Problem) {
    let error = parse(text).expect_err("it is wrong");
    assert_eq!((text.get(error.at.clone()), error.problem), (Some(at), problem), "{}", error.in_text(text));
}

#[test]
fn an_error_says_where_it_is_and_what_was_expected() {
    wrong("NOTHING:1", "NOTHING", Problem::UnknownEvent);
    wrong(":1", ":1", Problem::Expected("the name of an event, or default"));
    wrong("EITHER", "", Problem::Expected(": and a count"));
    wrong("EITHER:0", "0", Problem::Expected("a count from 1 to 2^64 - 1"));
    wrong("EITHER:x", "x", Problem::Expected("a count from 1 to 2^64 - 1"));
    wrong("CPU_CLK_UNHALTED:2999", "2999", Problem::CountTooSmall { least: 3000 });
    wrong("CPU_CLK_UNHALTED:5000:1", "1", Problem::UnitMask);
    wrong("EITHER:500:3", "3", Problem::UnitMask);
    wrong("DC_refill:500:0x20", "0x20", Problem::UnitMask);
    wrong("DC_refill:500:unowned", "unowned", Problem::UnitMask);
    wrong("EITHER:500:1:2", "2", Problem::Expected("0 or 1"));
    wrong("EITHER:500:1:0:0", "EITHER:500:1:0:0", Problem::Expected("kernel, user, or both"));
    wrong("EITHER:500:1:1:1:1", "1", Problem::Expected("the end of the event"));
    wrong("EITHER:500,EITHER:600", "EITHER:600", Problem::Repeated);
    wrong("1:1,2:1,3:1,4:1,5:1", "5:1", Problem::TooMany { room: 4 });
}

#[test]
fn a_generic_event_is_read_by_its_own_name_and_by_perfs() {
    let cycles = Request::new(Event::CYCLES).every(5000);
    for name in ["cycles", "CPU-CYCLES"] {
        assert_eq!(parse(&format!("{name}:5000")).unwrap().requests(), [cycles], "{name}");
    }
    assert_eq!(with_toy(|toy| Oprofile::of(&[cycles], toy).unwrap().to_string()), "cycles:5000:0x0:1:1");
    assert_eq!(parse("instructionz:5000").unwrap_err().nearest, Some("instructions".into()));
    assert_eq!(parse("slotz:5000").unwrap_err().nearest, Some("slots".into()));
}

#[test]
fn what_the_notation_cannot_say_is_named() {
    let reason = |request: Request| with_toy(|toy| Oprofile::of(&[request], toy).map(drop).unwrap_err().reason);
    let plain = Request::new(Event::raw(0x76));
    assert_eq!(reason(plain), "it has no period");
    assert_eq!(reason(plain.once_after(9)), "its period ends once");
    let plain = plain.every(9000);
    assert_eq!(reason(plain.threshold(2)), "no attribute says its threshold or one of its flags");
    assert_eq!(reason(plain.modes(Modes::NONE)), "it counts in modes that are not written in this notation");
    assert_eq!(
        reason(plain.pinned_to(CounterId::ZERO)),
        "it is limited to counters, which this notation does not name"
    );
    assert_eq!(reason(Request::new(Event::raw(0)).every(9000)), "nothing names its event");
}

#[test]
fn a_generic_event_takes_the_mask_0_so_that_its_modes_can_be_given() {
    let request = Request::new(Event::INSTRUCTIONS).modes(Modes::USER).every(500);
    assert_eq!(parse("PAPI_TOT_INS:500:0:0:1").unwrap().requests(), [request]);
    assert_eq!(with_toy(|toy| Oprofile::of(&[request], toy).unwrap().to_string()), "papi_tot_ins:500:0x0:0:1");
    wrong("PAPI_TOT_INS:500:1", "1", Problem::GenericTakesNone);
}

#[test]
fn a_profile_with_call_chains_needs_larger_counts() {
    let parsed = |text| with_toy(|toy| Oprofile::parse_with_call_chains::<1>(text, toy));
    assert_eq!(parsed("CPU_CLK_UNHALTED:44999").unwrap_err().problem, Problem::CountTooSmall { least: 45_000 });
    assert!(parsed("CPU_CLK_UNHALTED:45000").is_ok());
}

#[test]
fn an_event_whose_name_takes_no_such_count_is_printed_by_its_code() {
    let printed = |request: Request| with_toy(|toy| Oprofile::of(&[request], toy).map(|text| text.to_string()));
    let cycles = Request::new(Event::raw(0x76));
    assert_eq!(printed(cycles.every(3000)).unwrap(), "CPU_CLK_UNHALTED:3000:0x0:1:1");
    assert_eq!(printed(cycles.every(2999)).unwrap(), "0x76:2999:0x0:1:1");
    assert_eq!(parse("0x76:2999:0x0:1:1").unwrap().requests(), [cycles.every(2999)]);
}

#[test]
fn a_unit_mask_that_leaves_no_code_is_refused() {
    assert_eq!(parse("0x1900:6400:0x1").unwrap().requests(), [Request::new(Event::raw(0x0100)).every(6400)]);
    assert_eq!(parse("0x1900:6400:0x0").unwrap_err().problem, Problem::UnitMask);
}

#[test]
fn problems_have_the_numbers_of_op_check_events() {
    let bits = |text| Oprofile::check_bits(&parse(text).unwrap_err().problem);
    assert_eq!([bits("NOTHING:1"), bits("EITHER:5:3"), bits("EITHER:0")], [Some(1), Some(2), None]);
}

#[test]
fn the_event_of_a_counter_that_does_not_have_it_is_an_invalid_counter() {
    let parsed = |text, number| with_toy(|toy| Oprofile::parse_with_counter(text, counter(number), toy));
    let problem = |text, number| parsed(text, number).expect_err("it is wrong").problem;
    assert_eq!(parsed("EITHER:500:2:0", 2), Ok(every(0x0250, 500).modes(Modes::USER).pinned_to(counter(2))));
    assert_eq!(problem("INST_RETIRED.PREC_DIST:500", 0), Problem::CounterCannot { able: counter(1).only() });
    assert_eq!(problem("EITHER:500", 4), Problem::UnknownCounter { counters: 4 });
    let bits = |text, number| Oprofile::check_bits(&problem(text, number));
    assert_eq!([bits("INST_RETIRED.PREC_DIST:500", 0), bits("EITHER:500", 4)], [Some(4); 2]);
    assert_eq!(
        [bits("NOTHING:500", 0), bits("EITHER:500:3", 0), bits("EITHER:500,EITHER:1", 0)],
        [Some(1), Some(2), None]
    );
}

#[test]
fn what_is_part_of_an_event_comes_with_its_name() {
    let active = Request::new(Event::raw(0x61)).threshold(1).every(5000);
    let parsed = with_toy(|toy| pmu::text::notation::Oprofile::parse::<1>("arith.active:5000", toy)).unwrap();
    assert_eq!(parsed.requests(), [active]);
    let printed =
        |request| with_toy(|toy| pmu::text::notation::Oprofile::of(&[request], toy).map(|text| text.to_string()));
    assert_eq!(printed(active).unwrap(), "ARITH.ACTIVE:5000:0x0:1:1");
    assert!(printed(active.threshold(2)).is_err(), "OProfile has no thresholds");
}
