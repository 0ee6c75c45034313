//! Lines for scripts: a word that names the kind of line, then `name=value` fields separated by spaces.
//!
//! ```text
//! sample address=0xffff800000001088 counter=2 session=9 mode=kernel thread=7
//! lost ring-full=3 outrun=0 stopped=1 throttled=0
//! count event=INST_RETIRED:ANY_P raw=80000 enabled=5000 running=5000
//! ```
//! A line has no other spaces and no other `=`: in a value, these, `%` and everything but printable
//! ASCII are written as `%` and two hexadecimal digits for each byte, as in a URL. Addresses are hexadecimal
//! with `0x`, other numbers decimal. Names are never changed or removed; new ones are added at the end of a
//! line. [`guide::scripts`](crate::guide::scripts) lists all lines with their names.

use core::fmt::{self, Display, Write};

use crate::measure::Counts;
use crate::result::profile::{Call, Hits};
use crate::sample::chain::{Chain, ChainStatistics};
use crate::sample::{Lost, Sample, SampleStatistics};
use crate::stats::Series;
use crate::unit::Spurious;

use super::ProfileRow;

/// A type that can be written as a line.
pub trait Record {
    /// The first word of the line.
    const KIND: &'static str;

    /// Writes the fields.
    ///
    /// # Errors
    /// Those of the line: the text could not be written.
    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result;
}

/// Prints a [`Record`] as a line, without the line's end: a word, then fields `name=value`, each after a
/// space.
///
/// [`guide::scripts`](crate::guide::scripts) says which lines there are, and what a script can rely on.
///
/// ```
/// use pmu::samples::Lost;
/// use pmu::output::report::Plain;
///
/// assert_eq!(Plain(Lost::default()).to_string(), "lost ring-full=0 outrun=0 stopped=0 throttled=0");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Plain<T>(pub T);

impl<T: Record> Display for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::KIND)?;
        self.0.write(&mut PlainLine { f })
    }
}

/// A line that is being written.
pub struct PlainLine<'l, 'f> {
    f: &'l mut fmt::Formatter<'f>,
}

impl fmt::Debug for PlainLine<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PlainLine").finish_non_exhaustive()
    }
}

impl PlainLine<'_, '_> {
    /// Writes ` name=value`. The value is escaped, the name is not.
    ///
    /// # Errors
    /// The text could not be written.
    pub fn field(&mut self, name: &str, value: impl Display) -> fmt::Result {
        write!(self.f, " {name}=")?;
        write!(Escaped { f: self.f }, "{value}")
    }

    /// Writes ` name=address`, in hexadecimal.
    ///
    /// # Errors
    /// The text could not be written.
    pub fn address(&mut self, name: &str, address: u64) -> fmt::Result {
        self.field(name, format_args!("{address:#x}"))
    }
}

/// Escapes everything that could be mistaken for the end of a value.
struct Escaped<'l, 'f> {
    f: &'l mut fmt::Formatter<'f>,
}

impl Write for Escaped<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        text.bytes().try_for_each(|byte| match byte {
            b'=' | b'%' => write!(self.f, "%{byte:02X}"),
            _ if byte.is_ascii_graphic() => self.f.write_char(byte.into()),
            _ => write!(self.f, "%{byte:02X}"),
        })
    }
}

impl Record for Sample {
    const KIND: &'static str = "sample";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.address("address", self.address)?;
        line.field("counter", self.counter)?;
        line.field("session", self.session)?;
        line.field("mode", self.mode)?;
        line.field("thread", self.thread)
    }
}

/// A sample with its chain. `callers` are addresses separated by commas, the innermost first; `end` is
/// `outermost`, `cut`, or the reason why the walk was aborted. A sample whose chain was lost has neither.
impl<const DEPTH: usize> Record for (Sample, Option<Chain<DEPTH>>) {
    const KIND: &'static str = Sample::KIND;

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        let (sample, chain) = self;
        sample.write(line)?;
        let Some(chain) = chain else { return Ok(()) };
        line.field("callers", Addresses(chain.callers()))?;
        line.field("end", chain.end())
    }
}

/// Addresses separated by commas.
struct Addresses<'a>(&'a [u64]);

impl Display for Addresses<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().enumerate().try_for_each(|(number, address)| {
            let comma = if number == 0 { "" } else { "," };
            write!(f, "{comma}{address:#x}")
        })
    }
}

impl Record for ChainStatistics {
    const KIND: &'static str = "chains";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.field("kept", self.kept)?;
        line.field("waiting", self.waiting)?;
        line.field("cut", self.cut)?;
        line.field("aborted", self.aborted)?;
        line.field("ring-full", self.ring_full)
    }
}

impl Record for Lost {
    const KIND: &'static str = "lost";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.field("ring-full", self.ring_full)?;
        line.field("outrun", self.outrun)?;
        line.field("stopped", self.stopped)?;
        line.field("throttled", self.throttled)
    }
}

impl Record for SampleStatistics {
    const KIND: &'static str = "samples";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.field("received", self.received)?;
        line.field("waiting", self.waiting)?;
        self.lost.write(line)
    }
}

impl Record for Spurious {
    const KIND: &'static str = "spurious";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.field("late", self.late)?;
        line.field("foreign", self.foreign)
    }
}

/// A place of a profile.
impl Record for Hits {
    const KIND: &'static str = "hits";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.address("address", self.place.address)?;
        line.field("samples", self.samples)?;
        line.field("image", self.place.image)
    }
}

/// A function and its caller. `caller` and `caller-image` are written only if it is known.
impl Record for Call {
    const KIND: &'static str = "call";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.address("function", self.function.address)?;
        line.field("samples", self.samples)?;
        if let Some(caller) = self.caller {
            line.address("caller", caller.address)?;
            line.field("caller-image", caller.image)?;
        }
        line.field("image", self.function.image)
    }
}

/// A row of a profile. `symbol` and `start` are written only if they are known.
impl Record for ProfileRow<'_> {
    const KIND: &'static str = "profile";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.address("address", self.place.address)?;
        line.field("samples", self.samples)?;
        if let Some(symbol) = self.symbol {
            line.field("symbol", symbol.name)?;
            line.address("start", symbol.start)?;
        }
        line.field("image", self.place.image)
    }
}

/// The count of one event, with its times and its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NamedCount<'a> {
    /// The event's name.
    pub event: &'a str,
    /// The events, as they were counted.
    pub raw: u64,
    /// The ticks during which the event was enabled.
    pub enabled: u64,
    /// The ticks during which it was counted.
    pub running: u64,
}

impl<'a> NamedCount<'a> {
    /// Returns the counts of a session, each with the name of its request.
    #[must_use]
    pub fn each<const N: usize>(events: [&'a str; N], counts: &Counts<N>) -> [Self; N] {
        let mut raw = counts.raw.into_iter();
        let (enabled, running) = (counts.enabled, counts.running);
        events.map(|event| Self { event, raw: raw.next().unwrap_or_default(), enabled, running })
    }
}

impl Record for NamedCount<'_> {
    const KIND: &'static str = "count";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        line.field("event", self.event)?;
        line.field("raw", self.raw)?;
        line.field("enabled", self.enabled)?;
        line.field("running", self.running)
    }
}

/// The statistics of a quantity, with its name. Values that do not exist, like the mean of nothing, are left
/// out.
#[derive(Clone, Copy, Debug)]
pub struct NamedSeries<'a> {
    /// What was measured.
    pub of: &'a str,
    /// Its statistics.
    pub series: &'a Series,
}

impl Record for NamedSeries<'_> {
    const KIND: &'static str = "statistics";

    fn write(&self, line: &mut PlainLine<'_, '_>) -> fmt::Result {
        let series = self.series;
        line.field("of", self.of)?;
        line.field("count", series.count())?;
        line.field("sum", series.sum())?;
        optional(line, "min", series.min())?;
        optional(line, "max", series.max())?;
        optional(line, "mean", series.mean())?;
        optional(line, "variance", series.variance())
    }
}

fn optional(line: &mut PlainLine<'_, '_>, name: &str, value: Option<impl Display>) -> fmt::Result {
    value.map_or(Ok(()), |value| line.field(name, value))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::event::Mode;
    use crate::measure::Timer;
    use crate::result::profile::{ImageId, Place, Symbol};
    use crate::sample::Interrupted;
    use crate::sample::chain::{Broken, Chains};

    #[test]
    fn counts_have_a_line_for_each_event() {
        let counts = Counts { raw: [7, 8], enabled: 100, running: 50 };
        let lines = NamedCount::each(["CPU_CLK", "INST:ANY"], &counts).map(|count| Plain(count).to_string());
        let wanted =
            ["count event=CPU_CLK raw=7 enabled=100 running=50", "count event=INST:ANY raw=8 enabled=100 running=50"];
        assert_eq!(lines, wanted);
    }

    #[test]
    fn a_name_cannot_end_its_value() {
        let row =
            ProfileRow { place: 16.into(), samples: 2, symbol: Some(Symbol { name: "a b=c%\n\u{e9}", start: 0 }) };
        let line = Plain(row).to_string();
        assert_eq!(line, "profile address=0x10 samples=2 symbol=a%20b%3Dc%25%0A%C3%A9 start=0x0 image=0");
    }

    #[test]
    fn what_is_not_known_is_not_written() {
        let row = ProfileRow { place: 16.into(), samples: 2, symbol: None };
        assert_eq!(Plain(row).to_string(), "profile address=0x10 samples=2 image=0");
        let series = Plain(NamedSeries { of: "cycles", series: &Series::new() }).to_string();
        assert_eq!(series, "statistics of=cycles count=0 sum=0");
    }

    #[test]
    fn statistics_are_written_with_six_digits() {
        let mut series = Series::new();
        [1, 2].into_iter().for_each(|value| series.add(value));
        let line = Plain(NamedSeries { of: "cycles", series: &series }).to_string();
        assert!(line.starts_with("statistics of=cycles count=2 sum=3 min=1 max=2 mean=1.500000 variance="), "{line}");
    }

    #[test]
    fn every_cause_of_a_loss_and_of_a_spurious_interrupt_has_its_name() {
        let lost = Plain(Lost { ring_full: 1, outrun: 2, stopped: 3, throttled: 4 }).to_string();
        assert_eq!(lost, "lost ring-full=1 outrun=2 stopped=3 throttled=4");
        assert_eq!(Plain(Spurious { late: 5, foreign: 6 }).to_string(), "spurious late=5 foreign=6");
    }

    #[test]
    fn a_sample_is_written_with_its_callers_and_where_they_end() {
        let (timer, chains) = (Timer::<4>::new(), Chains::<2, 2>::new());
        let tick = |callers: &[u64]| {
            timer.tick_chained(Interrupted::new(0x40, Mode::User).in_thread(3), &chains, |chain| {
                let _ = callers.iter().all(|&caller| chain.push(caller));
                Err(Broken::Unreadable)
            });
        };
        [&[][..], &[16, 17, 18], &[]].into_iter().for_each(tick);
        let lines: Vec<_> = chains.pair(timer.samples().unwrap()).unwrap().map(|it| Plain(it).to_string()).collect();
        let sample = "sample address=0x40 counter=0 session=0 mode=user thread=3";
        let ends = [" callers= end=unreadable", " callers=0x10,0x11 end=cut", ""];
        assert_eq!(lines, ends.map(|end| format!("{sample}{end}")));
        let statistics = "chains kept=2 waiting=0 cut=1 aborted=1 ring-full=1";
        assert_eq!(Plain(chains.statistics()).to_string(), statistics);
    }

    #[test]
    fn a_call_whose_caller_is_not_known_has_none() {
        let call = |caller| Plain(Call { function: 16.into(), caller, samples: 2 }).to_string();
        let caller = Place { image: ImageId(3), address: 32 };
        assert_eq!(call(Some(caller)), "call function=0x10 samples=2 caller=0x20 caller-image=3 image=0");
        assert_eq!(call(None), "call function=0x10 samples=2 image=0");
    }

    proptest! {
        #[test]
        fn a_line_is_read_back_by_splitting_it(name in any::<String>(), address in any::<u64>(), samples in any::<u64>()) {
            let row = ProfileRow { place: address.into(), samples, symbol: Some(Symbol { name: &name, start: address }) };
            let line = Plain(row).to_string();
            let fields: Vec<_> = line.split(' ').skip(1).map(|field| field.split_once('=').unwrap()).collect();
            let names: Vec<_> = fields.iter().map(|field| field.0).collect();
            prop_assert_eq!(names, ["address", "samples", "symbol", "start", "image"]);
            prop_assert!(fields.iter().all(|field| field.1.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'=')));
            prop_assert_eq!(unescaped(fields[2].1), name.into_bytes());
        }
    }

    fn unescaped(value: &str) -> Vec<u8> {
        let mut parts = value.split('%');
        let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
        for part in parts {
            bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
            bytes.extend_from_slice(&part.as_bytes()[2..]);
        }
        bytes
    }
}
