//! What runs below a guest in user state: [`harness::host`]'s loop, with this virtual processor.
//!
//! From the bottom up: [`registers`] are the guest's own; [`processor`] has those that it cannot have, lets it execute so many
//! instructions, and carries out those that trap; [`stepped`] tells what was executed; [`unit`] is what is asked of a family's
//! device.

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

/// Runs the tests, or one guest. A demo or a bench of a hundred million instructions is not stepped: it would take minutes.
pub fn run(task: Task<'_>) -> Verdict {
    let stepped = if matches!(task, Task::Tests(_)) { stepped::KINDS } else { Kinds::NONE };
    let (observed, wire) = (Kinds::CLOCK.or(stepped), Wire::latched());
    match &identity::presented().processor {
        Presented::UltraSparc(identity) => {
            run_on(ultrasparc::Device::new(identity, observed, &wire), &wire, Processor::new(stepped), task)
        }
        Presented::Niagara(identity) => {
            run_on(niagara::Device::new(identity, observed, &wire), &wire, Processor::new(stepped), task)
        }
    }
}

fn run_on<U: Unit>(unit: U, wire: &Wire, processor: Processor, task: Task<'_>) -> Verdict {
    host::run(&mut [Machine::new(processor, unit, wire)], task, tests::ALL, tests::LEFT_OUT)
}

/// A trap that the host itself has met.
#[unsafe(no_mangle)]
extern "C" fn host_fault(trap: u64, address: u64, state: u64) -> ! {
    world::end_guest();
    println!("kernel: trap {trap:#x} at {address:#x}, state {state:#x}");
    exit(Verdict::Failed)
}
