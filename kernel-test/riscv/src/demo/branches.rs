//! Which way did the code come that is hot? Known code is sampled, and each sample comes with its branches, as a stream for
//! Linux' `perf script`.

use core::fmt;

use harness::{Console, Kernel};
use pmu::branches::{BranchFilter, BranchLists, Branches};
use pmu::output::{perf_data::HexLines, perf_data::PerfData};
use pmu::{Event, Modes, Request};

use super::UNIT;
use crate::guest::on_overflow;
use crate::tests::Here;
use crate::tests::records::{code, recorder};

/// Ten thousand instructions and some, so that samples do not keep step with the code's ten.
const PERIOD: u64 = 10_007;
/// A hundred samples.
const ROUNDS: usize = 100_000;

static LISTS: BranchLists<16, 128> = BranchLists::new();

/// Writes the stream, in lines of hexadecimal digits.
pub fn stream() {
    on_overflow(|at| _ = UNIT.on_overflow_with_branches(at, &recorder(), &LISTS));
    let pmu = UNIT.claim(Here::detect()).expect("nobody else claims it");
    let filter = BranchFilter::new(Modes::KERNEL).frozen_by_overflows();
    recorder().record(&filter).expect("overflows freeze the records");
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("the unit counts them");
    session.start().expect("it is stopped");
    code::row(ROUNDS);
    session.stop().expect("it runs");
    recorder().halt();
    write().expect("a console takes everything");
}

fn write() -> fmt::Result {
    let mut stream = PerfData::begin_with_branches(HexLines::new(Console), "instructions", PERIOD)?;
    stream.kernel(0x8020_0000..0x8400_0000)?;
    stream.name(0, 0, "row")?;
    let samples = LISTS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
    for (sample, list) in samples.filter(|(sample, _)| code::is_in_row(sample.address)) {
        stream.branched(0, &sample, list.as_deref().unwrap_or_default())?;
    }
    stream.finish()?.finish()
}
