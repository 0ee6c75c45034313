//! The demo on QEMU's own unit, at EL1; and [`callers`], who called what is hot.
//!
//! What interrupts there when it overflows is the cycle counter; the overflow of another is noticed when something else
//! happens (`tests/clocked.rs` says why).

mod callers;

use harness::Verdict;
use harness::demo::{Demo, SAMPLES, Source, program};
use pmu::CounterId;
use pmu::request::Generic;

use crate::guest::enter_interrupts_at;
use crate::guest::unit::{Driver, detect};
use crate::{gic, host, identity};

static UNIT: pmu::Unit<Driver, SAMPLES> = pmu::Unit::new();

pmu::irq_entry!(Irq, |at| gic::service(|| _ = UNIT.on_overflow(at)));

/// Runs what is asked for by the word behind `show=`; every show is one here.
pub fn show(name: &str) -> Verdict {
    match name {
        "" => host::run_kernel(run),
        "callers" | "every" => host::run_kernel(callers::run),
        "perf" => host::run_kernel(callers::stream),
        _ => crate::refuse(format_args!("show={name} is unknown here; there are callers and perf")),
    }
}

fn run() {
    enter_interrupts_at!(Irq);
    let driver = detect().expect("every processor that is emulated has a unit");
    let pmu = UNIT.claim(driver).expect("nobody else claims it");
    let mut demo = Demo {
        processor: identity::present().map_or("unknown", |identity| identity.name),
        unit: &UNIT,
        pmu: &pmu,
        program: &program::LONG,
        source,
        sampled: Generic::Cycles,
        event_of,
    };
    demo.run();
    pmu.release().expect("no session is open any more");
}

/// QEMU counts instructions, and a cycle for each.
fn source(event: Generic, _: CounterId) -> Source {
    match event {
        Generic::Instructions => Source::Observed,
        Generic::Cycles => Source::Virtual,
        _ => Source::Unobserved,
    }
}

/// The cycle counter alone interrupts in time.
fn event_of(counter: CounterId) -> Option<Generic> {
    (counter.number() == 31).then_some(Generic::Cycles)
}
