//! What can be counted on a processor, and what a text would program on it: `cargo xtask events [processor] [what]`.
//!
//! Without a processor the known ones are listed. Without `what` all events of the processor are listed, otherwise `what` is
//! a raw code, a text in one of three notations, or a part of names.

mod processors;

use std::fmt::Write as _;
use std::process::ExitCode;
use std::{env, fmt};

use pmu::catalogue::{MaskKind, NamedEvent};
use pmu::notation::{self, Processor, cpc, oprofile, perfmon};
use pmu::{Access, Context, CounterSet, Description, Driver, Event, Recorder, Registers, Set, Unit, counters_for};

/// So many accesses are recorded.
const ACCESSES: usize = 1024;
/// So many events can be typed at once.
const EVENTS: usize = 16;

type Recorded<R> = &'static Recorder<R, ACCESSES>;
type Parse = fn(&str, Processor) -> Result<Set<EVENTS>, notation::Error>;

/// The notations, each by the name of who writes them.
const NOTATIONS: [(&str, Parse); 3] =
    [("libpfm", perfmon::parse), ("cputrack", cpc::parse), ("OProfile", oprofile::parse)];

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
        Ok(processor) => ((processor.about)(words.get(1).copied()), true),
        Err(others) => (format!("no processor is called {name}; these are:\n{others}"), false),
    }
}

/// Answers a question about the processor of a driver, of which each call makes a new one.
fn about<R, D>(make: impl Fn() -> D, asked: Option<&str>) -> String
where
    R: Registers<Address: fmt::Debug> + 'static,
    D: Driver<Registers = Recorded<R>> + 'static,
{
    let driver = make();
    let (description, catalogue) = (driver.description(), driver.catalogue());
    let here = Processor { description: &description, catalogue };
    let mut text = String::new();
    let Some(asked) = asked else {
        catalogue.events.iter().for_each(|event| list(&mut text, &description, event));
        return text;
    };
    if let Some(code) = number(asked) {
        name_code(&mut text, here, code);
    }
    for (notation, parse) in NOTATIONS {
        match parse(asked, here) {
            Ok(set) => program(&mut text, make(), notation, &set),
            Err(error) => line(&mut text, format_args!("{notation}: {error}")),
        }
    }
    let like = asked.to_ascii_lowercase().replace(':', ".");
    let alike = catalogue.events.iter().filter(|event| event.name.text().to_ascii_lowercase().contains(&like));
    alike.for_each(|event| list(&mut text, &description, event));
    text
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
        Some((event, mask)) => line(text, format_args!("{code:#x} is {} with the unit mask {mask:#x}", event.name)),
        None => line(text, format_args!("{code:#x} has no name")),
    }
}

/// Shows what requests make the driver write, or why it cannot.
fn program<R, D>(text: &mut String, driver: D, notation: &str, set: &Set<EVENTS>)
where
    R: Registers<Address: fmt::Debug> + 'static,
    D: Driver<Registers = Recorded<R>> + 'static,
{
    let registers = *driver.registers();
    for request in set.requests() {
        if let Event::Raw { code, auxiliary } = request.event {
            let counters = counters_for(&driver, request);
            line(text, format_args!("{notation}: code {code:#x}, auxiliary {auxiliary:#x}, on {counters:?}"));
        }
    }
    let unit: &'static Unit<D, 0> = Box::leak(Box::new(Unit::new()));
    let claimed = unit.claim(driver).expect("nobody has claimed it");
    let mut context = Context::<D, EVENTS>::new(0);
    if let Err(error) = context.bind(&claimed, *set) {
        return line(text, format_args!("{notation}: {error}"));
    }
    let before = registers.len();
    claimed.switch_in(&mut context);
    let accesses = (before..registers.len()).filter_map(|number| registers.access(number));
    for access in accesses {
        if let Access::Write(at, value) = access {
            line(text, format_args!("    {at:?} <- {value:#x}: {}", Bits(value)));
        }
    }
    claimed.switch_out(&mut context);
}

/// The numbers of the bits that are set.
struct Bits(u64);

impl fmt::Display for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let set: Vec<_> = (0..64).filter(|bit| self.0 >> bit & 1 != 0).map(|bit| bit.to_string()).collect();
        if set.is_empty() { f.write_str("no bit") } else { write!(f, "bits {}", set.join(" ")) }
    }
}

fn number(text: &str) -> Option<u64> {
    text.strip_prefix("0x").and_then(|digits| u64::from_str_radix(digits, 16).ok())
}

fn line(text: &mut String, line: fmt::Arguments) {
    writeln!(text, "{line}").expect("a string takes everything");
}
