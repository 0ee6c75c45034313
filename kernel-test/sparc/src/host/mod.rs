//! What runs below a guest in user state: [`harness::host`]'s loop, with this virtual processor.
//!
//! From the bottom up: [`registers`] are the guest's own; [`processor`] has those that it cannot have, lets it execute so many
//! instructions, and carries out those that trap; [`stepped`] tells what was executed, and [`cache`] what it found in the
//! caches; [`unit`] is what is asked of a family's device.

mod cache;
mod processor;
mod registers;
mod stepped;
mod unit;

use harness::host::{self, Machine, Task, Wire};
use harness::{Verdict, println, world};
use pmu::arch::sparc::{niagara, ultrasparc};
use pmu::virt::Kinds;

use crate::identity::{self, Processor as Presented};
use crate::platform::exit;
use crate::tests;
use processor::Processor;
use unit::Unit;

/// What the host sees of its guest by single steps, while a counter wants it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    /// Nothing: a demo or a bench of a hundred million instructions would take minutes.
    Nothing,
    /// References to the external cache, for short experiments.
    Cache,
    /// All that there is to be seen, for the tests.
    All,
}

/// Runs the tests, or one guest.
pub fn run(task: Task<'_>, seen: Seen) -> Verdict {
    let stepped = if seen == Seen::All { stepped::KINDS } else { Kinds::NONE };
    let cache = if seen == Seen::Nothing { Kinds::NONE } else { cache::KINDS };
    let wire = Wire::latched();
    match &identity::presented().processor {
        Presented::UltraSparc(identity) => {
            let stepped = stepped.or(cache);
            let unit = ultrasparc::Device::new(identity, Kinds::CLOCK.or(stepped), &wire);
            run_on(unit, &wire, Processor::new(stepped), task)
        }
        Presented::Niagara(identity) => {
            let unit = niagara::Device::new(identity, Kinds::CLOCK.or(stepped), &wire);
            run_on(unit, &wire, Processor::new(stepped), task)
        }
    }
}

fn run_on<U: Unit>(unit: U, wire: &Wire, processor: Processor, task: Task<'_>) -> Verdict {
    host::run(&mut [Machine::new(processor, unit, wire)], task, tests::all())
}

/// A trap that the host itself has met.
#[unsafe(no_mangle)]
extern "C" fn host_fault(trap: u64, address: u64, state: u64) -> ! {
    world::end_guest();
    println!("kernel: trap {trap:#x} at {address:#x}, state {state:#x}");
    exit(Verdict::Failed)
}
