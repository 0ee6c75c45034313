//! What runs below a guest in problem state: one virtual processor, one unit in software, one test
//! after the other.
//!
//! From the bottom up: [`processor`] has the guest's registers; [`machine`] is the loop of entry and exit, and its
//! answers, with [`interrupts`], [`decrementer`] and [`instruction`] beside it; [`unit`] is the one thing that a family
//! of processors brings along.

#[cfg(target_pointer_width = "64")]
mod book3s;
#[cfg(target_pointer_width = "32")]
mod classic;
mod decrementer;
#[cfg(target_pointer_width = "32")]
mod embedded;
mod instruction;
mod interrupts;
mod machine;
mod outcome;
mod processor;
mod unit;

use harness::{Report, Verdict, statics};
use pmu::virt::Kinds;

use crate::identity::Identity;
use crate::low::Frame;
use crate::masking::{self, Masking};
use crate::platform::{Console, exit, println};
use crate::tests;
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

/// Runs every test of this world whose name contains this.
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
    prepare();
    let wire = Wire::default();
    with_device(&wire, identity, task);
}

#[cfg(target_pointer_width = "64")]
fn with_device(wire: &Wire, identity: &'static Identity, task: Task) {
    use pmu::arch::powerpc::book3s::Device;
    host(Device::new(&identity.processor, Kinds::CLOCK, wire), wire, identity, task);
}

#[cfg(target_pointer_width = "32")]
fn with_device(wire: &Wire, identity: &'static Identity, task: Task) {
    use pmu::arch::powerpc::{classic, embedded};

    use crate::identity::Processor;
    match &identity.processor {
        Processor::Classic(processor) => {
            host(classic::Device::new(processor, Kinds::CLOCK, wire), wire, identity, task);
        }
        Processor::Embedded(processor) => {
            host(embedded::Device::new(processor, Kinds::CLOCK, wire), wire, identity, task);
        }
    }
}

fn host<U: Unit>(unit: U, wire: &Wire, identity: &'static Identity, task: Task) {
    let mut machine = Machine::new(unit, wire, identity);
    match task {
        Task::Tests(filter, report) => {
            run_masking(&mut machine, Masking::Hard, "", filter, report);
            run_masking(&mut machine, Masking::Lazy, ", amid operations", filter, report);
        }
        Task::Guest(body, verdict) => match machine.run(body) {
            Outcome::Passed => *verdict = Verdict::Passed,
            outcome => println!("kernel: FAILED: {outcome}"),
        },
    }
}

fn run_masking<U: Unit>(
    machine: &mut Machine<U>,
    masking: Masking,
    suffix: &str,
    filter: &str,
    report: &mut Report<Console>,
) {
    for test in tests::of_host(filter, masking) {
        statics::restore();
        masking::set(masking);
        quiet_decrementer();
        let outcome = ended(machine.run(test.body));
        report.ended(format_args!("{}{suffix}", test.name), test.meets(test.group.end(), outcome));
    }
}

fn ended(outcome: Outcome) -> Result<(), Outcome> {
    match outcome {
        Outcome::Passed => Ok(()),
        failure => Err(failure),
    }
}

/// The processor's own decrementer is far away: some seconds into a boot one came amid a guest's threads, which took
/// it for the tick that they had ordered of the host.
fn quiet_decrementer() {
    use crate::processor::{Spr, write_spr};
    const NEVER: usize = 0x7fff_ffff;
    // SAFETY: the host has no use for it.
    unsafe { write_spr::<{ Spr::DECREMENTER }>(NEVER) };
}

/// Lets problem state run, and keeps QEMU's own unit from it: what it asks of that traps.
#[cfg(target_pointer_width = "64")]
fn prepare() {
    use crate::processor::{Spr, write_spr};
    /// MMCR0: FC, and PMCC, with which problem state reads and writes nothing.
    const FROZEN_AND_CLOSED: usize = 1 << 31 | 0b01 << 18;
    crate::platform::pseries::map(crate::low::end_of_image());
    // SAFETY: QEMU's processors on this board have the register, and the host has no use for the unit.
    unsafe { write_spr::<{ Spr::MONITOR_CONTROL }>(FROZEN_AND_CLOSED) };
}

/// Problem state runs without translation.
#[cfg(target_pointer_width = "32")]
fn prepare() {}

/// An exception that the kernel itself has met, natively or as host.
#[unsafe(no_mangle)]
extern "C" fn host_fault() -> ! {
    // SAFETY: the entry has filled the frame, and nothing else runs any more.
    let Frame { vector, address, state, .. } = unsafe { (*crate::low::low()).frame };
    crate::world::end_guest();
    println!("kernel: exception {vector:#x} at {address:#x}, machine state {state:#x}");
    exit(Verdict::Failed)
}
