//! cputrack's and cpustat's `-c`.

use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx};
use pmu::arch::x86::Unattached;
use pmu::arch::x86::intel::{self, Intel};
use pmu::driver::Plan;
use pmu::request::Flag;
use pmu::text::{notation::Cpc, notation::Pentium};
use pmu::text::{notation::Error, notation::Problem, notation::Processor};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Event, Modes, Request, Set};

use crate::notation::{counter, with_toy};

fn parse(text: &str) -> Result<Set<4>, Error> {
    with_toy(|toy| Cpc::parse(text, toy))
}

fn requests(text: &str) -> Vec<Request> {
    let parsed = parse(text).unwrap_or_else(|error| panic!("{text}: {}", error.in_text(text)));
    parsed.requests().to_vec()
}

fn user(code: u64, on: u8) -> Request {
    Request::new(Event::raw(code)).modes(Modes::USER).pinned_to(counter(on))
}

#[test]
fn events_count_in_user_programs_on_the_counters_that_they_are_given() {
    assert_eq!(requests("pic0=CPU_CLK_UNHALTED,pic2=0x51"), [user(0x76, 0), user(0x51, 2)]);
}

#[test]
fn a_bare_event_goes_to_the_first_free_counter_that_has_it() {
    assert_eq!(requests("pic1=CPU_CLK_UNHALTED,0x51"), [user(0x76, 1), user(0x51, 0)]);
    assert_eq!(requests("0x51,pic0=CPU_CLK_UNHALTED"), [user(0x51, 1), user(0x76, 0)]);
    assert_eq!(requests("0x51,inst_retired.prec_dist,0x52"), [user(0x51, 0), user(0x01C0, 1), user(0x52, 2)]);
    wrong(
        "pic1=0x51,inst_retired.prec_dist",
        "inst_retired.prec_dist",
        Problem::NoCounterLeft { able: counter(1).only() },
    );
}

fn r10000() -> impl Plan {
    Mipsxx::new(Device::new(&Identity::R10000, Kinds::CLOCK, Unconnected), Identity::R10000.capabilities())
}

/// On the R10000 the codes 0 to 15 are counter 0's, and 16 to 31 counter 1's.
#[test]
fn a_code_goes_to_a_counter_that_its_event_is_on() {
    let r10000 = Processor::of(&r10000());
    let parse = |text: &str| Cpc::parse::<2>(text, r10000);
    assert_eq!(parse("17,7").unwrap().requests(), [user(17, 1), user(7, 0)]);
    let both = parse("7,0").unwrap_err();
    assert_eq!((both.at, both.problem), (2..3, Problem::NoCounterLeft { able: counter(0).only() }));
    let other = parse("pic1=7").unwrap_err();
    assert_eq!((other.at, other.problem), (5..6, Problem::CounterCannot { able: counter(0).only() }));
    assert_eq!(Cpc::of(&[user(17, 1), user(7, 1)], r10000).map(drop).unwrap_err().request, 1);
    assert_eq!(requests("pic0=0x1c0"), [user(0x01C0, 0)], "this event alone is kept to counter 1, not its code");
}

#[test]
fn an_attribute_without_a_number_is_for_every_counter() {
    let [first, second] = requests("0x50,0x51,sys,edge").try_into().unwrap();
    assert_eq!(first, user(0x50, 0).modes(Modes::ALL).flag(Flag::Edge));
    assert_eq!(second, user(0x51, 1).modes(Modes::ALL).flag(Flag::Edge));
}

#[test]
fn an_attribute_with_a_number_is_for_that_counter() {
    let parsed = requests("umask1=0x0f,cmask1=3,pic0=0x50,pic1=0x51,nouser0,sys0");
    assert_eq!(parsed, [user(0x50, 0).modes(Modes::KERNEL), user(0x0F51, 1).threshold(3)]);
}

#[test]
fn a_name_with_digits_at_its_end_is_an_event() {
    assert_eq!(requests("misc2"), [user(0x60, 0)]);
}

#[test]
fn an_event_has_the_names_that_other_systems_gave_it() {
    assert_eq!(requests("dc_refill_FROM_L2,pic1=DC_refill_from_L2,umask1=2"), [user(0x1E42, 0), user(0x0242, 1)]);
    assert_eq!(requests("IC_miss"), [user(0x81, 0)], "no event of the table has this code");
    let printed = with_toy(|toy| Cpc::of(&requests("DC_refill_from_L2"), toy).unwrap().to_string());
    assert_eq!(printed, "pic0=DC_refill");
}

#[test]
fn an_event_has_its_default_unit_mask_until_it_is_given_one() {
    assert_eq!(requests("DC_refill,pic1=DC_refill,umask1=2"), [user(0x1E42, 0), user(0x0242, 1)]);
}

#[test]
fn what_is_printed_is_canonical() {
    let canonical = |text| with_toy(|toy| Cpc::of(&requests(text), toy).unwrap().to_string());
    assert_eq!(canonical("cpu_clk_unhalted,sys"), "pic0=CPU_CLK_UNHALTED,sys0");
    assert_eq!(canonical("0x242,nouser,sys,cmask=3,inv"), "pic0=DC_refill,umask0=0x2,cmask0=0x3,inv0,nouser0,sys0");
    assert_eq!(canonical("pic3=0x99"), "pic3=0x99");
    assert_eq!(canonical("PAPI_tot_cyc"), "pic0=CPU_CLK_UNHALTED");
}

#[test]
fn on_a_counter_that_the_events_name_is_not_for_its_code_is_printed() {
    let text = |on| with_toy(|toy| Cpc::of(&[user(0x01C0, on)], toy).unwrap().to_string());
    assert_eq!((text(1), text(0)), ("pic1=INST_RETIRED.PREC_DIST".to_owned(), "pic0=0x1c0".to_owned()));
}

#[test]
fn what_is_part_of_an_event_is_replaced_by_its_attribute() {
    assert_eq!(requests("arith.active"), [user(0x61, 0).threshold(1)]);
    assert_eq!(requests("arith.active,cmask=3,edge"), [user(0x61, 0).threshold(3).flag(Flag::Edge)]);
    let printed = |text| with_toy(|toy| Cpc::of(&requests(text), toy).unwrap().to_string());
    assert_eq!(printed("arith.active,edge"), "pic0=ARITH.STARTS");
    assert_eq!(printed("arith.active,cmask=3"), "pic0=0x61,cmask0=0x3");
}

#[test]
fn a_unit_mask_takes_the_place_of_the_one_that_is_part_of_a_name() {
    assert_eq!(requests("pic1=inst_retired.any_p,umask1=1"), [user(0x01C0, 1)]);
    assert_eq!(requests("pic1=inst_retired.prec_dist,umask1=2"), [user(0x02C0, 1)]);
    let printed = |text| with_toy(|toy| Cpc::of(&requests(text), toy).unwrap().to_string());
    assert_eq!(printed("pic1=inst_retired.any_p,umask1=1"), "pic1=INST_RETIRED.PREC_DIST");
    assert_eq!(printed("pic1=inst_retired.prec_dist,umask1=2"), "pic1=0x2c0");
}

#[test]
fn what_the_notation_cannot_say_is_not_printed() {
    let unpinned = [Request::new(Event::raw(0x76))];
    let sampled = [user(0x76, 0), user(0x50, 1).every(1000)];
    let refused = |requests: &[Request]| with_toy(|toy| Cpc::of(requests, toy).map(drop).unwrap_err().request);
    assert_eq!((refused(&unpinned), refused(&sampled)), (0, 1));
}

#[test]
fn what_the_notation_cannot_say_is_named() {
    let reason = |request: Request| with_toy(|toy| Cpc::of(&[request], toy).map(drop).unwrap_err().reason);
    let plain = user(0x76, 0);
    assert_eq!(reason(Request::new(Event::raw(0x76))), "it is not pinned to a counter");
    assert_eq!(reason(user(0x76, 9)), "this processor does not have its counter");
    assert_eq!(reason(plain.every(1000)), "it has a period that is not written in this notation");
    assert_eq!(reason(plain.begin_at(5)), "its count does not begin at 0");
    assert_eq!(reason(plain.modes(Modes::HYPERVISOR)), "it counts in modes that are not written in this notation");
    assert_eq!(reason(plain.flag(Flag::AnyThread)), "no attribute says its threshold or one of its flags");
    let mut beside = plain;
    beside.event = Event::raw_with(0x76, 3);
    assert_eq!(reason(beside), "nothing says the value that its event needs in an auxiliary register");
    let elsewhere = |request, processor| Cpc::of(&[request], processor).map(drop).unwrap_err().to_string();
    let answer = "request 0 cannot be written in this notation: its counter does not have its event";
    assert_eq!(elsewhere(user(7, 1), Processor::of(&r10000())), answer);
    let device = intel::Device::new(&intel::Identity::SKYLAKE, Kinds::CLOCK, Unconnected);
    let skylake = <Intel<_, _>>::detect(&intel::Identity::SKYLAKE, &device, Unattached).unwrap();
    let instructions = Request::new(Event::INSTRUCTIONS).pinned_to(counter(33)); // which counts cycles
    assert_eq!(elsewhere(instructions, Processor::of(&skylake)), answer);
}

/// The modes of a generic event are attributes of its counter, as another event's.
#[test]
fn a_generic_event_is_counted_in_the_modes_that_are_given() {
    let cycles = Request::new(Event::CYCLES).pinned_to(counter(0));
    let instructions = Request::new(Event::INSTRUCTIONS).pinned_to(counter(1));
    for (text, modes) in [
        ("", [Modes::USER, Modes::USER]),
        (",sys", [Modes::ALL, Modes::ALL]),
        (",nouser,sys", [Modes::KERNEL, Modes::KERNEL]),
        (",sys1", [Modes::USER, Modes::ALL]),
        (",nouser0,sys0", [Modes::KERNEL, Modes::USER]),
        (",sys1,nouser1,sys0", [Modes::ALL, Modes::KERNEL]),
    ] {
        let read = requests(&format!("cycles,PAPI_tot_ins{text}"));
        assert_eq!(read, [cycles.modes(modes[0]), instructions.modes(modes[1])], "{text}");
        let printed = with_toy(|toy| Cpc::of(&read, toy).unwrap().to_string());
        assert_eq!(requests(&printed), read, "{printed}");
    }
    let printed = with_toy(|toy| Cpc::of(&[cycles.modes(Modes::KERNEL)], toy).unwrap().to_string());
    assert_eq!(printed, "pic0=cycles,nouser0,sys0");
    wrong("cycles,nouser=1", "1", Problem::Expected("no value after a mode"));
    wrong("pic1=instructions,sys0", "sys0", Problem::NoEventThere);
    wrong("branch-instructions,edge", "edge", Problem::GenericTakesNone);
}

#[track_caller]
fn wrong(text: &str, at: &str, problem: Problem) {
    let error = parse(text).expect_err("it is wrong");
    assert_eq!((text.get(error.at.clone()), error.problem), (Some(at), problem), "{}", error.in_text(text));
}

#[test]
fn an_error_says_where_it_is_and_what_was_expected() {
    wrong("pic0=nothing", "nothing", Problem::UnknownEvent);
    wrong("pic0=0x51,pic0=0x52", "0x52", Problem::CounterRepeated);
    wrong("pic0=", "", Problem::Expected("the name of an event, or its code"));
    wrong("pic4=0x51", "4", Problem::UnknownCounter { counters: 4 });
    wrong("pic0=INST_RETIRED.PREC_DIST", "INST_RETIRED.PREC_DIST", Problem::CounterCannot { able: counter(1).only() });
    wrong("pic0=papi_stl_icy", "papi_stl_icy", Problem::MadeOfSeveral);
    wrong("PAPI_ful_icy,edge", "edge", Problem::GenericTakesNone);
    wrong("0x51,bogus=3", "bogus", Problem::UnknownAttribute);
    wrong("0x51,bogus", "bogus", Problem::UnknownEvent);
    wrong("0x51,hpriv0", "hpriv0", Problem::UnknownAttribute);
    wrong("0x51,umask=x", "x", Problem::Expected("a number"));
    wrong("0x51,umask=256", "256", Problem::OutOfRange { largest: 255 });
    wrong("0x1900,umask=0", "umask=0", Problem::UnitMask);
    wrong("0x51,edge1", "edge1", Problem::NoEventThere);
    wrong("0x51,sys9", "9", Problem::UnknownCounter { counters: 4 });
    wrong("0x51,sys=1", "1", Problem::Expected("no value after a mode"));
    wrong("0x51,,sys", "", Problem::Expected("an event or an attribute"));
    wrong("0", "0", Problem::UnknownEvent);
    wrong("sys", "sys", Problem::NoEventThere);
    wrong("PAPI_tot_cyc,edge", "edge", Problem::GenericTakesNone);
    wrong("1,2,3,4,5", "5", Problem::TooMany { room: 4 });
}

/// As libcpc refuses it (CPC_REQ_INVALID_FLAGS), but at its word.
#[test]
fn no_user_programs_and_no_kernel_are_nothing_to_count_in() {
    let expected = Problem::Expected("sys too: without it nothing is counted");
    wrong("cycles,nouser", "nouser", expected);
    wrong("nouser,0x51,0x52,sys0", "nouser", expected);
    wrong("0x51,0x52,nouser0,nouser1,sys0", "nouser1", expected);
    let ultrasparc = with_toy(|toy| Cpc::parse_ultrasparc::<2>("0x51,0x52,nouser", toy)).unwrap_err();
    assert_eq!((ultrasparc.at, ultrasparc.problem), (10..16, expected));
    let nowhere = [user(0x51, 0).modes(Modes::NONE)];
    assert!(with_toy(|toy| Cpc::of(&nowhere, toy).is_err()), "it could not be read again");
}

#[test]
fn a_misspelt_word_is_named_even_if_every_counter_has_an_event() {
    wrong("1,2,3,4,nousre", "nousre", Problem::UnknownEvent);
    wrong("pic0=1,pix1=2", "pix1", Problem::UnknownAttribute);
    let text = "pic0=misc2,pic1=CPU_CLK_UNHALTD";
    let error = parse(text).unwrap_err().in_text(text).to_string();
    assert!(
        error.starts_with("'CPU_CLK_UNHALTD': at bytes 16 to 30: no counter of this processor has such an event"),
        "{error}"
    );
}

#[test]
fn a_counter_without_its_event_is_told_how_an_event_is_given() {
    for text in ["pic0", "pic1,sys", "nouser,pic0"] {
        let error = parse(text).unwrap_err().in_text(text).to_string();
        assert!(
            error.starts_with("'pic")
                && error.ends_with("expected the counter's event too: pic0=EVENT, a name or a code"),
            "{error}"
        );
    }
}

#[test]
fn a_misspelt_word_has_the_nearest_name() {
    let nearest = |text: &str| parse(text).unwrap_err().nearest;
    assert_eq!(nearest("CPU_CLK_UNHALTD"), Some("CPU_CLK_UNHALTED".into()));
    assert_eq!(nearest("dc_refil,sys"), Some("DC_refill".into()));
    assert_eq!(nearest("PAPI_tot_cycles"), Some("papi_tot_cyc".into()));
    assert_eq!([nearest("misc2,nousr"), nearest("misc2,umsk0=1")], [Some("nouser".into()), Some("umask".into())]);
    assert_eq!([nearest("pic0=nousr"), nearest("something_else"), nearest("0")], [None; 3]);
    let error = parse("0x51,cmsk=3").unwrap_err().to_string();
    assert_eq!(
        error,
        "at bytes 5 to 8: the event has no such unit mask, and this processor no such attribute or modifier; the nearest name is cmask"
    );
}

#[test]
fn an_error_reads_like_a_sentence() {
    let text = "pic0=0x51,umask0=0x1ff";
    let error = parse(text).unwrap_err();
    assert_eq!(error.in_text(text).to_string(), "'0x1ff': at bytes 17 to 21: the value must be from 0 to 255");
}

#[test]
fn more_requests_than_there_is_room_for_are_refused() {
    let error = with_toy(|toy| Cpc::parse::<1>("1,2", toy)).unwrap_err();
    assert_eq!((error.at, error.problem), (2..3, Problem::TooMany { room: 1 }));
}

#[test]
fn the_first_versions_ultrasparc_form_has_two_events() {
    let ultrasparc = |text| with_toy(|toy| Cpc::parse_ultrasparc::<2>(text, toy));
    let both = ultrasparc("pic0=CPU_CLK_UNHALTED,pic1=0x51,sys").unwrap();
    assert_eq!(both.requests(), [user(0x76, 0).modes(Modes::ALL), user(0x51, 1).modes(Modes::ALL)]);
    assert_eq!(ultrasparc("CPU_CLK_UNHALTED,0x51,nouser,sys").unwrap().requests()[1].modes, Modes::KERNEL);
    let expected = Problem::Expected("an event for each of the two counters");
    assert_eq!(ultrasparc("pic0=0x51").unwrap_err().problem, expected);
    assert_eq!(ultrasparc("0x51,0x52,umask=3").unwrap_err().problem, Problem::UnknownAttribute);
}

#[test]
fn the_first_versions_pentium_forms_count_events_unless_told_otherwise() {
    let pentium = |text, which| with_toy(|toy| Cpc::parse_pentium::<2>(text, toy, which));
    let parsed = pentium("pic0=0x51,pic1=0x52,noedge1,sys0,pc", Pentium::P5).unwrap();
    let pin = |request: Request| request.flag(Flag::PinControl);
    let first = pin(user(0x51, 0)).modes(Modes::ALL);
    assert_eq!(parsed.requests(), [first, pin(user(0x0152, 1))], "the Pentium's second event counts clocks");
    assert_eq!(pentium("1,2,umask0=3", Pentium::P5).unwrap_err().problem, Problem::UnknownAttribute);
    let masked = pentium("0x51,0x52,umask0=017,cmask1=4,inv1,noedge", Pentium::P6).unwrap();
    assert_eq!(masked.requests(), [user(0x0F51, 0), user(0x52, 1).threshold(4).flag(Flag::Invert)]);
    let edges = pentium("0x51,0x52,noedge1", Pentium::P6).unwrap();
    assert_eq!(edges.requests(), [user(0x51, 0).flag(Flag::Edge), user(0x52, 1)]);
    let interrupting = pentium("0x51,0x52,int0,noedge", Pentium::P6).unwrap();
    assert_eq!(interrupting.requests(), [user(0x51, 0), user(0x52, 1)], "a driver interrupts where a request samples");
    assert_eq!(pentium("1,2,int", Pentium::P5).unwrap_err().problem, Problem::UnknownAttribute, "the Pentium cannot");
}
