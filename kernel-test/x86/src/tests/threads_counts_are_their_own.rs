//! Sixty-four threads, each with requests of its own, are switched at random instructions: what each
//! has counted is what its counters counted while it ran, and every turn adds its own instructions
//! and a switch's.

use core::array;

use harness::running;
use harness::threaded::{Cost, requests};
use pmu::Interrupted;

use super::amid::Here;
use super::clocked;
use super::threaded::{self, Kernel, Thread};
use crate::console::println;
use crate::guest::unit::{self, Unit};
use crate::guest::{enter_nmi_at, threads};

static UNIT: Unit<256> = Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = running::service(&UNIT, at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let pmu = unit::claim(&UNIT);
    let mut costs = [Cost::default(); threads::MOST];
    let mut inspect = |thread: &mut Thread| {
        assert_eq!(thread.counts(), thread.booked, "{:?} after {} turns", thread.context, thread.turns);
        costs[thread.number()].check(thread);
    };
    let counters = clocked::counters(&pmu.description());
    let thread = |number| Thread::new(&pmu, number, requests::<Here>(counters, number));
    let all: [_; threads::MOST] = array::from_fn(thread);
    let mut kernel = Kernel::new(&pmu, all, &mut inspect);
    let switches = threaded::switches(10_000, 100_000);
    kernel.run(switches);
    println!("{switches} switches, {} samples accounted for", unit::accounted(&UNIT));
    assert!(kernel.threads.iter().all(|thread| thread.turns > switches / 100), "every thread has run");
}
