//! What runs below a guest at PLV3: [`harness::host`]'s loop, with this virtual processor.
//!
//! From the bottom up: [`clock`] counts instructions by time; [`processor`] has the guest's registers, lets it execute so many
//! instructions, and carries out those that trap.

mod clock;
mod processor;

use harness::host::{self, Machine, Task, Wire};
use harness::{Verdict, println, world};
use pmu::arch::loongarch::la64::Device;
use pmu::virt::Kinds;

use crate::board::exit;
use crate::low::low;
use crate::{identity, tests};
use processor::{Costs, Processor};

/// Runs the tests, or one guest. The clock shows instructions, and what happens once with each.
pub fn run(task: Task<'_>) -> Verdict {
    let wire = Wire::default();
    let unit = Device::new(identity::presented(), Kinds::CLOCK, &wire);
    let machine = Machine::new(Processor::new(Costs::calibrate()), unit, &wire);
    host::run(&mut [machine], task, tests::all())
}

/// An exception that the host itself has met.
#[unsafe(no_mangle)]
extern "C" fn host_fault() -> ! {
    // SAFETY: the entry has filled the frame, and nothing else runs any more.
    let frame = unsafe { (*low()).frame };
    world::end_guest();
    println!("kernel: exception {:#x} at {:#x}, status {:#x}", frame.exception(), frame.address, frame.status);
    exit(Verdict::Failed)
}
