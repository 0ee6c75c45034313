//! The demo: what a kernel does with the crate, from finding the unit to naming who is to blame.
//!
//! It speaks in lines that `cargo xtask demo` makes tables of; `xtask/src/demo/lines.rs` says how.

mod counter;
mod counting;
mod describing;
mod experiment;
pub mod ledger;
pub mod program;
mod sampling;

use crate::console::println;
use crate::guest::unit::{Driver, detect, this_cpu};

static UNIT: pmu::Unit<Driver, 8192> = pmu::Unit::new();

/// The unit, claimed.
type Pmu = pmu::Pmu<'static, Driver>;

pmu::nmi_entry!(Nmi, |at| _ = UNIT.on_overflow(at));

/// What the guest runs.
pub fn run() {
    with_unit(|pmu| {
        println!("workload {}", program::TITLE);
        counting::count(pmu);
        sampling::sample_one_event(pmu);
        sampling::sample_every_counter(pmu);
        experiment::run(pmu);
    });
}

/// What the guest runs to show the experiment alone.
pub fn run_experiment() {
    with_unit(experiment::run);
}

fn with_unit(show: fn(&Pmu)) {
    crate::guest::enter_nmi_at(Nmi::address());
    let driver = detect().expect("every processor that is presented has a unit");
    let pmu = UNIT.claim(driver, this_cpu).expect("nobody else claims it");
    describing::describe(&pmu);
    show(&pmu);
    pmu.release().expect("no session is open any more");
}
