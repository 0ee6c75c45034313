//! What do statistics cost a value, a stream in hexadecimal lines a byte, and a text of requests from its first letter
//! to its counters?

use core::fmt;
use core::hint::black_box;

use pmu::notation::{Processor, perfmon};
use pmu::perf_data::{HexLines, Sink};
use pmu::stats::Series;
use pmu::{Context, Set};

use super::stopwatch::time;
use super::{Driver, Pmu, Reached, print};
use crate::catalogue::ARCHITECTURAL;
use crate::console::println;

/// As perf's and libpfm's users write it.
const TEXT: &str = "INST_RETIRED:u:k,BR_INST_RETIRED:u,LLC_MISSES:c=2,UNHALTED_CORE_CYCLES:k";

/// Prints the figures.
pub fn measure(pmu: &Pmu) {
    print(
        "stats.accumulate",
        accumulation(&mut [3, 1 << 40].into_iter().collect(), black_box(1 << 35)),
        Reached::Inline,
    );
    print("perf_data.hexadecimal.byte", hexadecimal(black_box(&[0x5A; 8])), Reached::Called);
    if let Some(cost) = parsing(pmu) {
        print("x86.parse_place.4", cost, Reached::Called);
    }
}

/// Nothing of the series is known here but its address.
#[inline(never)]
fn accumulation(series: &mut Series, value: u64) -> u64 {
    let (cost, ()) = time(|| series.add(value));
    black_box(series);
    cost
}

/// A console that takes lines and drops them.
struct Nowhere;

impl fmt::Write for Nowhere {
    fn write_str(&mut self, line: &str) -> fmt::Result {
        black_box(line);
        Ok(())
    }
}

/// What a byte costs, on the average over lines that are written word by word, as the records of a stream are.
fn hexadecimal(word: &[u8; 8]) -> u64 {
    const WORDS: u64 = 64;
    let mut lines = HexLines::new(Nowhere);
    let (cost, written) = time(|| (0..WORDS).try_for_each(|_| lines.write(word)));
    written.expect("a console takes everything");
    cost / (8 * WORDS)
}

/// `None` if the unit has not four counters for them.
fn parsing(pmu: &Pmu) -> Option<u64> {
    let description = pmu.description();
    let processor = Processor { description: &description, catalogue: &ARCHITECTURAL };
    let (read, ask) = black_box((read as fn(&Processor, &str) -> Requests, ask as Ask));
    print("x86.parse.4", time(|| read(&processor, TEXT).len()).0, Reached::Called);
    let mut thread = Context::new(1);
    let (cost, asked) = time(|| ask(&mut thread, pmu, &processor, TEXT));
    match asked {
        Ok(()) => Some(cost),
        Err(error) => {
            println!("nothing is parsed and placed: {error}");
            None
        }
    }
}

type Requests = Set<4>;
type Ask = fn(&mut Context<Driver, 4>, &Pmu, &Processor, &str) -> pmu::Result<()>;

/// Reads the requests, encodes them and finds counters for them.
fn ask(thread: &mut Context<Driver, 4>, pmu: &Pmu, processor: &Processor, text: &str) -> pmu::Result<()> {
    thread.bind(pmu, read(processor, text))
}

fn read(processor: &Processor, text: &str) -> Requests {
    perfmon::parse(text, *processor).expect("the text is right")
}
