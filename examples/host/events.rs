//! What can be counted on a processor, and what a text would program on it: `cargo xtask events [processor] [what]`.
//!
//! Without a processor the known ones are listed. Without `what` all events of the processor are listed, otherwise `what` is
//! a raw code, a generic event's name, a text in one of five notations, or a part of names.

mod processors;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::{env, fmt};

use pmu::driver::{Access, Description, Driver, Field, Recorder, Registers, counters_for};
use pmu::text::native::Native;
use pmu::text::{catalogue::MaskKind, catalogue::NamedEvent, catalogue::Preset};
use pmu::text::{
    notation, notation::Cpc, notation::Oprofile, notation::Options, notation::PerfexCommand, notation::Perfmon,
    notation::Problem, notation::Processor,
};
use pmu::{Context, CounterSet, Error, Event, Request, Set, Unit};

/// So many accesses are recorded.
const ACCESSES: usize = 1024;
/// So many events can be typed at once.
const EVENTS: usize = 16;
/// So many sets of them.
const SETS: usize = 8;

type Recorded<R> = &'static Recorder<R, ACCESSES>;
type Parse = fn(&str, Processor) -> Result<Set<EVENTS>, notation::Error>;
/// Returns the fields of a register.
type Fields<A> = dyn Fn(A) -> &'static [Field];

/// The notations, each by the name of who writes them.
const NOTATIONS: [(&str, Parse); 5] = [
    ("libpfm", Perfmon::parse),
    ("cputrack", Cpc::parse),
    ("OProfile", Oprofile::parse),
    ("perfex", by_perfex),
    (COMMAND_LINE, by_options),
];
/// The options of a test or of a demo.
const COMMAND_LINE: &str = "a kernel's command line";

fn main() -> ExitCode {
    let words: Vec<_> = env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(String::as_str).collect();
    let (answer, is_good) = answer(&words);
    print!("{answer}");
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns what is printed for these words, and whether there was an answer.
pub(crate) fn answer(words: &[&str]) -> (String, bool) {
    let Some(name) = words.first() else { return (processors::names(), true) };
    match processors::find(name) {
        Ok(processor) => {
            let asked = words.get(1..).unwrap_or_default().join(" ");
            (processor.about)((!asked.is_empty()).then_some(&asked))
        }
        Err(others) => (format!("no processor is called {name}; {others}"), false),
    }
}

/// Parses what a user of perfex types. Of all pairs of events (`-a`) it takes the first.
fn by_perfex(text: &str, here: Processor) -> Result<Set<EVENTS>, notation::Error> {
    let command = PerfexCommand::parse(text, here)?;
    let mut set = Set::new();
    for request in command.sets().iter().take(1).flat_map(Set::requests) {
        set.add(*request).expect("there is room for two");
    }
    Ok(set)
}

/// Parses the options of a kernel's command line, as those of the PMC library. Of several sets it takes the first.
fn by_options(text: &str, here: Processor) -> Result<Set<EVENTS>, notation::Error> {
    let options = Options::<EVENTS, SETS>::parse(text, here)?;
    Ok(options.sets().first().map_or_else(Set::new, |given| given.set))
}

/// Returns true if a text begins with an option or a variable of perfex, or its name.
fn is_perfexs(text: &str) -> bool {
    !is_command_line(text) && (text == "perfex" || ["-", "perfex ", "T5_"].iter().any(|begin| text.starts_with(begin)))
}

/// Returns true if a text begins with an option that a kernel's command line has and perfex has not.
fn is_command_line(text: &str) -> bool {
    ["--", "-c ", "-Stats ", "-trim "].iter().any(|begin| text.starts_with(begin))
}

/// Answers a question about the processor of a driver, of which each call makes a new one.
fn about<R, D>(make: impl Fn() -> D, fields: &Fields<R::Address>, asked: Option<&str>) -> (String, bool)
where
    R: Registers<Address: fmt::Debug> + 'static,
    D: Driver<Registers = Recorded<R>> + 'static,
{
    let driver = make();
    let (description, catalogue) = (driver.description(), driver.catalogue());
    let here = Processor::of(&driver);
    let mut text = String::new();
    let Some(asked) = asked else {
        catalogue.events.iter().for_each(|event| list(&mut text, &description, event));
        for native in Native::all(&driver) {
            line(&mut text, format_args!("{native}"));
        }
        return (text, true);
    };
    let is_code = number(asked).map(|code| name_code(&mut text, here, code)).is_some();
    let is_generic = Preset::is_papi(asked) && name_generic(&mut text, &driver, asked);
    // To perfex any other word is a command that it measures.
    let is_tried = |(notation, _): &(&str, Parse)| match *notation {
        "perfex" => is_perfexs(asked),
        COMMAND_LINE => is_command_line(asked),
        _ => true,
    };
    let parsed: Vec<_> = NOTATIONS.into_iter().filter(is_tried).map(|(it, parse)| (it, parse(asked, here))).collect();
    let is_read = show_parsed(&mut text, &parsed, |text, set| program(text, make(), fields, set));
    let like = asked.to_ascii_lowercase().replace(':', ".");
    let alike = catalogue.events.iter().chain(catalogue.libpfm);
    let alike: Vec<_> = alike.filter(|event| event.name.text().to_ascii_lowercase().contains(&like)).collect();
    if !is_read && !Preset::is_papi(asked) && alike.is_empty() {
        show_error(&mut text, &parsed, asked);
        widen_typed(&mut text, &driver, here, asked, &parsed);
    }
    alike.iter().for_each(|event| list(&mut text, &description, *event));
    (text, is_read || is_generic || is_code || !alike.is_empty())
}

type Parsed = (&'static str, Result<Set<EVENTS>, notation::Error>);

/// Shows what the text programs in the notations that it is right in, once for those in which it means the same.
fn show_parsed(text: &mut String, parsed: &[Parsed], mut program: impl FnMut(&mut String, &Set<EVENTS>)) -> bool {
    let mut shown: Vec<&[_]> = Vec::new();
    let read = parsed.iter().filter_map(|(_, set)| set.as_ref().ok());
    for set in read {
        if shown.contains(&set.requests()) {
            continue;
        }
        let same = parsed.iter().filter(|(_, other)| other.as_ref().is_ok_and(|it| it.requests() == set.requests()));
        let names: Vec<_> = same.map(|(notation, _)| *notation).collect();
        line(text, format_args!("{}:", names.join(", ")));
        program(text, set);
        shown.push(set.requests());
    }
    !shown.is_empty()
}

/// Shows why no notation takes the text: what is wrong in the one that it was probably written in.
fn show_error(text: &mut String, parsed: &[Parsed], asked: &str) {
    let wrong = parsed.iter().find(|(notation, _)| *notation == probably(asked));
    if let Some((notation, Err(error))) = wrong {
        line(text, format_args!("{notation}: {}", error.in_text(asked)));
    }
}

/// Returns the notation that a text was probably written in, by its form.
fn probably(text: &str) -> &'static str {
    let fields: Vec<_> = text.split(':').collect();
    let has_count = fields.get(1).is_some_and(|count| count.starts_with(|digit: char| digit.is_ascii_digit()));
    let has_pins =
        ["pic", "event0=", ",umask", ",sys", ",hpriv", ",nouser", ",noedge"].iter().any(|word| text.contains(word));
    let has_attributes = text.split(',').skip(1).any(|item| item.contains('=') && !item.contains([':', '.']));
    match text {
        _ if is_command_line(text) => COMMAND_LINE,
        _ if is_perfexs(text) => "perfex",
        // perf's, of which libpfm's notation says how it is written here.
        _ if text.contains('/') => "libpfm",
        _ if has_pins || has_attributes => "cputrack",
        _ if !text.contains("::") && (has_count || fields.len() == 5) => "OProfile",
        _ => "libpfm",
    }
}

/// Says what a generic event is made of here, or why it is not counted. Returns true if it is.
fn name_generic<D: Driver>(text: &mut String, driver: &D, name: &str) -> bool {
    match Native::of(driver, name) {
        Ok(native) => line(text, format_args!("{native}")),
        Err(absent) => {
            line(text, format_args!("{absent}"));
            return false;
        }
    }
    true
}

/// Lists an event: its name, its code, the counters that have it, what else is part of it, and its unit masks.
fn list(text: &mut String, description: &Description, event: NamedEvent) {
    let counters: CounterSet = description.counters().filter(|counter| event.counters.contains(*counter)).collect();
    let mut row = format!("{} {:#06x} on {counters:?}", event.name, event.code);
    if event.auxiliary != 0 {
        write!(row, " beside {:#x}", event.auxiliary).expect("a string takes everything");
    }
    if event.threshold != 0 {
        write!(row, " threshold {}", event.threshold).expect("a string takes everything");
    }
    if !event.flags.is_empty() {
        write!(row, " {:?}", event.flags).expect("a string takes everything");
    }
    if event.customary != 0 {
        write!(row, " every {}", event.customary).expect("a string takes everything");
    }
    if !event.marks.is_empty() {
        write!(row, " {}", event.marks).expect("a string takes everything");
    }
    line(text, format_args!("{row}"));
    if event.masks.kind != MaskKind::None {
        line(text, format_args!("    masks: {:?}, {:#x} by default", event.masks.kind, event.masks.default));
    }
    for mask in event.masks.named.iter() {
        line(text, format_args!("    :{} {:#x}", mask.name, mask.value));
    }
}

/// Says what a raw code is called.
fn name_code(text: &mut String, here: Processor, code: u64) {
    match here.catalogue.of_code(code) {
        Some((event, 0)) => line(text, format_args!("{code:#x} is {}", event.name)),
        Some((event, mask)) => {
            let name = event.masks.named.iter().find(|it| it.value == mask).map_or("", |it| it.name);
            let colon = if name.is_empty() { "" } else { ":" };
            line(text, format_args!("{code:#x} is {}{colon}{name} with the unit mask {mask:#x}", event.name));
        }
        None => line(text, format_args!("{code:#x} has no name")),
    }
}

/// Shows what requests make the driver write, or why it cannot.
fn program<R, D>(text: &mut String, driver: D, fields: &Fields<R::Address>, set: &Set<EVENTS>)
where
    R: Registers<Address: fmt::Debug> + 'static,
    D: Driver<Registers = Recorded<R>> + 'static,
{
    let registers = *driver.registers();
    for request in set.requests() {
        let counters = counters_for(&driver, request);
        match request.event {
            Event::Raw { code, auxiliary: 0 } => line(text, format_args!("  code {code:#x} on {counters:?}")),
            Event::Raw { code, auxiliary } => {
                line(text, format_args!("  code {code:#x} beside {auxiliary:#x} on {counters:?}"));
            }
            generic => line(text, format_args!("  {generic} on {counters:?}")),
        }
    }
    let unit: &'static Unit<D, 0> = Box::leak(Box::new(Unit::new()));
    let claimed = unit.claim(driver).expect("nobody has claimed it");
    let mut context = Context::<D, EVENTS>::new(0);
    let before = registers.len(); // a bind writes selections that hardware may drop
    if let Err(error) = context.bind(&claimed, *set) {
        line(text, format_args!("  {error}"));
        if let Error::Conflict(_) = error {
            set.requests().iter().for_each(|request| widen(text, claimed.driver(), request));
        }
        return;
    }
    claimed.switch_in(&mut context);
    let accesses = (before..registers.len()).filter_map(|number| registers.access(number));
    for access in accesses {
        if let Access::Write(at, value) = access {
            let fields = fields(at);
            let explained = if fields.is_empty() { String::new() } else { Field::explain(fields, value).to_string() };
            let colon = if explained.is_empty() { "" } else { ": " };
            line(text, format_args!("    {at:?} <- {value:#x}{colon}{explained}"));
        }
    }
    claimed.switch_out(&mut context);
}

/// Says the same of each event of a text that needs another counter than it was given.
fn widen_typed<D: Driver>(text: &mut String, driver: &D, here: Processor, asked: &str, parsed: &[Parsed]) {
    let lacks_counter =
        |it: &notation::Error| matches!(it.problem, Problem::NoCounterLeft { .. } | Problem::CounterCannot { .. });
    if parsed.iter().filter_map(|(_, set)| set.as_ref().err()).any(lacks_counter) {
        let words = asked.split([',', ' ', '=']).filter_map(|word| Cpc::parse::<1>(word, here).ok());
        words.for_each(|set| set.requests().iter().for_each(|request| widen(text, driver, request)));
    }
}

/// Says which generic event is this request's and has more counters, as cycles where each counter has a number for them.
fn widen<D: Driver>(text: &mut String, driver: &D, request: &Request) {
    let own = counters_for(driver, request);
    for generic in driver.catalogue().generic {
        let Event::Generic(event) = generic.event else { continue };
        let counters = counters_for(driver, &Request::new(generic.event));
        if driver.native(event) == Ok(request.event) && counters != own {
            let (asked, name) = (request.event, generic.name);
            line(text, format_args!("  {asked} is counted on {counters:?} as {name}"));
        }
    }
}

fn number(text: &str) -> Option<u64> {
    text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
}

fn line(text: &mut String, line: fmt::Arguments) {
    writeln!(text, "{line}").expect("a string takes everything");
}
