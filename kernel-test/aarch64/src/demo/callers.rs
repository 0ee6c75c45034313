//! Who called the function that is hot? A program whose functions keep frame records is sampled, and each sample
//! comes with its callers: as the crate's own table, or as a stream for Linux' `perf report`.

use core::fmt;

use harness::{Console, println};
use pmu::output::profile::Calls;
use pmu::output::report::CallReport;
use pmu::output::{perf_data::HexLines, perf_data::PerfData};
use pmu::samples::chain::Chains;
use pmu::{Event, Interrupted, Request};

use crate::boot;
use crate::gic;
use crate::guest::unit::{self, Unit};
use crate::guest::{callers, enter_interrupts_at};

/// A prime, so that samples do not keep step with the loop; the least that the kernel bears is 2,000 cycles.
const PERIOD: u64 = 2003;
/// The deepest that the program goes, and more.
const DEPTH: usize = 8;
const ROOM: usize = 512;

static UNIT: Unit<ROOM> = unit::new();
static CHAINS: Chains<DEPTH, ROOM> = Chains::new();

pmu::irq_entry!(Irq, framed: |at, frame_pointer| gic::service(|| note(at, frame_pointer)));

/// Prints the functions, and beneath each who called it.
pub fn run() {
    println!("callers: a sample each {PERIOD} cycles, and who called");
    sample();
    let (mut calls, symbols) = (Calls::<16>::new(), callers::symbols());
    let samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
    samples.for_each(|(sample, chain)| calls.sample(&sample, chain.as_ref(), &symbols[..]));
    println!("{}", CallReport::new(&calls, &symbols[..]));
    println!("chains: {}", CHAINS.statistics());
}

/// Writes the stream, in lines of hexadecimal digits, for `perf report`.
pub fn stream() {
    sample();
    write().expect("a console takes everything");
}

/// The cycle counter interrupts in time, and a cycle is an instruction.
fn sample() {
    enter_interrupts_at!(Irq);
    let pmu = unit::claim(&UNIT);
    let mut session = pmu.open([Request::new(Event::CYCLES).every(PERIOD)]).expect("every unit counts cycles");
    session.start().expect("it is stopped");
    callers::run();
    session.stop().expect("it runs");
}

fn write() -> fmt::Result {
    let mut stream = PerfData::begin_chained(HexLines::new(Console), "cycles", PERIOD)?;
    stream.kernel(boot::code())?;
    stream.name(0, 0, "callers")?;
    let mut samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
    samples.try_for_each(|(sample, chain)| stream.chained(0, &sample, chain.as_ref()))?;
    stream.finish()?.finish()
}

fn note(at: Interrupted, frame_pointer: u64) {
    let _ = UNIT.on_overflow_chained(at, &CHAINS, |chain| callers::walk(frame_pointer, chain));
}
