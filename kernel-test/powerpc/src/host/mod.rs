//! What runs below a guest in problem state: one virtual processor, one unit in software, one test
//! after the other.
//!
//! [`harness::host`] has the loop of entry and exit. From the bottom up: [`unit`] is the one thing that a family of processors
//! brings along; [`processor`] has the guest's registers, and carries out the instructions that trap or are better not stepped
//! to. The guest is problem state, stepped from instruction to instruction: a dozen instructions behind the trace vector count
//! down, and leave it where the host wants to be. So every count is exact, on any of QEMU's clocks; and privileged
//! instructions leave it by themselves.

#[cfg(target_pointer_width = "64")]
mod book3s;
#[cfg(target_pointer_width = "32")]
mod classic;
#[cfg(target_pointer_width = "32")]
mod embedded;
mod processor;
mod unit;

use core::slice;

use harness::host::{Machine, Wire, conclude, run_on};
use harness::{Report, Verdict, statics};
use pmu::virt::Kinds;

use crate::identity::Identity;
use crate::low::Frame;
use crate::masking::{self, Masking};
use crate::platform::{Console, exit, println};
use crate::tests;
use processor::Processor;
use unit::Unit;

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
    host(Device::new(&identity.processor, Kinds::CLOCK, wire), wire, task);
}

#[cfg(target_pointer_width = "32")]
fn with_device(wire: &Wire, identity: &'static Identity, task: Task) {
    use pmu::arch::powerpc::{classic, embedded};

    use crate::identity::Processor;
    match &identity.processor {
        Processor::Classic(processor) => {
            host(classic::Device::new(processor, Kinds::CLOCK, wire), wire, task);
        }
        Processor::Embedded(processor) => {
            host(embedded::Device::new(processor, Kinds::CLOCK, wire), wire, task);
        }
    }
}

fn host<U: Unit>(unit: U, wire: &Wire, task: Task) {
    let mut machine = Machine::new(Processor::default(), unit, wire);
    match task {
        Task::Tests(filter, report) => {
            run_masking(&mut machine, Masking::Hard, "", filter, report);
            run_masking(&mut machine, Masking::Lazy, ", amid operations", filter, report);
        }
        Task::Guest(body, verdict) => *verdict = conclude(run_on(slice::from_mut(&mut machine), body)),
    }
}

fn run_masking<U: Unit>(
    machine: &mut Machine<'_, Processor, U>,
    masking: Masking,
    suffix: &str,
    filter: &str,
    report: &mut Report<Console>,
) {
    for test in tests::of_host(filter, masking) {
        statics::restore();
        masking::set(masking);
        quiet_decrementer();
        let outcome = run_on(slice::from_mut(machine), test.body);
        report.ended(format_args!("{}{suffix}", test.name), test.meets(outcome));
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
