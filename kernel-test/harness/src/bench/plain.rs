//! What do statistics cost a value, and a stream in hexadecimal lines a byte?

use core::fmt;
use core::hint::black_box;

use pmu::output::{perf_data::HexLines, perf_data::Sink};
use pmu::stats::Series;

use super::{Bench, Reached, figure};

/// Prints the figures.
pub(super) fn measure<B: Bench>() {
    let mut series = [3, 1 << 40].into_iter().collect();
    figure::<B>("stats.accumulate", accumulation::<B>(&mut series, black_box(1 << 35)), Reached::Inline);
    figure::<B>("perf_data.hexadecimal.byte", hexadecimal::<B>(black_box(&[0x5A; 8])), Reached::Called);
}

/// Nothing of the series is known here but its address.
#[inline(never)]
fn accumulation<B: Bench>(series: &mut Series, value: u64) -> u64 {
    let (cost, ()) = B::time(|| series.add(value));
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
fn hexadecimal<B: Bench>(word: &[u8; 8]) -> u64 {
    const WORDS: u64 = 64;
    let mut lines = HexLines::new(Nowhere);
    let (cost, written) = B::time(|| (0..WORDS).try_for_each(|_| lines.write(word)));
    written.expect("a console takes everything");
    cost / (8 * WORDS)
}
