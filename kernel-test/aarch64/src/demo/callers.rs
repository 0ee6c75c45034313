//! Samples with their callers, as a stream for Linux' `perf report`: a program whose shares and callers
//! are known.

use core::fmt;

use pmu::chain::Chains;
use pmu::perf_data::{HexLines, PerfData};
use pmu::{Event, Request};

use crate::boot;
use crate::console::Console;
use crate::kernel::unit::{self, Unit};
use crate::kernel::{callers, on_interrupt};
use crate::trap::Frame;

/// A prime, so that samples do not keep step with the loop; the least that the kernel bears is 2,000 cycles.
const PERIOD: u64 = 2003;
/// Where perf looks for this kernel, within the directory that it is told of.
const IMAGE_PATH: &str = "/kernel-test";
const ROOM: usize = 512;

static UNIT: Unit<ROOM> = unit::new();
static CHAINS: Chains<8, ROOM> = Chains::new();

/// What the kernel runs. The cycle counter interrupts in time, and a cycle is an instruction.
pub fn run() {
    on_interrupt(note);
    let pmu = unit::claim(&UNIT);
    let mut session = pmu.open([Request::new(Event::CYCLES).every(PERIOD)]).expect("every unit counts cycles");
    session.start().expect("it is stopped");
    callers::run();
    session.stop().expect("it runs");
    write().expect("a console takes everything");
}

fn write() -> fmt::Result {
    let mut stream = PerfData::begin_chained(HexLines::new(Console), PERIOD)?;
    stream.image(&boot::image(IMAGE_PATH))?;
    stream.name(0, "callers")?;
    let mut samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
    samples.try_for_each(|(sample, chain)| stream.chained(&sample, chain.as_ref()))?;
    stream.finish()?.finish()
}

fn note(frame: &mut Frame) {
    let _ = UNIT.on_overflow_chained(unit::interrupted(frame), &CHAINS, |chain| callers::walk(frame, chain));
}
