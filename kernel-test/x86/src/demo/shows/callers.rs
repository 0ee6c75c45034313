//! Who called the function that is hot? A program whose functions keep frame pointers is sampled, and
//! each sample comes with its callers: as the crate's own table, and in OProfile's layout.

use harness::println;
use pmu::output::{profile::CallGraph, profile::Calls};
use pmu::output::{report::CallGraphReport, report::CallReport};
use pmu::samples::chain::Chains;
use pmu::{Event, Interrupted, Pmu, Request};

use super::{title, with_pmu};
use crate::guest::unit::{Driver, Unit};
use crate::guest::{callers, enter_nmi_at};

/// A prime, so that samples do not keep step with the loop.
const PERIOD: u64 = 1009;
/// The deepest that the program goes, and more.
const DEPTH: usize = 8;
const ROOM: usize = 512;

static UNIT: Unit<ROOM> = Unit::new();
static CHAINS: Chains<DEPTH, ROOM> = Chains::new();

pmu::nmi_entry!(Nmi, framed: on_nmi);

/// Prints the functions, and beneath each who called it; then each between its callers and those that it called.
pub fn run() {
    title(format_args!("callers: a sample each {PERIOD} instructions, and who called"));
    with_pmu(&UNIT, |pmu| {
        sample(pmu);
        let (mut calls, mut graph, symbols) = (Calls::<16>::new(), CallGraph::<16>::new(), callers::symbols());
        let samples = CHAINS.pair(UNIT.samples().expect("nobody else reads")).expect("nobody else pairs");
        for (sample, chain) in samples {
            calls.sample(&sample, chain.as_ref(), &symbols[..]);
            graph.sample(&sample, chain.as_ref(), &symbols[..]);
        }
        println!("{}", CallReport::new(&calls, &symbols[..]));
        println!("{}", CallGraphReport::new(&graph, &symbols[..]));
        println!("chains: {}", CHAINS.statistics());
    });
}

fn sample(pmu: &Pmu<'static, Driver>) {
    enter_nmi_at(Nmi::address());
    let mut session = pmu.open([Request::new(Event::INSTRUCTIONS).every(PERIOD)]).expect("every unit counts them");
    session.start().expect("it is stopped");
    callers::run();
    session.stop().expect("it runs");
}

fn on_nmi(at: Interrupted, frame_pointer: u64) {
    let _ = UNIT.on_overflow_chained(at, &CHAINS, |chain| callers::walk(frame_pointer, chain));
}
