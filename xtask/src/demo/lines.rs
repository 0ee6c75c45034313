//! The lines in which the kernel's demo reports to this program.
//!
//! Each line on the serial port reports one fact. The order matters only for lines that belong to the `sampling` line
//! before them. Words are separated by one space; `<text>` is the rest of the line; numbers are decimal, addresses
//! hexadecimal with `0x`; a word that would contain a space has hyphens instead.
//!
//! ```text
//! unit <text>                                 the unit's name, once
//! fact <key> <text>                           a property of the unit: counters, width, version ...
//! workload <text>                             what was counted, once
//! clock <ticks>                               ticks of the time-stamp counter for which it was counted
//! count <event> <counter> <value> <source>    counter: general-0, fixed-1 ...
//!                                             source: observed, each event as it happens
//!                                                     virtual, the emulator's clock: one for each instruction
//!                                                     unobserved, the emulator does not show it, the value means nothing
//!                                                     below, counted in the experiment, which observes each instruction
//! refused <event> <text>                      the driver refuses to count the event, and why
//! share <address> <event> <value>             the function at <address>, counted alone
//! sampling <text>                             the workload runs under overflow interrupts; these lines follow:
//! sampled <event> <counter> <period> <count>  an overflow each <period>, and how many events there were
//! sample <address> <counter> <mode>           mode: user | kernel | hypervisor
//! sample-lost <cause> <number>                overflows that left no sample, by cause
//! overflows <number>                          the number of overflows; samples + lost must equal it
//! experiment <text>                           a program of which every instruction is observed; all later lines are its
//! rule <text>                                 the definition of its event in the processor's manual
//! ```
//! Any other line is printed as it is.

use std::str::SplitWhitespace;

use anyhow::{Context, Result, bail};

/// A parsed line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Line {
    Unit(String),
    Fact { key: String, value: String },
    Workload(String),
    Clock(u64),
    Count(Count),
    Refused { event: String, reason: String },
    Share { address: u64, event: String, value: u64 },
    Sampling(String),
    Sampled(Sampled),
    Sample(Sample),
    Lost { cause: String, number: u64 },
    Overflows(u64),
    Experiment(String),
    Rule(String),
}

/// The count of an event over the workload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Count {
    pub(crate) event: String,
    pub(crate) counter: String,
    pub(crate) value: u64,
    pub(crate) source: Source,
}

/// How far the emulator observes an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    Observed,
    Virtual,
    Unobserved,
    /// It is observed in the experiment, whose program is shorter.
    Below,
}

/// One request of a sampling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sampled {
    pub(crate) event: String,
    pub(crate) counter: String,
    pub(crate) period: u64,
    pub(crate) count: u64,
}

/// The place that an overflow interrupted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Sample {
    pub(crate) address: u64,
    pub(crate) counter: String,
    pub(crate) mode: String,
}

/// Parse a line; `None` if it is not one of these.
///
/// # Errors
/// It begins like one of these and continues differently.
pub(crate) fn parse(text: &str) -> Result<Option<Line>> {
    let (keyword, rest) = text.split_once(' ').unwrap_or((text, ""));
    let mut words = rest.split_whitespace();
    let line = match keyword {
        "unit" => Ok(Line::Unit(rest.to_owned())),
        "fact" => pair(rest).map(|(key, value)| Line::Fact { key, value }),
        "workload" => Ok(Line::Workload(rest.to_owned())),
        "clock" => number(&mut words).map(Line::Clock),
        "count" => count(&mut words),
        "refused" => pair(rest).map(|(event, reason)| Line::Refused { event, reason }),
        "share" => share(&mut words),
        "sampling" => Ok(Line::Sampling(rest.to_owned())),
        "sampled" => sampled(&mut words),
        "sample" => sample(&mut words),
        "sample-lost" => lost(&mut words),
        "overflows" => number(&mut words).map(Line::Overflows),
        "experiment" => Ok(Line::Experiment(rest.to_owned())),
        "rule" => Ok(Line::Rule(rest.to_owned())),
        _ => return Ok(None),
    };
    line.map(Some).with_context(|| format!("in the line {text:?}"))
}

fn pair(rest: &str) -> Result<(String, String)> {
    let (key, text) = rest.split_once(' ').context("a word and a text are expected")?;
    Ok((key.to_owned(), text.to_owned()))
}

fn count(words: &mut SplitWhitespace) -> Result<Line> {
    let (event, counter) = (word(words)?, word(words)?);
    Ok(Line::Count(Count { event, counter, value: number(words)?, source: source(words)? }))
}

fn share(words: &mut SplitWhitespace) -> Result<Line> {
    Ok(Line::Share { address: address(words)?, event: word(words)?, value: number(words)? })
}

fn sampled(words: &mut SplitWhitespace) -> Result<Line> {
    let (event, counter) = (word(words)?, word(words)?);
    Ok(Line::Sampled(Sampled { event, counter, period: number(words)?, count: number(words)? }))
}

fn sample(words: &mut SplitWhitespace) -> Result<Line> {
    Ok(Line::Sample(Sample { address: address(words)?, counter: word(words)?, mode: word(words)? }))
}

fn lost(words: &mut SplitWhitespace) -> Result<Line> {
    Ok(Line::Lost { cause: word(words)?, number: number(words)? })
}

fn source(words: &mut SplitWhitespace) -> Result<Source> {
    match word(words)?.as_str() {
        "observed" => Ok(Source::Observed),
        "virtual" => Ok(Source::Virtual),
        "unobserved" => Ok(Source::Unobserved),
        "below" => Ok(Source::Below),
        other => bail!("{other:?} is no source of a count"),
    }
}

fn word(words: &mut SplitWhitespace) -> Result<String> {
    words.next().map(str::to_owned).context("the line ends too early")
}

fn number(words: &mut SplitWhitespace) -> Result<u64> {
    let word = word(words)?;
    word.parse().with_context(|| format!("{word:?} is no number"))
}

fn address(words: &mut SplitWhitespace) -> Result<u64> {
    let word = word(words)?;
    let digits = word.strip_prefix("0x").with_context(|| format!("{word:?} is no address"))?;
    u64::from_str_radix(digits, 16).with_context(|| format!("{word:?} is no address"))
}

/// Returns a counter's name, or another word with hyphens, with spaces.
pub(super) fn spoken(word: &str) -> String {
    word.replace('-', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_is_read() {
        let line = parse("count instructions fixed-0 1234 observed").unwrap().unwrap();
        let (event, counter) = ("instructions".into(), "fixed-0".into());
        assert_eq!(line, Line::Count(Count { event, counter, value: 1234, source: Source::Observed }));
    }

    #[test]
    fn a_sample_is_read() {
        let sample = Sample { address: 0x10_0abc, counter: "general-3".into(), mode: "kernel".into() };
        assert_eq!(parse("sample 0x100abc general-3 kernel").unwrap(), Some(Line::Sample(sample)));
    }

    #[test]
    fn a_facts_value_may_have_spaces() {
        let fact = Line::Fact { key: "counters".into(), value: "8 general, 3 fixed".into() };
        assert_eq!(parse("fact counters 8 general, 3 fixed").unwrap(), Some(fact));
    }

    #[test]
    fn a_refusal_keeps_its_reason_whole() {
        let refused = Line::Refused { event: "slots".into(), reason: "no counter counts it".into() };
        assert_eq!(parse("refused slots no counter counts it").unwrap(), Some(refused));
    }

    #[test]
    fn a_strange_line_is_none_of_ours() {
        assert_eq!(parse("calibrated: 12").unwrap(), None);
    }

    #[test]
    fn a_broken_line_is_an_error_that_shows_it() {
        let error = parse("overflows many").unwrap_err();
        assert!(format!("{error:#}").contains("overflows many"));
        assert!(parse("sample 100 general-0 kernel").is_err());
        assert!(parse("count cycles fixed-1 5 guessed").is_err());
    }
}
