//! perfex' notation, as users of an R10000 and an R12000 typed it.

use crate::notation::counter;
use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx};
use pmu::arch::x86::{Unattached, intel};
use pmu::driver::Plan;
use pmu::text::notation::PerfexCommand;
use pmu::text::{notation::Error, notation::Problem, notation::Processor};
use pmu::virt::{Device as _, Kinds, Unconnected, Work};
use pmu::{Event, Mode, Modes, Multiplex, Request, Unit};

fn parse_for<P: Plan>(driver: &P, text: &str) -> Result<PerfexCommand, Error> {
    PerfexCommand::parse(text, Processor::of(driver))
}

fn parse_on(identity: Identity, text: &str) -> Result<PerfexCommand, Error> {
    parse_for(&Mipsxx::new(Device::new(&identity, Kinds::CLOCK, Unconnected), identity.capabilities()), text)
}

fn parse(text: &str) -> Result<PerfexCommand, Error> {
    parse_on(Identity::R10000, text)
}

/// The codes of the one pair.
fn codes(command: &PerfexCommand) -> Vec<u64> {
    let [set] = command.sets() else { panic!("there is one pair") };
    set.requests().iter().map(code).collect()
}

fn code(request: &Request) -> u64 {
    match request.event {
        Event::Raw { code, .. } => code,
        other => panic!("{other}"),
    }
}

#[test]
fn events_are_numbers_or_names_in_either_order() {
    assert_eq!(codes(&parse("perfex -e 26 -e 10 ./a.out -e 3").unwrap()), [26, 10]);
    assert_eq!(codes(&parse("-e 0x0f -e Graduated_loads").unwrap()), [15, 18]);
    assert_eq!(codes(&parse("-e 0 -e 31").unwrap()), [0, 31]);
    assert_eq!(codes(&parse("-e papi_l2_dcm").unwrap()), [26]);
}

#[test]
fn cycles_are_counted_if_no_event_is_given() {
    assert_eq!(codes(&parse("perfex -y ls -l").unwrap()), [0]);
    assert!(!parse("").unwrap().has_costs && parse("-y").unwrap().has_costs);
}

#[test]
fn the_environment_decides_where_the_command_line_does_not() {
    assert_eq!(codes(&parse("T5_EVENT0=15 T5_EVENT1=18").unwrap()), [15, 18]);
    assert_eq!(codes(&parse("T5_EVENT1=18").unwrap()), [18]);
    assert_eq!(codes(&parse("T5_EVENT0=15 T5_EVENT1=18 -e 26").unwrap()), [26]);
}

/// As a shell has it.
#[test]
fn options_are_read_behind_variables_that_stand_before_perfex() {
    let command = parse("T5_EVENT0=15 T5_EVENT1=18 perfex -y ls").unwrap();
    assert_eq!((codes(&command), command.has_costs), (vec![15, 18], true));
    assert_eq!(codes(&parse("T5_EVENT0=15 perfex -e 26 ls").unwrap()), [26]);
    assert_eq!(codes(&parse("perfex perfex -e 26").unwrap()), [0], "the second one is a command");
}

/// No command has such a name.
#[test]
fn a_variable_that_perfex_does_not_have_is_no_command() {
    let expected = Problem::Expected("T5_EVENT0= or T5_EVENT1= and an event, without blanks");
    for (text, at) in [
        ("T5_EVENT3=5", "T5_EVENT3=5"),
        ("T5_EVENT0 =5", "T5_EVENT0"),
        ("T5_EVENT0= 5", "T5_EVENT0="),
        ("perfex -y t5_event0=5 ls", "t5_event0=5"),
    ] {
        wrong(parse(text), text, at, expected);
    }
    assert_eq!(codes(&parse("ls T5_EVENT3=5").unwrap()), [0], "it is the command's own");
}

#[test]
fn programs_are_counted_and_the_kernel_and_its_exceptions_on_demand() {
    let request = |text: &str| parse(text).unwrap().sets()[0].requests()[0];
    let instructions = Request::new(Event::raw(15)).modes(Modes::USER);
    assert_eq!(request("-e 15"), instructions);
    assert_eq!(request("-e 15 -k"), instructions.modes(Modes::ALL));
    assert_eq!(request("-x -e 15"), Request::new(Event::raw_with(15, 1)).modes(Modes::USER));
}

#[test]
fn exception_level_is_counted_without_the_rest_of_the_kernel() {
    let device = Device::new(&Identity::R10000, Kinds::CLOCK, Unconnected);
    let unit = Unit::<Mipsxx<&Device<Unconnected>>, 0>::new();
    let pmu = unit.claim(Mipsxx::detect(&device).unwrap()).unwrap();
    let instructions = parse("-e 15 -x").unwrap().sets()[0].exactly::<1>().expect("there is one");
    let mut session = pmu.open(instructions).unwrap();
    session.start().unwrap();
    device.advance(&Work::instructions(Mode::User, 1000));
    device.advance(&Work::instructions(Mode::Kernel, 70));
    device.set_exception(true);
    device.advance(&Work::instructions(Mode::Kernel, 3));
    assert_eq!(session.read(), Ok([1003]));
}

#[test]
fn all_events_are_sixteen_pairs_that_an_r10000_and_an_r12000_count() {
    for identity in [Identity::R10000_V2, Identity::R10000, Identity::R12000] {
        let device = Device::new(&identity, Kinds::CLOCK, Unconnected);
        let unit = Unit::<Mipsxx<&Device<Unconnected>>, 0>::new();
        let pmu = unit.claim(Mipsxx::detect(&device).unwrap()).unwrap();
        let command = parse_on(identity, "perfex -a -x -y prog").unwrap();
        let mut all = Multiplex::<_, 16, 2>::new(0);
        all.bind(&pmu, command.all().expect("all events are asked for")).unwrap();
        let mut codes: Vec<u64> = command.sets().iter().flat_map(|set| set.requests()).map(code).collect();
        codes.sort_unstable();
        assert_eq!((codes, command.has_costs), ((0..32).collect(), true), "{}", identity.name());
    }
}

#[track_caller]
fn wrong(result: Result<PerfexCommand, Error>, text: &str, at: &str, problem: Problem) {
    let error = result.expect_err("it is wrong");
    assert_eq!((text.get(error.at.clone()), error.problem), (Some(at), problem), "{}", error.in_text(text));
}

#[test]
fn two_events_of_one_counter_are_a_conflict_that_names_the_second() {
    let conflict = "-e 0 -e 15";
    wrong(parse(conflict), conflict, "15", Problem::NoCounterLeft { able: counter(0).only() });
    wrong(
        parse("T5_EVENT0=26 T5_EVENT1=25"),
        "T5_EVENT0=26 T5_EVENT1=25",
        "25",
        Problem::NoCounterLeft { able: counter(1).only() },
    );
    assert_eq!(codes(&parse_on(Identity::R12000, conflict).unwrap()), [0, 15]);
}

#[test]
fn a_wrong_word_is_named() {
    let wrong = |text: &str, at: &str, problem: Problem| wrong(parse(text), text, at, problem);
    wrong("-e", "", Problem::Expected("an event"));
    wrong("-e nothing", "nothing", Problem::UnknownEvent);
    wrong("-e 1 -e 16 -e 2", "2", Problem::TooMany { room: 2 });
    wrong("-a -e 1", "1", Problem::OtherOption);
    wrong("-l 80 -a", "-l", Problem::Expected("-a, -e, -k, -x or -y"));
    wrong("-e3", "-e3", Problem::Expected("a blank between -e and its event"));
    wrong("-ay", "-ay", Problem::Expected("-a, -e, -k, -x or -y, each with a - of its own"));
    assert_eq!(parse("-e Graduated_lods").unwrap_err().nearest, Some("Graduated_loads".into()));
}

#[test]
fn an_option_about_processes_or_files_is_answered_with_what_the_caller_does() {
    let answer = |option: &str| match parse(&format!("perfex {option} -a")).unwrap_err().problem {
        Problem::Expected(expected) => expected,
        other => panic!("{option}: {other}"),
    };
    for (options, instead) in [
        (["-mp", "-p", "-pp"].as_slice(), ": each thread that has a Context is counted by itself"),
        (&["-s"], ": the caller starts and stops the session"),
        (&["-o"], ": the caller prints the counts (PerfexTable)"),
        (&["-c", "-t", "-T"], ": the caller loads and prints costs (Costs)"),
    ] {
        for option in options {
            assert_eq!(answer(option).strip_prefix("-a, -e, -k, -x or -y"), Some(instead), "{option}");
        }
    }
}

#[test]
fn a_number_that_perfex_does_not_have_is_answered_with_its_numbers() {
    wrong(parse("-e 32"), "-e 32", "32", Problem::OutOfRange { largest: 31 });
    let large = "-e 99999999999999999999";
    wrong(parse(large), large, "99999999999999999999", Problem::OutOfRange { largest: 31 });
    wrong(parse_on(Identity::R12000, "-e 0x110"), "-e 0x110", "0x110", Problem::OutOfRange { largest: 31 });
    assert_eq!(codes(&parse_on(Identity::M24K, "-e 0x40b").unwrap()), [0x40B], "its codes are its own");
}

#[test]
fn a_processor_without_perfex_events_has_its_own_by_name_and_refuses_the_rest() {
    let identity = intel::Identity::SKYLAKE;
    let device = intel::Device::new(&identity, Kinds::CLOCK, Unconnected);
    let driver = intel::Intel::<_, _>::detect(&identity, &device, Unattached).unwrap();
    let parse = |text| parse_for(&driver, text);
    assert_eq!(codes(&parse("-e INST_RETIRED.ANY_P -e 0x3c").unwrap()), [0xC0, 0x3C]);
    let expected = Problem::Expected("-e, since this processor does not have perfex' 32 events");
    wrong(parse("-a"), "-a", "-a", expected);
    wrong(parse("-e 0xc0 -x"), "-e 0xc0 -x", "-x", Problem::UnknownAttribute);
}
