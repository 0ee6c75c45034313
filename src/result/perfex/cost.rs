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

use crate::event::catalogue::{Cost, CostUnit};

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
    /// Estimates how long `count` occurrences take on a processor whose clock has this rate. The error of
    /// each number is at most 2^-65 seconds.
    #[must_use]
    pub fn estimate(&self, count: u64, clock: Rate) -> Estimate {
        let seconds = |thousandths: u64| {
            let units = u128::from(thousandths) * u128::from(count);
            match self.unit {
                CostUnit::Clocks => clock.seconds_of(units, 1000),
                CostUnit::Nanoseconds => Fixed::ratio(units, 1_000_000_000_000).unwrap_or_default(),
            }
        };
        Estimate { typical: seconds(self.typical), minimum: seconds(self.minimum), maximum: seconds(self.maximum) }
    }

    /// Estimates how many cycles of the clock `count` occurrences take by the typical cost, to the nearest; `u64::MAX` if
    /// the result, or the time in nanoseconds, exceeds 64 bits. The sum over the events of memory accesses is
    /// [`Input::MemoryCycles`](crate::output::perfex::Input::MemoryCycles).
    #[must_use]
    pub fn cycles(&self, count: u64, clock: Rate) -> u64 {
        let units = (u128::from(self.typical) * u128::from(count) + 500) / 1000;
        let Ok(units) = u64::try_from(units) else { return u64::MAX };
        match self.unit {
            CostUnit::Clocks => units,
            CostUnit::Nanoseconds => clock.ticks(units),
        }
    }
}

/// Returns the cost of an event.
type Hook<'a> = &'a dyn Fn(&str) -> Option<Cost>;

/// Costs in layers: an event is looked up first by the hook, then in the texts, in their order, and then in the
/// processor's table ([`Catalogue::costs`](crate::text::catalogue::Catalogue::costs)). [`fmt::Display`] prints the table in the form that
/// it is parsed in, like perfex -t: each event once, with the cost that decides. What only the hook knows is not listed.
///
/// ```
/// use pmu::output::perfex::Costs;
/// use pmu::text::catalogue::{Cost, CostUnit};
///
/// let builtin = [("TLB_MISS", Cost::always(67_000, CostUnit::Clocks)), ("WB", Cost::always(1_500, CostUnit::Clocks))];
/// let text = "TLB_MISS 70.5 60 80 clocks # measured here";
/// let texts = [text];
/// let costs = Costs::of_processor(&builtin).after(&texts);
/// assert_eq!(costs.check(), Ok(()));
/// assert_eq!(costs.of("TLB_MISS").map(|cost| cost.typical), Some(70_500));
/// assert_eq!(costs.of("WB").map(|cost| cost.typical), Some(1_500));
///
/// // What was measured here decides. The closure may keep state.
/// let measured = core::cell::Cell::new(72_000);
/// let hook = |event: &str| (event == "TLB_MISS").then(|| Cost::always(measured.get(), CostUnit::Clocks));
/// let costs = costs.replaced_by(&hook);
/// assert_eq!(costs.of("TLB_MISS").map(|cost| cost.typical), Some(72_000));
/// ```
#[derive(Clone, Copy)]
pub struct Costs<'a> {
    /// Is asked before all tables: it returns the cost of an event, or `None` to look it up in them.
    pub hook: Option<Hook<'a>>,
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

impl fmt::Debug for Costs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut costs = f.debug_struct("Costs");
        costs
            .field("hook", &self.hook.map(|_| ".."))
            .field("texts", &self.texts)
            .field("builtin", &self.builtin)
            .finish()
    }
}

impl fmt::Display for Costs<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "# {:<44} {:>9} {:>9} {:>9}  unit", "event", "typical", "minimum", "maximum")?;
        let is_first = |place: usize, name: &str| {
            !self.entries().take(place).any(|(earlier, _)| earlier.eq_ignore_ascii_case(name))
        };
        let mut listed = self.entries().enumerate().filter(|(place, (name, _))| is_first(*place, name));
        listed.try_for_each(|(_, (name, listed))| {
            let Cost { typical, minimum, maximum, unit } = self.of(name).unwrap_or(listed);
            let [typical, minimum, maximum] = [typical, minimum, maximum].map(Thousandths);
            let unit = if unit == CostUnit::Clocks { "clocks" } else { "ns" };
            writeln!(f, "{name:<46} {typical:>9} {minimum:>9} {maximum:>9}  {unit}")
        })
    }
}

/// A number in thousandths, printed with three digits after the point.
struct Thousandths(u64);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = Fixed::ratio(self.0.into(), 1000).unwrap_or_default();
        let width = f.width().unwrap_or(0);
        write!(f, "{number:>width$.3}")
    }
}

impl<'a> Costs<'a> {
    /// Creates costs that are those of the processor's table alone, `driver.catalogue().costs`.
    #[must_use]
    pub const fn of_processor(builtin: &'a [(&'a str, Cost)]) -> Self {
        Self { hook: None, texts: &[], builtin }
    }

    /// Looks events up in these texts before the processor's table, like `load_costs` and `/etc/perfex.costs`.
    #[must_use]
    pub const fn after(mut self, texts: &'a [&'a str]) -> Self {
        self.texts = texts;
        self
    }

    /// Asks `hook` for the cost of an event before all tables. It may be called several times
    /// for one row of a table, and may keep state.
    #[must_use]
    pub const fn replaced_by(mut self, hook: Hook<'a>) -> Self {
        self.hook = Some(hook);
        self
    }

    /// Returns the entries of all tables in the order in which they are looked up.
    fn entries(&self) -> impl Iterator<Item = (&'a str, Cost)> {
        let lines = self.texts.iter().flat_map(|text| text.lines());
        lines.filter_map(|line| entry(line).ok().flatten()).chain(self.builtin.iter().copied())
    }

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
        let listed = || self.entries().find(|(name, _)| name.eq_ignore_ascii_case(event)).map(|(_, cost)| cost);
        self.hook.and_then(|hook| hook(event)).or_else(listed)
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
        Some("clocks") => CostUnit::Clocks,
        Some("ns") => CostUnit::Nanoseconds,
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

    const BUILTIN: [(&str, Cost); 1] = [("MISS", Cost::always(10_000, CostUnit::Clocks))];

    fn costs<'a>(texts: &'a [&'a str]) -> Costs<'a> {
        Costs::of_processor(&BUILTIN).after(texts)
    }

    #[test]
    fn the_first_text_that_has_an_event_decides() {
        let texts = ["MISS 3 1 4 clocks", "MISS 5 5 5 clocks\nHIT 1 1 1 ns"];
        let costs = costs(&texts);
        assert_eq!(costs.of("miss").map(|cost| cost.typical), Some(3000));
        assert_eq!(costs.of("HIT"), Some(Cost::always(1000, CostUnit::Nanoseconds)));
    }

    #[test]
    fn what_a_partial_table_lacks_has_its_default() {
        assert_eq!(costs(&["OTHER 1 1 1 ns"]).of("MISS"), Some(BUILTIN[0].1));
        assert_eq!(costs(&[]).of("NOTHING"), None);
    }

    #[test]
    fn a_hook_decides_before_every_table_and_may_keep_state() {
        let asked = core::cell::Cell::new(0);
        let hook = |event: &str| {
            asked.set(asked.get() + 1);
            (event == "MISS" && asked.get() > 1).then(|| Cost::always(asked.get() * 1000, CostUnit::Nanoseconds))
        };
        let costs = costs(&["MISS 3 3 3 clocks"]).replaced_by(&hook);
        assert_eq!(costs.of("MISS"), Some(Cost::always(3000, CostUnit::Clocks)), "the hook has nothing yet");
        assert_eq!(costs.of("MISS"), Some(Cost::always(2000, CostUnit::Nanoseconds)));
        assert_eq!((costs.of("HIT"), asked.get()), (None, 3));
    }

    #[test]
    fn a_dump_lists_each_event_once_with_the_cost_that_decides() {
        let texts = ["miss 3 1.5 4 clocks", "MISS 9 9 9 ns\nHIT 0.25 0.25 0.25 ns"];
        let wanted = "\
# event                                          typical   minimum   maximum  unit
miss                                               3.000     1.500     4.000  clocks
HIT                                                0.250     0.250     0.250  ns
";
        assert_eq!(costs(&texts).to_string(), wanted);
    }

    #[test]
    fn a_dump_is_parsed_back_as_the_same_table() {
        let texts = ["MISS 3 1.5 4 clocks\nHIT 0.25 0.25 0.25 ns"];
        let dumped = costs(&texts).to_string();
        let again = [dumped.as_str()];
        let again = Costs::of_processor(&[]).after(&again);
        assert_eq!(again.check(), Ok(()));
        assert_eq!((again.of("MISS"), again.of("HIT")), (costs(&texts).of("MISS"), costs(&texts).of("HIT")));
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
        let estimate = Cost { typical: 2_500, minimum: 1_000, maximum: 4_000, unit: CostUnit::Clocks }
            .estimate(100_000_000, clock);
        assert_eq!((estimate.typical, estimate.minimum), (Fixed::whole(1), Fixed::ratio(2, 5).unwrap_or_default()));
        let in_time = Cost::always(500, CostUnit::Nanoseconds).estimate(4_000_000_000, clock);
        assert_eq!(in_time.maximum, Fixed::whole(2));
    }

    #[test]
    fn an_estimate_in_cycles_is_the_same_for_clocks_and_for_their_nanoseconds() {
        let clock = Rate::hertz(250_000_000).expect("it is not 0");
        let clocks = Cost { minimum: 0, maximum: 90_000, ..Cost::always(75_500, CostUnit::Clocks) };
        assert_eq!([2, 3].map(|count| clocks.cycles(count, clock)), [151, 227]);
        let nanoseconds = Cost::always(4 * 75_500, CostUnit::Nanoseconds);
        assert_eq!([2, 3].map(|count| nanoseconds.cycles(count, clock)), [151, 227]);
        let most =
            [CostUnit::Clocks, CostUnit::Nanoseconds].map(|unit| Cost::always(u64::MAX, unit).cycles(u64::MAX, clock));
        assert_eq!(most, [u64::MAX; 2]);
    }

    #[test]
    fn the_largest_count_does_not_overflow() {
        let clock = Rate::hertz(1).expect("it is not 0");
        let estimate = Cost::always(u64::MAX, CostUnit::Clocks).estimate(u64::MAX, clock);
        assert!(estimate.typical.trunc() > u128::from(u64::MAX));
    }
}
