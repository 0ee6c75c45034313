//! The cost of one occurrence of an event: typical, minimum and maximum.
//!
//! # The text of a cost table
//!
//! ```text
//! # event          typical  minimum  maximum  unit
//! L1_DCACHE_MISS      9.02     2.89     9.04  clocks
//! TLB_MISS              67       67       67  clocks
//! L2_DCACHE_MISS     75.41    43.71    75.41  ns
//! ```
//! Each line has one event: its name, three costs with up to three digits after the point, and `clocks`
//! or `ns`. Blanks or tabs separate the words; `#` begins a comment. A table may be partial: an event that
//! it lacks has the cost of the next table. The text is parsed anew for each question, so nothing is
//! allocated. [`Costs::check`] finds out in advance whether it can be parsed.

use core::fmt;

use crate::stats::{Fixed, Rate};

/// The unit of a [`Cost`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Cycles of the core's clock.
    Clocks,
    /// Nanoseconds.
    Nanoseconds,
}

/// The cost of one occurrence of an event, in thousandths of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost {
    /// The typical cost.
    pub typical: u64,
    /// The least cost.
    pub minimum: u64,
    /// The greatest cost.
    pub maximum: u64,
    /// The unit.
    pub unit: Unit,
}

/// The time that some number of occurrences took, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Estimate {
    /// With the typical cost.
    pub typical: Fixed,
    /// With the least cost.
    pub minimum: Fixed,
    /// With the greatest cost.
    pub maximum: Fixed,
}

impl Cost {
    /// Creates a cost whose typical, least and greatest values are the same.
    #[must_use]
    pub const fn always(thousandths: u64, unit: Unit) -> Self {
        Self { typical: thousandths, minimum: thousandths, maximum: thousandths, unit }
    }

    /// Estimates how long `count` occurrences take on a processor whose clock has this rate. The error of
    /// each number is at most 2^-65 seconds.
    #[must_use]
    pub fn estimate(&self, count: u64, clock: Rate) -> Estimate {
        let seconds = |thousandths: u64| {
            let units = u128::from(thousandths) * u128::from(count);
            match self.unit {
                Unit::Clocks => clock.seconds_of(units, 1000),
                Unit::Nanoseconds => Fixed::ratio(units, 1_000_000_000_000).unwrap_or_default(),
            }
        };
        Estimate { typical: seconds(self.typical), minimum: seconds(self.minimum), maximum: seconds(self.maximum) }
    }
}

/// Costs in layers: an event is looked up first in the texts, in their order, and then in the processor's
/// table.
///
/// ```
/// use pmu::perfex::{Cost, Costs, Unit};
///
/// let builtin = [("TLB_MISS", Cost::always(67_000, Unit::Clocks)), ("WB", Cost::always(1_500, Unit::Clocks))];
/// let text = "TLB_MISS 70.5 60 80 clocks # measured here";
/// let costs = Costs { texts: &[text], builtin: &builtin };
/// assert_eq!(costs.check(), Ok(()));
/// assert_eq!(costs.of("TLB_MISS").map(|cost| cost.typical), Some(70_500));
/// assert_eq!(costs.of("WB").map(|cost| cost.typical), Some(1_500));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Costs<'a> {
    /// Texts. The first that has an event decides.
    pub texts: &'a [&'a str],
    /// The processor's table, for events that no text has.
    pub builtin: &'a [(&'a str, Cost)],
}

/// A line of a cost table that cannot be parsed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CostError {
    /// The number of the text, from 0.
    pub text: usize,
    /// The number of the line in the text, from 1.
    pub line: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl fmt::Display for CostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cost table {}, line {}: expected {}", self.text, self.line, self.expected)
    }
}

impl core::error::Error for CostError {}

impl<'a> Costs<'a> {
    /// Parses every line of every text.
    ///
    /// # Errors
    /// The first line that cannot be parsed, and what was expected there.
    pub fn check(&self) -> Result<(), CostError> {
        let lines = |text: &'a str| text.lines().enumerate();
        let mut all =
            self.texts.iter().enumerate().flat_map(|(text, content)| lines(content).map(move |line| (text, line)));
        all.try_for_each(|(text, (line, content))| {
            entry(content).map(drop).map_err(|expected| CostError { text, line: line + 1, expected })
        })
    }

    /// Returns the cost of an event. The name's case does not matter; lines that cannot be parsed are skipped.
    #[must_use]
    pub fn of(&self, event: &str) -> Option<Cost> {
        let lines = self.texts.iter().flat_map(|text| text.lines());
        let mut entries = lines.filter_map(|line| entry(line).ok().flatten());
        let in_texts = entries.find(|(name, _)| name.eq_ignore_ascii_case(event));
        let builtin = || self.builtin.iter().copied().find(|(name, _)| name.eq_ignore_ascii_case(event));
        in_texts.or_else(builtin).map(|(_, cost)| cost)
    }
}

/// Parses a line into an event and its cost. Returns `None` if the line is empty.
fn entry(line: &str) -> Result<Option<(&str, Cost)>, &'static str> {
    let mut words = line.split('#').next().unwrap_or("").split_ascii_whitespace();
    let Some(name) = words.next() else { return Ok(None) };
    let mut cost = |expected| words.next().and_then(thousandths).ok_or(expected);
    let typical = cost("the typical cost, a number with at most three digits behind the point")?;
    let minimum = cost("the minimum, a number with at most three digits behind the point")?;
    let maximum = cost("the maximum, a number with at most three digits behind the point")?;
    let unit = match words.next() {
        Some("clocks") => Unit::Clocks,
        Some("ns") => Unit::Nanoseconds,
        _ => return Err("clocks or ns"),
    };
    if words.next().is_some() {
        return Err("the end of the line");
    }
    if minimum > typical || typical > maximum {
        return Err("a typical cost between minimum and maximum");
    }
    Ok(Some((name, Cost { typical, minimum, maximum, unit })))
}

/// Parses a decimal number, in thousandths.
fn thousandths(word: &str) -> Option<u64> {
    let (whole, fraction) = word.split_once('.').unwrap_or((word, "0"));
    let is_number = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || fraction.len() > 3 {
        return None;
    }
    let scale = 10_u64.pow(3 - u32::try_from(fraction.len()).ok()?);
    let fraction = fraction.parse::<u64>().ok()? * scale;
    whole.parse::<u64>().ok()?.checked_mul(1000)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILTIN: [(&str, Cost); 1] = [("MISS", Cost::always(10_000, Unit::Clocks))];

    fn costs<'a>(texts: &'a [&'a str]) -> Costs<'a> {
        Costs { texts, builtin: &BUILTIN }
    }

    #[test]
    fn the_first_text_that_has_an_event_decides() {
        let texts = ["MISS 3 1 4 clocks", "MISS 5 5 5 clocks\nHIT 1 1 1 ns"];
        let costs = costs(&texts);
        assert_eq!(costs.of("miss").map(|cost| cost.typical), Some(3000));
        assert_eq!(costs.of("HIT"), Some(Cost::always(1000, Unit::Nanoseconds)));
    }

    #[test]
    fn what_a_partial_table_lacks_has_its_default() {
        assert_eq!(costs(&["OTHER 1 1 1 ns"]).of("MISS"), Some(BUILTIN[0].1));
        assert_eq!(costs(&[]).of("NOTHING"), None);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        let expected = |text| costs(&["# well\n\nMISS 1 1 1 ns", text]).check().unwrap_err();
        for (text, word) in [
            ("MISS", "typical"),
            ("MISS 1.2345", "typical"),
            ("MISS -1", "typical"),
            ("MISS 1 x", "minimum"),
            ("MISS 1 1", "maximum"),
            ("MISS 1 1 1", "clocks or ns"),
            ("MISS 1 1 1 ns more", "end"),
            ("MISS 5 1 2 ns", "between"),
            ("MISS 99999999999999999999 1 1 ns", "typical"),
        ] {
            let error = expected(text);
            assert_eq!((error.text, error.line), (1, 1));
            assert!(error.to_string().contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn an_estimate_is_count_times_cost_by_the_clock() {
        let clock = Rate::hertz(250_000_000).expect("it is not 0");
        let estimate =
            Cost { typical: 2_500, minimum: 1_000, maximum: 4_000, unit: Unit::Clocks }.estimate(100_000_000, clock);
        assert_eq!((estimate.typical, estimate.minimum), (Fixed::whole(1), Fixed::ratio(2, 5).unwrap_or_default()));
        let in_time = Cost::always(500, Unit::Nanoseconds).estimate(4_000_000_000, clock);
        assert_eq!(in_time.maximum, Fixed::whole(2));
    }

    #[test]
    fn the_largest_count_does_not_overflow() {
        let clock = Rate::hertz(1).expect("it is not 0");
        let estimate = Cost::always(u64::MAX, Unit::Clocks).estimate(u64::MAX, clock);
        assert!(estimate.typical.trunc() > u128::from(u64::MAX));
    }
}
