//! What runs below a guest in user state: one virtual processor, one unit in software, one test after the other.
//!
//! From the bottom up: [`processor`] has the guest's registers; [`machine`] is the loop of entry and exit, and its answers,
//! with [`instruction`], [`stepped`] and [`interrupts`] beside it; [`unit`] is what the machine asks of a family's device.

mod instruction;
mod interrupts;
mod machine;
mod outcome;
mod processor;
mod stepped;
mod unit;

use harness::{Report, Verdict};
use pmu::arch::sparc::{niagara, ultrasparc};
use pmu::virt::Kinds;

use crate::identity::{Identity, Processor};
use crate::platform::{Console, exit, println};
use crate::{fresh, tests};
use machine::Machine;
use outcome::Outcome;
use unit::{Unit, Wire};

/// What a machine is for, whatever its unit.
enum Task<'o> {
    /// Run the tests whose names contain this.
    Tests(&'o str, &'o mut Report<Console>),
    /// Run one guest that speaks for itself.
    Guest(fn(), &'o mut Verdict),
}

impl Task<'_> {
    /// What the host steps its guest for. A demo or a bench of a hundred million instructions would take minutes.
    const fn stepped(&self) -> Kinds {
        if matches!(self, Self::Tests(..)) { stepped::KINDS } else { Kinds::NONE }
    }
}

/// Runs every test whose name contains this.
pub fn run_tests(identity: &'static Identity, filter: &str, report: &mut Report<Console>) {
    with_unit(identity, Task::Tests(filter, report));
}

/// Runs one guest that speaks for itself.
pub fn run_guest(identity: &'static Identity, body: fn()) -> Verdict {
    let mut verdict = Verdict::Failed;
    with_unit(identity, Task::Guest(body, &mut verdict));
    verdict
}

fn with_unit(identity: &'static Identity, task: Task) {
    let (wire, observed) = (Wire::default(), Kinds::CLOCK.or(task.stepped()));
    match &identity.processor {
        Processor::UltraSparc(processor) => {
            host(ultrasparc::Device::new(processor, observed, &wire), &wire, identity, task);
        }
        Processor::Niagara(processor) => {
            host(niagara::Device::new(processor, observed, &wire), &wire, identity, task);
        }
    }
}

fn host<U: Unit>(unit: U, wire: &Wire, identity: &'static Identity, task: Task) {
    let mut machine = Machine::new(unit, wire, identity, task.stepped());
    match task {
        Task::Tests(filter, report) => {
            for test in tests::named(filter, report) {
                fresh::restore();
                let outcome = ended(machine.run(test.body));
                report.ended(test.name, test.meets(test.group.end(), outcome));
            }
        }
        Task::Guest(body, verdict) => match machine.run(body) {
            Outcome::Passed => *verdict = Verdict::Passed,
            outcome => println!("kernel: FAILED: {outcome}"),
        },
    }
}

fn ended(outcome: Outcome) -> Result<(), Outcome> {
    match outcome {
        Outcome::Passed => Ok(()),
        grief => Err(grief),
    }
}

/// A trap that the kernel itself has met.
pub extern "C" fn fault(trap: u64, address: u64, state: u64) -> ! {
    crate::world::end_guest();
    println!("kernel: trap {trap:#x} at {address:#x}, state {state:#x}");
    exit(Verdict::Failed)
}
