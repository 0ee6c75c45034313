//! Options on a kernel's command line.

use core::array;
use core::ops::Range;

use super::scan::Piece;
use super::{Error, Problem, Processor, cpc, oprofile, perfmon};
use crate::event::Set;
use crate::stats::Level;

/// Options on a kernel's command line that say what to measure and how.
///
/// The PMC library took its options from a program's arguments (`pmc_getargs`). These do the same for a
/// kernel:
///
/// ```text
/// --e a,b         events, in libpfm's notation: names or codes        (the library's own option)
/// -c spec         events, in cputrack's notation; each further -c is another set
/// --event=spec    events, in OProfile's notation; a further one, or --e, adds to the set
/// -Stats n        how much is kept: 0, 1 or 2                          (the library's own option)
/// -trim n         leave out the first n measurements                   (the library's own option)
/// -clean          take off what the reading itself costs
/// ```
/// Words are separated by blanks. Words that are not options are ignored, but those that were meant as one of these
/// (`--e=`, `-e`, `--events=`, `-cpic0=`, `-Trim`) are errors. Several sets are rotated, as cpustat and
/// cputrack do ([`Multiplex`](crate::Multiplex)).
///
/// There is room for `SETS` sets of up to `N` requests each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options<const N: usize, const SETS: usize> {
    sets: [Given<N>; SETS],
    given: usize,
    /// How much of each measurement is kept.
    pub level: Level,
    /// How many measurements are skipped at the beginning.
    pub trim: u64,
    /// Whether the cost of reading the counters is subtracted.
    pub overhead: ReadingCost,
}

/// A set of requests, and its place on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Given<const N: usize> {
    /// The requests.
    pub set: Set<N>,
    /// The bytes that ask for them. Rows of several sets name theirs by these
    /// ([`CpustatRow::set`](field@crate::output::report::CpustatRow::set)).
    pub at: Range<usize>,
}

/// What is done about the cost of reading the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ReadingCost {
    /// It remains in the measurements.
    #[default]
    Kept,
    /// It is measured and subtracted ([`Overhead`](crate::stats::Overhead)).
    TakenOff,
}

/// Reads a set in one of the notations.
type Read<const N: usize> = fn(Piece, Processor) -> Result<Set<N>, Error>;

impl<const N: usize, const SETS: usize> Options<N, SETS> {
    /// Parses the options of a command line.
    ///
    /// # Errors
    /// The place where the text is wrong, and what was expected. It is an error to give events by different options, or more
    /// sets than there is room for.
    pub fn parse(text: &str, processor: Processor) -> Result<Self, Error> {
        let mut options = Self::new();
        let mut first = None;
        let mut words =
            Piece::whole(text).split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.text.is_empty());
        while let Some(word) = words.next() {
            let mut value = |what| words.next().ok_or_else(|| word.error_after(Problem::Expected(what)));
            let (option, spec, read): (_, _, Read<N>) = match word.text {
                b"--e" => ("--e", value("events in libpfm's notation")?, perfmon::read),
                b"-c" => ("-c", value("events in cputrack's notation")?, cpc::read),
                _ => match word.split_once(b'=') {
                    Some((name, spec)) if name.text == b"--event" => ("--event", spec, oprofile::read),
                    _ => {
                        options.measure(word, value)?;
                        continue;
                    }
                },
            };
            if *first.get_or_insert(option) != option {
                return Err(spec.error(Problem::OtherOption));
            }
            let set = read(unquoted(spec)?, processor)?;
            if option == "-c" { options.add(spec, set)? } else { options.extend(spec, &set)? }
        }
        Ok(options)
    }

    fn new() -> Self {
        let sets = array::from_fn(|_| Given { set: Set::new(), at: 0..0 });
        Self { sets, given: 0, level: Level::Sums, trim: 0, overhead: ReadingCost::Kept }
    }

    /// Returns what to measure: the sets in their order, or none if no option says.
    #[must_use]
    pub fn sets(&self) -> &[Given<N>] {
        self.sets.get(..self.given).unwrap_or_default()
    }

    fn add(&mut self, spec: Piece, set: Set<N>) -> Result<(), Error> {
        let room = self.sets.get_mut(self.given).ok_or_else(|| spec.error(Problem::TooManySets { room: SETS }))?;
        *room = Given { set, at: spec.range() };
        self.given += 1;
        Ok(())
    }

    /// Adds requests to the one set that there is.
    fn extend(&mut self, spec: Piece, more: &Set<N>) -> Result<(), Error> {
        let Some(given) = self.sets.first_mut().filter(|_| self.given > 0) else { return self.add(spec, *more) };
        for request in more.requests() {
            given.set.add(*request).map_err(|_| spec.error(Problem::TooMany { room: N }))?;
        }
        given.at.end = spec.range().end;
        if given.set.repeated().is_some() { Err(spec.error(Problem::Repeated)) } else { Ok(()) }
    }

    /// Takes an option that says how to measure.
    fn measure<'t>(
        &mut self,
        word: Piece<'t>,
        mut value: impl FnMut(&'static str) -> Result<Piece<'t>, Error>,
    ) -> Result<(), Error> {
        match word.text {
            b"-Stats" => self.level = level(value("0, 1 or 2")?)?,
            b"-trim" => self.trim = number(value("a number of measurements")?)?,
            b"-clean" => self.overhead = ReadingCost::TakenOff,
            _ => return instead_of(word).map_or(Ok(()), |option| Err(word.error(Problem::Expected(option)))),
        }
        Ok(())
    }
}

const EVENTS: &str = "--e, a blank and events, or --event= and an event with its count";

/// A kernel has no shell that takes quotation marks away.
fn unquoted(spec: Piece) -> Result<Piece, Error> {
    match spec.text {
        [b'"' | b'\'', ..] => Err(spec.error(Problem::Expected("events without quotation marks"))),
        _ => Ok(spec),
    }
}

const fn is_dash(byte: u8) -> bool {
    byte == b'-'
}

/// Returns the option that a word was probably meant to be, which is none of these.
fn instead_of(word: Piece) -> Option<&'static str> {
    let option = word.split_once(b'=').map_or(word, |(option, _)| option).strip_first(is_dash)?;
    let name = option.strip_first(is_dash).unwrap_or(option);
    match name.text {
        [b'e' | b'E'] => Some(EVENTS),
        [b'c' | b'C'] | [b'c', b'p', b'i', b'c', ..] => Some("-c, a blank and events"),
        _ if name.is("events") => Some(EVENTS),
        _ if name.is("event") => Some("--event= and an event with its count"),
        _ if name.is("Stats") => Some("-Stats, a blank and 0, 1 or 2"),
        _ if name.is("trim") => Some("-trim, a blank and a number of measurements"),
        _ if name.is("clean") => Some("-clean alone"),
        _ => None,
    }
}

fn level(word: Piece) -> Result<Level, Error> {
    word.number().and_then(Level::from_number).ok_or_else(|| word.error(Problem::Expected("0, 1 or 2")))
}

fn number(word: Piece) -> Result<u64, Error> {
    word.number().ok_or_else(|| word.error(Problem::Expected("a number of at most 64 bits")))
}
