//! What can be counted on a processor, and what a text would program on it: `cargo xtask events [processor] [what]`.
//!
//! Without a processor the known ones are listed. Without `what` all events of the processor are listed, otherwise `what` is
//! a raw code, a text in one of three notations, or a part of names.

use std::fmt::Write as _;
use std::process::ExitCode;
use std::{env, fmt};

use pmu::arch::powerpc::book3s::{self, Book3s};
use pmu::arch::x86::Unattached;
use pmu::arch::x86::amd::{self, Amd};
use pmu::arch::x86::intel::{self, Intel};
use pmu::arch::x86::p6::{self, P6};
use pmu::arch::{mips::mipsxx, riscv::hpm, sparc::niagara, sparc::ultrasparc};
use pmu::catalogue::{MaskKind, NamedEvent};
use pmu::notation::{self, Processor, cpc, oprofile, perfmon};
use pmu::virt::{Kinds, Unconnected};
use pmu::{Access, CounterSet, Description, Driver, Event, Recorder, Registers, Request, Set, Unit, counters_for};

/// So many accesses are recorded.
const ACCESSES: usize = 256;

type Recorded<R> = &'static Recorder<R, ACCESSES>;
type Parse = fn(&str, Processor) -> Result<Set<1>, notation::Error>;

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
    let asked = words.get(1).copied();
    match words.first() {
        None => (processors(), true),
        Some(name) => match on(name, asked) {
            Some(answer) => (answer, true),
            None => (format!("no processor is called {name}; these are:\n{}", processors()), false),
        },
    }
}

/// Calls `$visit` with the name of each processor's identity, and a function that makes its driver.
macro_rules! each {
    ($visit:ident) => {
        for identity in intel::Identity::ALL {
            $visit!(identity, intel::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| Intel::new(
                registers,
                Unattached,
                identity.capabilities()
            ));
        }
        for identity in p6::Identity::ALL {
            $visit!(identity, p6::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| P6::new(
                registers,
                Unattached,
                identity.capabilities()
            ));
        }
        for identity in amd::Identity::ALL {
            $visit!(identity, amd::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| Amd::new(
                registers,
                Unattached,
                identity.capabilities()
            ));
        }
        for identity in book3s::Identity::ALL {
            $visit!(identity, book3s::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| Book3s::new(
                registers,
                identity.capabilities()
            ));
        }
        for identity in mipsxx::Identity::ALL {
            $visit!(identity, mipsxx::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| {
                mipsxx::Mipsxx::new(registers, identity.capabilities())
            });
        }
        for identity in niagara::Identity::ALL {
            $visit!(identity, niagara::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| {
                niagara::Niagara::new(registers, identity.capabilities())
            });
        }
        for identity in ultrasparc::Identity::ALL {
            $visit!(identity, ultrasparc::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| {
                ultrasparc::UltraSparc::new(registers, identity.capabilities())
            });
        }
        for identity in [hpm::Identity::QEMU, hpm::Identity::U74, hpm::Identity::C906] {
            $visit!(identity, hpm::Device::new(&identity, Kinds::CLOCK, Unconnected), |registers| hpm::Hpm::new(
                registers,
                identity.capabilities()
            ));
        }
    };
}

/// Returns the names of all processors, one a line.
fn processors() -> String {
    let mut names = String::new();
    macro_rules! name {
        ($identity:ident, $device:expr, $driver:expr) => {
            line(&mut names, format_args!("{}", $identity.name()))
        };
    }
    each!(name);
    names
}

/// Answers a question about a processor. Returns `None` if there is no such processor.
fn on(processor: &str, asked: Option<&str>) -> Option<String> {
    let plain = |name: &str| name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    macro_rules! answered {
        ($identity:ident, $device:expr, $driver:expr) => {
            if plain($identity.name()) == plain(processor) {
                let registers = || -> Recorded<_> { Box::leak(Box::new(Recorder::new($device))) };
                return Some(about(|| $driver(registers()), asked));
            }
        };
    }
    each!(answered);
    None
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
            Ok(set) => program(&mut text, make(), notation, &set.requests()[0]),
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

/// Shows what a request makes the driver write, or why it cannot.
fn program<R, D>(text: &mut String, driver: D, notation: &str, request: &Request)
where
    R: Registers<Address: fmt::Debug> + 'static,
    D: Driver<Registers = Recorded<R>> + 'static,
{
    let registers = *driver.registers();
    let counters = counters_for(&driver, request);
    if let Event::Raw { code, auxiliary } = request.event {
        line(text, format_args!("{notation}: code {code:#x}, auxiliary {auxiliary:#x}, on {counters:?}"));
    }
    let unit: &'static Unit<D, 0> = Box::leak(Box::new(Unit::new()));
    let claimed = unit.claim(driver).expect("nobody has claimed it");
    let before = registers.len();
    let mut session = match claimed.open([*request]) {
        Ok(session) => session,
        Err(error) => return line(text, format_args!("{notation}: {error}")),
    };
    session.start().expect("it is stopped");
    let accesses = (before..registers.len()).filter_map(|number| registers.access(number));
    for access in accesses {
        if let Access::Write(at, value) = access {
            line(text, format_args!("    {at:?} <- {value:#x}: {}", Bits(value)));
        }
    }
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
