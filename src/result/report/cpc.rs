//! The tables of cpustat and cputrack.
//!
//! The columns have the same widths as theirs, with one blank between them: 7 for a time, 3 for a CPU or
//! thread, 9 for ticks and counts. Nothing follows the last column, as in the examples of their manuals.
//! (Later versions of these commands print a blank there, and their titles drift by one column for each
//! counter. This is not imitated.) If several sets are rotated, two blanks, `#` and the set follow it.
//!
//! Sources: cpustat(1M) and cputrack(1), and for what their examples do not show the output of illumos-gate's
//! (usr/src/cmd/cpc/common/{cpustat,cputrack}.c).

use core::fmt;

use crate::stats::Fixed;

/// The values of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading<'a> {
    /// The nanoseconds since the run began.
    pub time: u64,
    /// The ticks, if their column is wanted.
    pub tick: Option<u64>,
    /// The counts, in the order of the counters.
    pub counts: &'a [u64],
}

impl fmt::Display for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tick.iter().chain(self.counts).try_for_each(|count| write!(f, " {count:>9}"))
    }
}

/// Formats a time in seconds with three digits after the point, seven columns wide.
fn time(nanoseconds: u64) -> impl fmt::Display {
    struct Seconds(Fixed);
    impl fmt::Display for Seconds {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:>7.3}", self.0)
        }
    }
    Seconds(Fixed::ratio(nanoseconds.into(), 1_000_000_000).unwrap_or_default())
}

/// The titles of the columns that follow the kind of row.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// The name of the tick register, if its column is wanted: `tsc`, `%tick`.
    pub tick: Option<&'a str>,
    /// The numbers of the counters.
    pub counters: &'a [u8],
}

impl fmt::Display for Columns<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tick.iter().try_for_each(|name| write!(f, " {name:>9}"))?;
        self.counters.iter().try_for_each(|number| {
            let digits = if *number < 10 { 1 } else { 2 };
            write!(f, " {:>width$}{number}", "pic", width = 9 - digits)
        })
    }
}

/// The title line of cpustat.
#[derive(Clone, Copy, Debug)]
pub struct CpustatTitle<'a>(pub Columns<'a>);

impl fmt::Display for CpustatTitle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7} {:>3} {:>5}{}", "time", "cpu", "event", self.0)
    }
}

/// A row of cpustat.
#[derive(Clone, Copy, Debug)]
pub struct CpustatRow<'a> {
    /// Whose counts the row has.
    pub of: CpustatOf,
    /// The time and the counts.
    pub reading: Reading<'a>,
    /// The set as it was requested, if several sets are rotated.
    pub set: Option<&'a str>,
}

/// Whose counts a row of cpustat has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum CpustatOf {
    /// The counts of this CPU since the row before.
    Cpu(u32),
    /// The counts of so many CPUs over the whole run. The table ends with one such row for each set.
    Total(u32),
}

impl fmt::Display for CpustatRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, event) = match self.of {
            CpustatOf::Cpu(cpu) => (cpu, "tick"),
            CpustatOf::Total(cpus) => (cpus, "total"),
        };
        write!(f, "{} {number:>3} {event:>5}{}", time(self.reading.time), self.reading)?;
        write_set(f, self.set)
    }
}

/// Writes which of several sets a row is of.
fn write_set(f: &mut fmt::Formatter<'_>, set: Option<&str>) -> fmt::Result {
    set.map_or(Ok(()), |set| write!(f, "  # {set}"))
}

/// The title line of cputrack.
#[derive(Clone, Copy, Debug)]
pub struct CputrackTitle<'a> {
    /// Whether there is a column for the process.
    pub processes: Processes,
    /// The columns that follow the kind of row.
    pub columns: Columns<'a>,
}

/// Whether cputrack follows new processes (`-f`), so that each row names its process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Processes {
    /// There is one process, and no column for it.
    One,
    /// New processes are followed too.
    Followed,
}

impl fmt::Display for CputrackTitle<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>7}", "time")?;
        if self.processes == Processes::Followed {
            write!(f, " {:>6}", "pid")?;
        }
        write!(f, " {:>3} {:>10}{}", "lwp", "event", self.columns)
    }
}

/// The event that makes cputrack print a row of counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum LifeCycle {
    /// An interval has passed.
    Tick,
    /// The process has ended. There is one such row for each set.
    Exit,
    /// The process executes another program. The counts are those of the program before, in one row for each set;
    /// the [`CputrackNote`] with the new program's name follows.
    Exec,
    /// The thread was created.
    ThreadCreated,
    /// The thread has ended.
    ThreadEnded,
    /// A thread existed when the tracking began (`-v`).
    ThreadFound,
    /// A thread still existed when the tracking ended (`-v`).
    ThreadLeft,
}

impl LifeCycle {
    /// Returns the word for it in the table.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::Exit => "exit",
            Self::Exec => "exec",
            Self::ThreadCreated => "lwp_create",
            Self::ThreadEnded => "lwp_exit",
            Self::ThreadFound => "init_lwp",
            Self::ThreadLeft => "fini_lwp",
        }
    }
}

/// A row of cputrack with counts.
#[derive(Clone, Copy, Debug)]
pub struct CputrackRow<'a> {
    /// The process, if its column is wanted.
    pub process: Option<u32>,
    /// The thread.
    pub thread: u32,
    /// What has happened.
    pub event: LifeCycle,
    /// The time and the counts.
    pub reading: Reading<'a>,
    /// The set as it was requested, if several sets are rotated.
    pub set: Option<&'a str>,
}

impl fmt::Display for CputrackRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_beginning(f, self.reading.time, self.process, self.thread, self.event.word())?;
        self.reading.fmt(f)?;
        write_set(f, self.set)
    }
}

/// A row of cputrack without counts: the column of ticks and those of two counters are blank, however many there are.
#[derive(Clone, Copy, Debug)]
pub struct CputrackNote<'a> {
    /// The nanoseconds since the run began.
    pub time: u64,
    /// The process, if its column is wanted.
    pub process: Option<u32>,
    /// The thread. cputrack writes 1 if another program is executed.
    pub thread: u32,
    /// What has happened.
    pub event: Noted<'a>,
    /// The columns of the title.
    pub columns: Columns<'a>,
}

/// The event that makes cputrack print a row without counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Noted<'a> {
    /// The process executes this program now, with these arguments.
    Exec(&'a str),
    /// The process has created this process.
    Fork(u32),
}

impl fmt::Display for CputrackNote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.event {
            Noted::Exec(_) => "exec",
            Noted::Fork(_) => "fork",
        };
        write_beginning(f, self.time, self.process, self.thread, word)?;
        let blank = if self.columns.tick.is_some() { 3 } else { 2 };
        (0..blank).try_for_each(|_| write!(f, " {:>9}", ""))?;
        match self.event {
            Noted::Exec(program) => write!(f, " # '{program}'"),
            Noted::Fork(process) => write!(f, " # {process}"),
        }
    }
}

/// Writes the columns of a row of cputrack that come before the counts.
fn write_beginning(
    f: &mut fmt::Formatter<'_>,
    nanoseconds: u64,
    process: Option<u32>,
    thread: u32,
    word: &str,
) -> fmt::Result {
    write!(f, "{}", time(nanoseconds))?;
    process.map_or(Ok(()), |process| write!(f, " {process:>6}"))?;
    write!(f, " {thread:>3} {word:>10}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAIR: Columns = Columns { tick: None, counters: &[0, 1] };

    fn reading(time: u64, counts: &[u64]) -> Reading<'_> {
        Reading { time, tick: None, counts }
    }

    #[test]
    fn cpustats_table_is_that_of_its_manual() {
        let row = |of, time, counts| CpustatRow { of, reading: reading(time, counts), set: None };
        let table = format!(
            "{}\n{}\n{}\n",
            CpustatTitle(PAIR),
            row(CpustatOf::Cpu(0), 1_008_000_000, &[69284, 1647]),
            row(CpustatOf::Total(2), 3_008_400_000, &[651_077, 18204]),
        );
        let wanted = "   time cpu event      pic0      pic1
  1.008   0  tick     69284      1647
  3.008   2 total    651077     18204
";
        assert_eq!(table, wanted);
    }

    #[test]
    fn sets_that_take_turns_are_named_behind_their_rows() {
        let (reading, set) = (reading(0, &[5]), Some("pic0=EC_ref"));
        let row = CpustatRow { of: CpustatOf::Cpu(3), reading, set };
        assert_eq!(row.to_string(), "  0.000   3  tick         5  # pic0=EC_ref");
        let row = CputrackRow { process: None, thread: 3, event: LifeCycle::Exit, reading, set };
        assert_eq!(row.to_string(), "  0.000   3       exit         5  # pic0=EC_ref");
    }

    #[test]
    fn cputracks_table_is_that_of_its_example() {
        let title = CputrackTitle { processes: Processes::One, columns: Columns { tick: Some("tsc"), counters: &[0] } };
        let reading = Reading { time: 1_041_000_000, tick: Some(791_649_113), counts: &[75_695_259] };
        let row = CputrackRow { process: None, thread: 1, event: LifeCycle::Tick, reading, set: None };
        let wanted = "   time lwp      event       tsc      pic0\n  1.041   1       tick 791649113  75695259";
        assert_eq!(format!("{title}\n{row}"), wanted);
    }

    /// cputrack(1), example 2, with its times aligned as illumos' source aligns them.
    #[test]
    fn what_processes_do_is_told_as_in_the_manual() {
        let title = CputrackTitle { processes: Processes::Followed, columns: PAIR };
        let row = |process, event, time, counts| {
            let reading = reading(time, counts);
            CputrackRow { process: Some(process), thread: 1, event, reading, set: None }
        };
        let note =
            |process, event, time| CputrackNote { time, process: Some(process), thread: 1, event, columns: PAIR };
        let table = [
            title.to_string(),
            row(101_142, LifeCycle::ThreadFound, 7_000_000, &[805_286, 20_023]).to_string(),
            note(101_142, Noted::Fork(101_143), 23_000_000).to_string(),
            row(101_143, LifeCycle::Exec, 29_000_000, &[1_025_546, 25_074]).to_string(),
            note(101_143, Noted::Exec("/usr/bin/expr"), 29_000_000).to_string(),
        ];
        let wanted = "   time    pid lwp      event      pic0      pic1
  0.007 101142   1   init_lwp    805286     20023
  0.023 101142   1       fork                     # 101143
  0.029 101143   1       exec   1025546     25074
  0.029 101143   1       exec                     # '/usr/bin/expr'";
        assert_eq!(table.join("\n"), wanted);
    }

    #[test]
    fn a_row_without_counts_leaves_the_column_of_ticks_blank_too() {
        let columns = Columns { tick: Some("tsc"), counters: &[0] };
        let note = CputrackNote { time: 0, process: None, thread: 1, event: Noted::Fork(7), columns };
        assert_eq!(note.to_string(), format!("  0.000   1       fork{} # 7", " ".repeat(30)));
    }

    #[test]
    fn every_kind_of_row_has_its_word() {
        let words = [
            LifeCycle::Exit,
            LifeCycle::Exec,
            LifeCycle::ThreadCreated,
            LifeCycle::ThreadEnded,
            LifeCycle::ThreadFound,
            LifeCycle::ThreadLeft,
        ]
        .map(|event| event.word());
        assert_eq!(words, ["exit", "exec", "lwp_create", "lwp_exit", "init_lwp", "fini_lwp"]);
    }

    #[test]
    fn a_counter_of_two_digits_keeps_its_column() {
        assert_eq!(Columns { tick: None, counters: &[9, 17] }.to_string(), "      pic9     pic17");
    }
}
