//! The tables of cpustat and cputrack.
//!
//! Columns are as wide as theirs and stand one blank apart: a time of 7, a CPU or thread of 3, the
//! kind of row, ticks and counts of 9. Nothing stands behind the last column, as in their manuals'
//! examples (later versions of these commands leave a blank there and let the titles drift by one
//! column a counter; that is not imitated).

use core::fmt;

use crate::stats::Fixed;

/// What is known when a row is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reading<'a> {
    /// Nanoseconds since the run began.
    pub time: u64,
    /// The ticks, where their column is wanted.
    pub tick: Option<u64>,
    /// The counts, in the order of the counters.
    pub counts: &'a [u64],
}

impl fmt::Display for Reading<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tick.iter().chain(self.counts).try_for_each(|count| write!(f, " {count:>9}"))
    }
}

/// A time in seconds with three digits, seven columns wide.
fn time(nanoseconds: u64) -> impl fmt::Display {
    struct Seconds(Fixed);
    impl fmt::Display for Seconds {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{:>7.3}", self.0)
        }
    }
    Seconds(Fixed::ratio(nanoseconds.into(), 1_000_000_000).unwrap_or_default())
}

/// The titles of the columns that a run's rows have behind the kind of row.
#[derive(Clone, Copy, Debug)]
pub struct Columns<'a> {
    /// The name of the tick register, where its column is wanted: `tsc`, `%tick`.
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

/// cpustat's titles.
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
    /// Whose counts they are.
    pub of: CpustatOf,
    /// When, and what was counted.
    pub reading: Reading<'a>,
    /// The set as it was asked for, where several take turns.
    pub set: Option<&'a str>,
}

/// Whose counts a row of cpustat has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CpustatOf {
    /// This CPU's, since the row before.
    Cpu(u32),
    /// Those of so many CPUs, over the whole run: one such row a set ends the table.
    Total(u32),
}

impl fmt::Display for CpustatRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, event) = match self.of {
            CpustatOf::Cpu(cpu) => (cpu, "tick"),
            CpustatOf::Total(cpus) => (cpus, "total"),
        };
        write!(f, "{} {number:>3} {event:>5}{}", time(self.reading.time), self.reading)?;
        self.set.map_or(Ok(()), |set| write!(f, " # {set}"))
    }
}

/// cputrack's titles.
#[derive(Clone, Copy, Debug)]
pub struct CputrackTitle<'a> {
    /// Is there a column for the process?
    pub processes: Processes,
    /// The columns behind the kind of row.
    pub columns: Columns<'a>,
}

/// Does cputrack follow new processes (`-f`), so that rows name theirs?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Processes {
    /// One process, which needs no column.
    One,
    /// Those that it creates too.
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

/// What has happened when cputrack prints a row.
#[derive(Clone, Copy, Debug)]
pub enum LifeCycle<'a> {
    /// Time has passed.
    Tick,
    /// The process has ended.
    Exit,
    /// It runs this program now.
    Exec(&'a str),
    /// It has created this process.
    Fork(u32),
    /// The thread was created.
    ThreadCreated,
    /// The thread has ended.
    ThreadEnded,
    /// A thread was found when the tracking began (`-v`).
    ThreadFound,
    /// A thread was left when the tracking ended (`-v`).
    ThreadLeft,
}

impl LifeCycle<'_> {
    /// The word for it in the table.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Tick => "tick",
            Self::Exit => "exit",
            Self::Exec(_) => "exec",
            Self::Fork(_) => "fork",
            Self::ThreadCreated => "lwp_create",
            Self::ThreadEnded => "lwp_exit",
            Self::ThreadFound => "init_lwp",
            Self::ThreadLeft => "fini_lwp",
        }
    }
}

/// A row of cputrack.
#[derive(Clone, Copy, Debug)]
pub struct CputrackRow<'a> {
    /// The process, where its column is wanted.
    pub process: Option<u32>,
    /// The thread.
    pub thread: u32,
    /// What has happened.
    pub event: LifeCycle<'a>,
    /// When, and what was counted.
    pub reading: Reading<'a>,
}

impl fmt::Display for CputrackRow<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        time(self.reading.time).fmt(f)?;
        self.process.map_or(Ok(()), |process| write!(f, " {process:>6}"))?;
        write!(f, " {:>3} {:>10}{}", self.thread, self.event.word(), self.reading)?;
        match self.event {
            LifeCycle::Exec(program) => write!(f, " # '{program}'"),
            LifeCycle::Fork(process) => write!(f, " # {process}"),
            _ => Ok(()),
        }
    }
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
        let row = CpustatRow { of: CpustatOf::Cpu(3), reading: reading(0, &[5]), set: Some("pic0=EC_ref") };
        assert_eq!(row.to_string(), "  0.000   3  tick         5 # pic0=EC_ref");
    }

    #[test]
    fn cputracks_table_is_that_of_its_example() {
        let title = CputrackTitle { processes: Processes::One, columns: Columns { tick: Some("tsc"), counters: &[0] } };
        let reading = Reading { time: 1_041_000_000, tick: Some(791_649_113), counts: &[75_695_259] };
        let row = CputrackRow { process: None, thread: 1, event: LifeCycle::Tick, reading };
        let wanted = "   time lwp      event       tsc      pic0\n  1.041   1       tick 791649113  75695259";
        assert_eq!(format!("{title}\n{row}"), wanted);
    }

    #[test]
    fn followed_processes_have_their_column_and_their_notes() {
        let title = CputrackTitle { processes: Processes::Followed, columns: PAIR };
        assert_eq!(title.to_string(), "   time    pid lwp      event      pic0      pic1");
        let row = |event| CputrackRow { process: Some(101), thread: 1, event, reading: reading(20_000_000, &[7, 8]) };
        let exec = row(LifeCycle::Exec("sh")).to_string();
        assert_eq!(exec, "  0.020    101   1       exec         7         8 # 'sh'");
        let fork = row(LifeCycle::Fork(102)).to_string();
        assert_eq!(fork, "  0.020    101   1       fork         7         8 # 102");
    }

    #[test]
    fn every_kind_of_row_has_its_word() {
        let words = [
            LifeCycle::Exit,
            LifeCycle::ThreadCreated,
            LifeCycle::ThreadEnded,
            LifeCycle::ThreadFound,
            LifeCycle::ThreadLeft,
        ]
        .map(|event| event.word());
        assert_eq!(words, ["exit", "lwp_create", "lwp_exit", "init_lwp", "fini_lwp"]);
    }

    #[test]
    fn a_counter_of_two_digits_keeps_its_column() {
        assert_eq!(Columns { tick: None, counters: &[9, 17] }.to_string(), "      pic9     pic17");
    }
}
