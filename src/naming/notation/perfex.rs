//! perfex' notation: its options, and the variables of its environment.

use super::names::{Found, event_of, unknown};
use super::scan::Piece;
use super::{Error, Problem, Processor};
use crate::event::catalogue::{Catalogue, Effect};
use crate::event::{CounterSet, Modes, Request, Set};

/// perfex' events are numbered from 0, those of counter 0 first.
const EVENTS: u64 = 2 * PerfexCommand::PAIRS as u64;

/// How the names of the variables of the environment begin.
const VARIABLE: &[u8] = b"T5_EVENT";

/// perfex' notation: its options, `-e 26 -e 10 -x -y`, and the variables of its environment, `T5_EVENT0=26`.
///
/// ```text
/// text  := { word } [ command ]    blanks separate the words; "perfex", first or behind variables, is skipped
/// word  := "-e" event              an event; at most two
///        | "-a"                    all 32 events, two at a time
///        | "-k"                    count in the kernel too
///        | "-x"                    count at exception level too
///        | "-y"                    estimate costs, and compute statistics
///        | "T5_EVENT0=" event | "T5_EVENT1=" event
/// event := number | name
/// ```
/// Events are counted in user programs. The variables decide only if there is no `-e`, and without any of them cycles are
/// counted. The first other word begins the command to be measured, which is the caller's. perfex' options about
/// processes and files (`-mp`, `-s`, `-p`, `-pp`, `-o`, `-c`, `-t`, `-T`) are errors, which say what the caller does instead.
///
/// ```
/// use pmu::arch::mips::mipsxx::{Device, Identity, Mipsxx};
/// use pmu::text::{notation::PerfexCommand, notation::Processor};
/// use pmu::virt::{Kinds, Unconnected};
/// use pmu::{Event, Modes};
///
/// let device = Device::new(&Identity::R10000, Kinds::CLOCK, Unconnected);
/// let driver = Mipsxx::detect(&device)?;
/// let command = PerfexCommand::parse("perfex -e 26 -e 10 -y ./a.out", Processor::of(&driver)).unwrap();
/// let [pair] = command.sets() else { panic!("one pair") };
/// assert_eq!(pair.requests()[1].event, Event::raw(10));
/// assert_eq!((pair.requests()[0].modes, command.has_costs), (Modes::USER, true));
/// # Ok::<(), pmu::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PerfexCommand {
    sets: [Set<2>; PerfexCommand::PAIRS],
    given: usize,
    /// Whether costs are estimated and statistics computed (`-y`).
    pub has_costs: bool,
}

impl PerfexCommand {
    /// The pairs of events that `-a` counts in turns.
    pub const PAIRS: usize = 16;

    /// Parses a command line.
    ///
    /// # Errors
    /// The place where the text is wrong, and what was expected. It is an error to give two events that only one counter has.
    pub fn parse(text: &str, processor: Processor) -> Result<Self, Error> {
        let given = Given::read(Piece::whole(text))?;
        let catalogue = processor.catalogue;
        let mut command = Self { sets: [Set::new(); PerfexCommand::PAIRS], given: 1, has_costs: given.has_costs };
        match given.all {
            Some(all) => {
                for (low, set) in (0..).zip(&mut command.sets) {
                    let found = |code| {
                        numbered(catalogue, code).ok_or_else(|| {
                            all.error(Problem::Expected("-e, since this processor does not have perfex' 32 events"))
                        })
                    };
                    *set = Set::from(
                        [found(low)?, found(low + PerfexCommand::PAIRS as u64)?].map(|found| found.request(catalogue)),
                    );
                }
                command.given = PerfexCommand::PAIRS;
            }
            None => command.sets[0] = pair(given.events(), catalogue)?,
        }
        for request in command.sets.iter_mut().take(command.given).flat_map(Set::requests_mut) {
            given.set_modes(request, catalogue)?;
            *request = request.of_codes(processor.codes);
        }
        Ok(command)
    }

    /// Returns what to count: one set of one or two events, or the sets of all events for `-a`, which are rotated
    /// ([`Multiplex`](crate::Multiplex)).
    #[must_use]
    pub fn sets(&self) -> &[Set<2>] {
        self.sets.get(..self.given).unwrap_or_default()
    }

    /// Returns the sets of all events, or `None` without `-a`.
    #[must_use]
    pub fn all(&self) -> Option<[Set<2>; PerfexCommand::PAIRS]> {
        (self.given == PerfexCommand::PAIRS).then_some(self.sets)
    }
}

/// The words of a command line.
#[derive(Default)]
struct Given<'t> {
    options: [Option<Piece<'t>>; 2],
    variables: [Option<Piece<'t>>; 2],
    all: Option<Piece<'t>>,
    exception: Option<Piece<'t>>,
    has_kernel: bool,
    has_costs: bool,
}

impl<'t> Given<'t> {
    fn read(text: Piece<'t>) -> Result<Self, Error> {
        let mut given = Self::default();
        let mut words = text.split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.text.is_empty());
        let mut has_begun = false;
        while let Some(word) = words.next() {
            if let Some((number, event)) = variable(word)? {
                given.variables[number] = Some(event);
                continue;
            }
            match word.text {
                b"perfex" if !has_begun => {}
                b"-e" => given.add(words.next().ok_or_else(|| word.error_after(Problem::Expected("an event")))?)?,
                b"-a" => given.all = Some(word),
                b"-x" => given.exception = Some(word),
                b"-k" => given.has_kernel = true,
                b"-y" => given.has_costs = true,
                [b'-', ..] => return Err(word.error(Problem::Expected(instead_of(word.text)))),
                _ => break,
            }
            has_begun = true;
        }
        match (given.all, given.options[0]) {
            (Some(_), Some(event)) => Err(event.error(Problem::OtherOption)),
            _ => Ok(given),
        }
    }

    fn add(&mut self, event: Piece<'t>) -> Result<(), Error> {
        let room = self.options.iter_mut().find(|place| place.is_none());
        *room.ok_or_else(|| event.error(Problem::TooMany { room: 2 }))? = Some(event);
        Ok(())
    }

    /// Returns the events of the options, or else those of the variables.
    fn events(&self) -> [Option<Piece<'t>>; 2] {
        if self.options[0].is_some() { self.options } else { self.variables }
    }

    fn set_modes(&self, request: &mut Request, catalogue: &'static Catalogue) -> Result<(), Error> {
        request.modes = Modes::USER.set(Modes::KERNEL, self.has_kernel);
        let Some(word) = self.exception else { return Ok(()) };
        let own = catalogue.modifiers.iter().find(|own| own.name == "e" && matches!(own.effect, Effect::OwnMode(_)));
        let own = own.filter(|own| own.effect.is_for(request.event));
        own.ok_or_else(|| word.error(Problem::UnknownAttribute))?.effect.refine(request, 1, catalogue.mask);
        Ok(())
    }
}

/// Returns what is expected in place of an option that is not read here: what the caller does, for perfex' own.
#[cold]
const fn instead_of(option: &[u8]) -> &'static str {
    match option {
        b"-mp" | b"-p" | b"-pp" => "-a, -e, -k, -x or -y: each thread that has a Context is counted by itself",
        b"-s" => "-a, -e, -k, -x or -y: the caller starts and stops the session",
        b"-o" => "-a, -e, -k, -x or -y: the caller prints the counts (PerfexTable)",
        b"-c" | b"-t" | b"-T" => "-a, -e, -k, -x or -y: the caller loads and prints costs (Costs)",
        [b'-', b'e', ..] => "a blank between -e and its event",
        [b'-', b'a' | b'k' | b'x' | b'y', ..] => "-a, -e, -k, -x or -y, each with a - of its own",
        _ => "-a, -e, -k, -x or -y",
    }
}

/// Returns the number of a variable of the environment, and its event, or `None` for another word.
fn variable(word: Piece) -> Result<Option<(usize, Piece)>, Error> {
    let begins = word.text.get(..VARIABLE.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(VARIABLE));
    match word.text.strip_prefix(VARIABLE) {
        Some([b'0', b'=', _, ..]) => Ok(Some((0, word.from(VARIABLE.len() + 2)))),
        Some([b'1', b'=', _, ..]) => Ok(Some((1, word.from(VARIABLE.len() + 2)))),
        _ if begins => Err(word.error(Problem::Expected("T5_EVENT0= or T5_EVENT1= and an event, without blanks"))),
        _ => Ok(None),
    }
}

/// Returns the requests for these events, or for cycles.
fn pair(events: [Option<Piece>; 2], catalogue: &'static Catalogue) -> Result<Set<2>, Error> {
    let mut set = Set::new();
    let mut taken = CounterSet::EMPTY;
    for event in events.into_iter().flatten() {
        let found = found(event, catalogue)?;
        let counters = found.own().map_or(CounterSet::EMPTY, |named| named.counters);
        if counters == taken && counters.len() == 1 {
            return Err(event.error(Problem::NoCounterLeft { able: counters }));
        }
        taken = counters;
        set.add(found.request(catalogue)).map_err(|_| event.error(Problem::TooMany { room: 2 }))?;
    }
    if let (true, Some(cycles)) = (set.is_empty(), event_of(catalogue, Piece::whole(catalogue.default))) {
        let _ = set.add(cycles.request(catalogue));
    }
    Ok(set)
}

fn found(event: Piece, catalogue: &'static Catalogue) -> Result<Found, Error> {
    let code = event.number();
    let is_large = code.map_or(event.is_too_large(), |code| code >= EVENTS);
    if is_large && has_perfexs(catalogue) {
        return Err(event.error(Problem::OutOfRange { largest: EVENTS - 1 }));
    }
    let number = code.and_then(|code| numbered(catalogue, code));
    let found = number.or_else(|| event_of(catalogue, event));
    found.ok_or_else(|| unknown(catalogue, event, event, core::iter::empty()))
}

/// Returns true if the processor's events are perfex' 32.
fn has_perfexs(catalogue: &'static Catalogue) -> bool {
    catalogue.events.len() as u64 == EVENTS && (0..EVENTS).all(|code| numbered(catalogue, code).is_some())
}

/// Finds the event with this code.
fn numbered(catalogue: &'static Catalogue, code: u64) -> Option<Found> {
    catalogue
        .of_code(code)
        .map(|(named, _)| Found::Own(named))
        .filter(|found| found.own().is_some_and(|named| named.code == code))
}
