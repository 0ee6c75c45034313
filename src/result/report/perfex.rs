//! perfex's table: events, counts, and the time that they may have taken.

use core::cmp::Reverse;
use core::fmt;

use super::ranking::ranked;
use crate::event::catalogue::EventName;
use crate::result::perfex::{Costs, Estimate, Inputs, Statistic};
use crate::stats::{Fixed, Rate};

/// One counted event of a [`PerfexTable`].
#[derive(Clone, Copy, Debug)]
pub struct PerfexRow {
    /// The number by which the event is requested.
    pub number: u32,
    /// The event's name, by which its cost is looked up.
    pub name: EventName,
    /// The count.
    pub count: u64,
}

/// The table of perfex, with the estimates and statistics of `-y` if costs and a clock are given.
///
/// The layout is this crate's own, because perfex's was not available. Rows with an estimate come first, in
/// descending order of the typical time; the others follow by their numbers:
///
/// ```text
///                                                                                    typical      minimum      maximum
///  event                                                                counter     time (s)     time (s)     time (s)
/// =====================================================================================================================
///   0 Cycles....................................................        1000000     1.000000     1.000000     1.000000
///  15 Graduated instructions....................................         800000            -            -            -
/// ```
/// With `-y` the statistics follow, one a line, each with its value or the reason why it has none.
/// [`guide::scripts`](crate::guide::scripts) describes the columns.
#[derive(Clone, Copy, Debug)]
pub struct PerfexTable<'a> {
    /// The counted events.
    pub rows: &'a [PerfexRow],
    /// The costs, and the rate of the clock whose cycles they count.
    pub costs: Option<(Costs<'a>, Rate)>,
    /// The inputs of the statistics.
    pub inputs: Option<Inputs>,
}

/// The width of an event's name, padded with dots: that of the longest of R10000's.
const NAME: usize = 58;
/// The width of a number and a name, of all up to the typical time, and of a line.
const EVENT: usize = NAME + 3;
const TYPICAL: usize = EVENT + 29;
const LINE: usize = TYPICAL + 27;

impl PerfexTable<'_> {
    fn estimate(&self, row: &PerfexRow) -> Option<Estimate> {
        let (costs, clock) = self.costs?;
        Some(costs.of(&row.name.text())?.estimate(row.count, clock))
    }

    /// Returns the key that rows are sorted by: time in descending order, number, place. No two are equal.
    fn key(&self, place: usize, row: &PerfexRow) -> (Reverse<Option<Fixed>>, u32, usize) {
        (Reverse(self.estimate(row).map(|estimate| estimate.typical)), row.number, place)
    }

    /// Returns the rows in the order in which they are printed.
    fn sorted(&self) -> impl Iterator<Item = &PerfexRow> {
        ranked(|| self.rows.iter().enumerate(), |&(place, row)| self.key(place, row)).map(|(_, row)| row)
    }
}

impl fmt::Display for PerfexTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>TYPICAL$} {:>12} {:>12}", "typical", "minimum", "maximum")?;
        writeln!(f, " {:<EVENT$} {:>14} {:>12} {:>12} {:>12}", "event", "counter", "time (s)", "time (s)", "time (s)")?;
        writeln!(f, "{:=<LINE$}", "")?;
        for row in self.sorted() {
            write!(f, " {:>2} {:.<NAME$} {:>14}", row.number, row.name, row.count)?;
            match self.estimate(row) {
                Some(Estimate { typical, minimum, maximum }) => {
                    writeln!(f, " {typical:>12.6} {minimum:>12.6} {maximum:>12.6}")?;
                }
                None => writeln!(f, " {0:>12} {0:>12} {0:>12}", "-")?,
            }
        }
        let Some(inputs) = self.inputs else { return Ok(()) };
        writeln!(f, "\nStatistics")?;
        writeln!(f, "{:=<LINE$}", "")?;
        let clock = self.costs.map(|(_, clock)| clock);
        Statistic::ALL.iter().try_for_each(|statistic| match statistic.of(&inputs, clock) {
            Ok(value) => writeln!(f, "{:.<65} {value:>14.6}", statistic.name()),
            Err(missing) => writeln!(f, "{:.<65} {:>14} ({missing})", statistic.name(), "-"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::catalogue::{Cost, CostUnit};
    use crate::result::perfex::Input;

    const ROWS: [PerfexRow; 3] = [
        PerfexRow { number: 0, name: EventName::new("Cycles"), count: 1_000_000 },
        PerfexRow { number: 15, name: EventName::new("Graduated instructions"), count: 800_000 },
        PerfexRow { number: 26, name: EventName::new("Secondary data cache misses"), count: 40_000 },
    ];
    const COSTS: [(&str, Cost); 2] = [
        ("Cycles", Cost::always(1000, CostUnit::Clocks)),
        (
            "Secondary data cache misses",
            Cost { typical: 75_000, minimum: 50_000, maximum: 80_000, unit: CostUnit::Clocks },
        ),
    ];

    #[test]
    fn rows_come_by_the_time_that_they_took() {
        let costs = Costs::of_processor(&COSTS);
        let clock = Rate::hertz(1_000_000).expect("it is not 0");
        let table = PerfexTable { rows: &ROWS, costs: Some((costs, clock)), inputs: None };
        let wanted = "                                                                                   typical      minimum      maximum
 event                                                                counter     time (s)     time (s)     time (s)
=====================================================================================================================
 26 Secondary data cache misses...............................          40000     3.000000     2.000000     3.200000
  0 Cycles....................................................        1000000     1.000000     1.000000     1.000000
 15 Graduated instructions....................................         800000            -            -            -
";
        assert_eq!(table.to_string(), wanted);
    }

    #[test]
    fn columns_are_where_the_guide_for_scripts_says() {
        let costs = (Costs::of_processor(&COSTS), Rate::hertz(1_000_000).expect("it is not 0"));
        let inputs = Inputs::none().with(Input::Cycles, 10).with(Input::Instructions, 5);
        let table = PerfexTable { rows: &ROWS, costs: Some(costs), inputs: Some(inputs) };
        let text = table.to_string();
        let lines: Vec<_> = text.lines().collect();
        let columns =
            |line: usize, of: [(usize, usize); 6]| of.map(|(first, last)| lines[line][first - 1..last].trim());
        let event = [(2, 3), (5, 62), (64, 77), (79, 90), (92, 103), (105, 116)];
        let cycles = [
            "0",
            "Cycles....................................................",
            "1000000",
            "1.000000",
            "1.000000",
            "1.000000",
        ];
        assert_eq!(columns(4, event), cycles);
        assert_eq!((lines[2], lines[6], lines[7]), ("=".repeat(117).as_str(), "", "Statistics"));
        assert_eq!(
            (lines[9][..65].trim_end_matches('.'), lines[9][66..80].trim()),
            ("Graduated instructions/cycle", "0.500000")
        );
    }

    #[test]
    fn without_costs_rows_come_by_number() {
        let text = PerfexTable { rows: &ROWS, costs: None, inputs: None }.to_string();
        let numbers: Vec<_> = text.lines().skip(3).filter_map(|line| line.split_ascii_whitespace().next()).collect();
        assert_eq!(numbers, ["0", "15", "26"]);
    }

    #[test]
    fn rows_of_one_number_are_all_printed() {
        let rows = [1, 2, 2].map(|count| PerfexRow { number: 0, name: EventName::new("Cycles"), count });
        let text = PerfexTable { rows: &rows, costs: None, inputs: None }.to_string();
        let counts: Vec<_> = text.lines().skip(3).filter_map(|line| line.split_ascii_whitespace().nth(2)).collect();
        assert_eq!(counts, ["1", "2", "2"]);
    }

    #[test]
    fn a_statistic_without_its_inputs_says_so() {
        let inputs = Inputs::none().with(Input::Cycles, 10).with(Input::Instructions, 5);
        let text = PerfexTable { rows: &[], costs: None, inputs: Some(inputs) }.to_string();
        assert!(text.contains("Graduated instructions/cycle....."), "{text}");
        assert!(text.contains("       0.500000\n"), "{text}");
        assert!(text.contains("- (graduated loads: not counted)\n"), "{text}");
    }
}
