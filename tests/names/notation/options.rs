//! Options on a kernel's command line, as `pmc_getargs` took them.

use pmu::stats::Level;
use pmu::text::{notation::Error, notation::Problem};
use pmu::text::{notation::Options, notation::ReadingCost};
use pmu::{Event, Modes, Request};

use crate::notation::{counter, with_toy};

fn parse(text: &str) -> Result<Options<4, 3>, Error> {
    with_toy(|toy| Options::parse(text, toy))
}

#[test]
fn the_librarys_own_options_are_taken() {
    let options = parse("root=/dev/sda --e 192,194 -Stats 2 quiet -trim 3 -clean").unwrap();
    let [given] = options.sets() else { panic!("there is one set") };
    assert_eq!(given.set.requests(), [192, 194].map(|code| Request::new(Event::raw(code))));
    assert_eq!((options.level, options.trim, options.overhead), (Level::Ratios, 3, ReadingCost::TakenOff));
}

#[test]
fn nothing_is_asked_for_unless_somebody_does() {
    let options = parse("console=ttyS0 debug").unwrap();
    assert!(options.sets().is_empty());
    assert_eq!((options.level, options.trim, options.overhead), (Level::Sums, 0, ReadingCost::Kept));
}

#[test]
fn events_come_in_three_notations() {
    let one = |text| parse(text).unwrap().sets()[0].set.exactly::<1>().expect("there is one")[0];
    let sampled = Request::new(Event::raw(0x76)).every(3000);
    assert_eq!(one("--e misc2:u"), Request::new(Event::raw(0x60)).modes(Modes::USER));
    assert_eq!(one("-c pic1=misc2"), Request::new(Event::raw(0x60)).modes(Modes::USER).pinned_to(counter(1)));
    assert_eq!(one("--event=CPU_CLK_UNHALTED:3000"), sampled);
}

#[test]
fn each_c_is_a_set_with_its_text() {
    let text = "-c pic0=misc2,sys debug -c 0x51,0x52 -c either -trim 1";
    let options = parse(text).unwrap();
    let specs: Vec<_> = options.sets().iter().map(|given| &text[given.at.clone()]).collect();
    assert_eq!(specs, ["pic0=misc2,sys", "0x51,0x52", "either"]);
    let codes = |set: usize| options.sets()[set].set.requests().iter().map(|request| request.event).collect::<Vec<_>>();
    assert_eq!([codes(0), codes(1)], [vec![Event::raw(0x60)], vec![Event::raw(0x51), Event::raw(0x52)]]);
    assert_eq!(options.trim, 1);
}

/// As opcontrol's.
#[test]
fn each_event_option_adds_to_the_set() {
    let text = "--event=misc2:3000 quiet --event=CPU_CLK_UNHALTED:4000";
    let options = parse(text).unwrap();
    let [given] = options.sets() else { panic!("there is one set") };
    let events: Vec<_> = given.set.requests().iter().map(|request| request.event).collect();
    assert_eq!(events, [0x60, 0x76].map(Event::raw));
    assert_eq!(text.get(given.at.clone()), Some("misc2:3000 quiet --event=CPU_CLK_UNHALTED:4000"));
}

#[track_caller]
fn wrong(text: &str, at: &str, problem: Problem) {
    let error = parse(text).expect_err("it is wrong");
    assert_eq!((text.get(error.at.clone()), error.problem), (Some(at), problem), "{}", error.in_text(text));
}

/// As perf's users and libpfm's write them.
#[test]
fn an_option_that_is_none_of_these_is_no_event_and_is_not_ignored() {
    let count = Problem::Expected("--event= and an event with its count");
    let trim = Problem::Expected("-trim, a blank and a number of measurements");
    let events = Problem::Expected("--e, a blank and events, or --event= and an event with its count");
    wrong("quiet --e=misc2", "--e=misc2", events);
    wrong("--events=misc2:3000 quiet", "--events=misc2:3000", events);
    wrong("--events misc2", "--events", events);
    wrong("-e misc2", "-e", events);
    wrong("-e=misc2", "-e=misc2", events);
    wrong("-Events=misc2:3000", "-Events=misc2:3000", events);
    wrong("--event misc2:3000", "--event", count);
    wrong("-event=misc2:3000", "-event=misc2:3000", count);
    wrong("--Event=misc2:3000", "--Event=misc2:3000", count);
    wrong("--c misc2", "--c", Problem::Expected("-c, a blank and events"));
    wrong("-Trim 3", "-Trim", trim);
    wrong("--trim 3", "--trim", trim);
    wrong("-stats 2", "-stats", Problem::Expected("-Stats, a blank and 0, 1 or 2"));
    wrong("-Clean", "-Clean", Problem::Expected("-clean alone"));
    wrong("--E misc2", "--E", events);
    wrong("-C misc2", "-C", Problem::Expected("-c, a blank and events"));
    wrong("-cpic0=misc2", "-cpic0=misc2", Problem::Expected("-c, a blank and events"));
    wrong("-c=misc2", "-c=misc2", Problem::Expected("-c, a blank and events"));
    wrong("-Stats=2", "-Stats=2", Problem::Expected("-Stats, a blank and 0, 1 or 2"));
    wrong("-trim=2", "-trim=2", trim);
    wrong("-clean=1", "-clean=1", Problem::Expected("-clean alone"));
    let option = Problem::Expected("an event, and no option: notation::Options reads those");
    wrong("--e --events=misc2", "--events=misc2", option);
    assert!(parse("--earlycon=uart -cpu=2 events=3").unwrap().sets().is_empty(), "these are others'");
}

#[test]
fn quotation_marks_are_refused_as_such() {
    let unquoted = Problem::Expected("events without quotation marks");
    wrong("--e \"misc2,misc2\"", "\"misc2,misc2\"", unquoted);
    wrong("-c 'pic0=misc2'", "'pic0=misc2'", unquoted);
    wrong("--event=\"misc2:3000\"", "\"misc2:3000\"", unquoted);
}

#[test]
fn an_error_points_into_the_command_line() {
    wrong("quiet --e nothing", "nothing", Problem::UnknownEvent);
    wrong("-c pic0=misc2,bogus=1 x", "bogus", Problem::UnknownAttribute);
    wrong("a --event=misc2:0", "0", Problem::Expected("a count from 1 to 2^64 - 1"));
    wrong("-Stats 3", "3", Problem::Expected("0, 1 or 2"));
    wrong("-Stats", "", Problem::Expected("0, 1 or 2"));
    wrong("-trim many", "many", Problem::Expected("a number of at most 64 bits"));
    wrong("--e 1 -c misc2", "misc2", Problem::OtherOption);
    wrong("-c misc2 --e 1", "1", Problem::OtherOption);
    wrong("--event=misc2:500 --event=misc2:600", "misc2:600", Problem::Repeated);
    wrong("--e 1,2,3 --e 4,5", "4,5", Problem::TooMany { room: 4 });
    wrong("-c misc2 -c bogus", "bogus", Problem::UnknownEvent);
    wrong("-c 1 -c 2 -c 3 -c 4", "4", Problem::TooManySets { room: 3 });
}
