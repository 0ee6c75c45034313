//! What several tests write into the unit: the first counter, counting instructions.
//!
//! Intel SDM volume 3, "Architectural Performance Monitoring": the same in every version. AMD APM
//! volume 2, "Performance Monitoring Counters".

use pmu::arch::x86::Msr;

use crate::guest::msr::{self, Faulted};
use crate::guest::position::{self, Write};
use crate::identity::{self, Processor};

/// Instructions retired in any ring: event C0H, USR, OS, EN, at either vendor.
pub const COUNTING: u64 = 0x43_00c0;
/// The same, and interrupt on overflow (INT).
pub const SAMPLING: u64 = 0x53_00c0;
/// Nothing.
pub const STOPPED: u64 = 0;

/// The counter's selector: IA32_PERFEVTSEL0, PerfEvtSel0, PERF_CTL0 or CESR.
pub fn select() -> u32 {
    match &identity::presented().processor {
        Processor::Amd(identity) => Msr::core_select(identity.capabilities().block, 0).map_or(0, Msr::address),
        Processor::P5(_) => Msr::CESR.address(),
        _ => 0x186,
    }
}

/// The counter: IA32_PMC0, PerfCtr0, PERF_CTR0 or CTR0.
pub fn counter() -> u32 {
    match &identity::presented().processor {
        Processor::Amd(identity) => Msr::core_counter(identity.capabilities().block, 0).map_or(0, Msr::address),
        Processor::P5(_) => Msr::p5_counter(0).map_or(0, Msr::address),
        _ => 0xc1,
    }
}

/// Writes the selector.
pub fn set(program: u64) -> Result<(), Faulted> {
    msr::write(select(), program)
}

/// Goes round the loop so many times, with the selector as `program` says.
pub fn run(program: u64, rounds: u64) {
    let select = |value| Write { register: select(), value };
    position::run(select(program), rounds, select(STOPPED));
}

/// Makes the counter start at `value`.
pub fn preset(value: u64) {
    msr::write(counter(), value).expect("every unit has a first counter");
}

/// Makes the counter overflow on the event with this number, from 1.
pub fn overflow_after(events: u64) {
    preset(events.wrapping_neg());
}

/// Stops the counter.
pub fn stop() {
    set(STOPPED).expect("every unit has a first counter");
}
