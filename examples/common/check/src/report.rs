//! The report's form: lines of `name: value`.

use core::fmt::{self, Write};

/// What its first line begins with. The number is the form's.
const FIRST: &str = "pmu check: 1";
/// Its last line.
const LAST: &str = "end: whole";

/// A line of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line<'t> {
    /// What was asked.
    pub name: &'t str,
    /// The answer.
    pub value: &'t str,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.value)
    }
}

/// Why a text is no whole report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refused {
    /// It has no first line of a report in this form.
    NoReport,
    /// It has no last line: the machine has stopped amid it.
    BrokenOff,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoReport => write!(f, "there is no line `{FIRST}`"),
            Self::BrokenOff => write!(f, "there is no line `{LAST}`: the report is broken off"),
        }
    }
}

/// Writes the first line.
///
/// # Errors
/// Those of `out`.
pub fn begin(out: &mut impl Write) -> fmt::Result {
    writeln!(out, "{FIRST}")
}

/// Writes the last line.
///
/// # Errors
/// Those of `out`.
pub fn end(out: &mut impl Write) -> fmt::Result {
    writeln!(out, "{LAST}")
}

/// Returns the lines of the report in a text, such as a console's, without the first and the last.
///
/// # Errors
/// The text has no whole report.
pub fn read(text: &str) -> Result<impl Iterator<Item = Line<'_>>, Refused> {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| *line == FIRST).ok_or(Refused::NoReport)?;
    if !lines.clone().any(|line| line == LAST) {
        return Err(Refused::BrokenOff);
    }
    let answers = lines.take_while(|line| *line != LAST);
    Ok(answers.filter_map(|line| line.split_once(": ")).map(|(name, value)| Line { name, value }))
}
