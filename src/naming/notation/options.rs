//! Options on a kernel's command line that say what to measure and how.
//!
//! The PMC library took its options from a program's arguments (`pmc_getargs`). These do the same for a
//! kernel:
//!
//! ```text
//! --e a,b         events, in libpfm's notation: names or codes        (the library's own option)
//! -c spec         events, in cputrack's notation
//! --event=spec    events, in OProfile's notation
//! -Stats n        how much is kept: 0, 1 or 2                          (the library's own option)
//! -trim n         leave out the first n measurements                   (the library's own option)
//! -clean          take off what the reading itself costs
//! ```
//! Words are separated by blanks. Words that are not options are ignored.

use super::scan::Piece;
use super::{Error, Problem, Processor, cpc, oprofile, perfmon};
use crate::event::Set;
use crate::stats::Level;

/// The options of a command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options<const N: usize> {
    /// What to measure; empty if no option says.
    pub set: Set<N>,
    /// How much of each measurement is kept.
    pub level: Level,
    /// How many measurements are skipped at the beginning.
    pub trim: u64,
    /// Whether the cost of reading the counters is subtracted.
    pub overhead: ReadingCost,
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

/// Parses the options of a command line.
///
/// # Errors
/// The place where the text is wrong, and what was expected. It is an error to give events twice.
pub fn parse<const N: usize>(text: &str, processor: Processor) -> Result<Options<N>, Error> {
    let mut options = Options { set: Set::new(), level: Level::Sums, trim: 0, overhead: ReadingCost::Kept };
    let mut words = Piece::whole(text).split(|byte| byte.is_ascii_whitespace()).filter(|word| !word.text.is_empty());
    while let Some(word) = words.next() {
        let mut value = |what| words.next().ok_or_else(|| word.error_after(Problem::Expected(what)));
        match word.text {
            b"--e" => options.events(value("events in libpfm's notation")?, processor, perfmon::read)?,
            b"-c" => options.events(value("events in cputrack's notation")?, processor, cpc::read)?,
            b"-Stats" => options.level = level(value("0, 1 or 2")?)?,
            b"-trim" => options.trim = number(value("a number of measurements")?)?,
            b"-clean" => options.overhead = ReadingCost::TakenOff,
            _ => {
                if let Some((b"--event", spec)) = word.split_once(b'=').map(|(name, spec)| (name.text, spec)) {
                    options.events(spec, processor, oprofile::read)?;
                }
            }
        }
    }
    Ok(options)
}

impl<const N: usize> Options<N> {
    fn events(
        &mut self,
        spec: Piece,
        processor: Processor,
        read: fn(Piece, Processor) -> Result<Set<N>, Error>,
    ) -> Result<(), Error> {
        if !self.set.is_empty() {
            return Err(spec.error(Problem::Repeated));
        }
        self.set = read(spec, processor)?;
        Ok(())
    }
}

fn level(word: Piece) -> Result<Level, Error> {
    word.number().and_then(Level::from_number).ok_or_else(|| word.error(Problem::Expected("0, 1 or 2")))
}

fn number(word: Piece) -> Result<u64, Error> {
    word.number().ok_or_else(|| word.error(Problem::Expected("a number")))
}
