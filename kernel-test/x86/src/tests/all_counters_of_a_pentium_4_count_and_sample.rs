//! All 18 counters of a Pentium 4 count and sample, each by itself and all at once, in the view of the unit that has them
//! all: those of the bus and the caches, of the trace cache, of execution and of retirement.

use core::array;

use harness::Guest;
use pmu::arch::x86::access::{Cpuid, Hardware};
use pmu::arch::x86::netburst::{Netburst, View};
use pmu::arch::x86::{Apic, Lvtpc, Msr};
use pmu::{CounterId, Interrupted, Pmu};

use super::clocked;
use crate::guest::instructions::exactly;
use crate::guest::unit::{self, Line};
use crate::guest::{Here, enter_nmi_at};

type Driver = Netburst<Hardware<harness::place::OneCpu>, Line>;

/// More than what an interrupt of all counters at once has of its own.
const PERIOD: u64 = 20_000;
const PERIODS: u64 = 10;
const ALL: usize = Msr::CCCRS as usize;

static UNIT: pmu::Unit<Driver, 256> = pmu::Unit::new();

pmu::nmi_entry!(Nmi, on_nmi);

fn on_nmi(at: Interrupted) {
    let _ = UNIT.on_overflow(at);
}

pub fn test() {
    enter_nmi_at(Nmi::address());
    let line = Apic::xapic(unit::line(), Lvtpc::NMI);
    let driver = Netburst::detect_as(&Cpuid, unit::hardware(), line, View::All, None).expect("the unit is there");
    let pmu = UNIT.claim(driver).expect("nobody has it");
    let counters = pmu.description().general;
    assert_eq!(counters.len() as usize, ALL);
    counters.into_iter().for_each(|counter| sample(&pmu, [counter]));
    let mut each = counters.into_iter();
    sample::<ALL>(&pmu, array::from_fn(|_| each.next().expect("there are as many")));
    assert_eq!(UNIT.spurious().foreign, 0, "every interrupt was the unit's");
}

/// Each counter has counted what the host has booked for it, read while it counts and afterwards, and each of its periods is
/// accounted for.
fn sample<const N: usize>(pmu: &Pmu<'static, Driver>, counters: [CounterId; N]) {
    let before = accounted();
    let requests = counters.map(|counter| clocked::request(counter).every(PERIOD));
    let mut session = pmu.open(requests).expect("they can be together");
    let zero = counters.map(Here::counted);
    session.start().expect("it is stopped");
    exactly(PERIODS * PERIOD);
    let low = counters.map(Here::counted);
    let read = session.read().expect("this is its CPU");
    let high = counters.map(Here::counted);
    for at in 0..N {
        assert!((low[at] - zero[at]..=high[at] - zero[at]).contains(&read[at]), "{}", counters[at]);
    }
    session.stop().expect("it runs");
    let counts = session.read().expect("this is its CPU");
    assert_eq!(counts, array::from_fn(|at| Here::counted(counters[at]) - zero[at]));
    let periods: u64 = counts.iter().map(|count| count / PERIOD).sum();
    assert!(counts.iter().all(|count| count / PERIOD >= PERIODS), "{counts:?}");
    assert_eq!(accounted() - before, periods);
}

/// Samples, and overflows that left none.
fn accounted() -> u64 {
    let mut samples = UNIT.samples().expect("nobody else reads");
    samples.by_ref().for_each(drop);
    samples.received() + samples.lost().total()
}
