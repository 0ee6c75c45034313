//! What runs below a guest in user mode: [`harness::host`]'s loop, with this virtual processor.
//!
//! There every instruction traps that reaches a control and status register. So the guest is a kernel in machine mode or in
//! supervisor mode, as its processor has it, whose driver's real instructions the crate's own [`pmu::virt::Device`] answers.
//! It has four harts, each with a unit of its own. They take turns on the one of QEMU's that the host runs on, since QEMU's
//! counters, the host's clock among them, count the instructions of all of its harts together.
//!
//! From the bottom up: [`world`] is the way in and out, [`processor`] has the guest's registers, [`instructions`] carries out
//! those that trap.

mod instructions;
mod processor;
mod world;

use core::array;

use harness::host::{self, Machine, Task, Wire};
use harness::{Verdict, statics};
use pmu::arch::riscv::hpm::{Device, Identity};
use pmu::virt::Kinds;

use crate::boot::HARTS;
use crate::{identity, tests};
use processor::Processor;

/// Runs the tests, or one guest, above this unit.
pub fn run(presented: &Identity, task: Task<'_>) -> Verdict {
    identity::begin_host();
    statics::remember();
    world::open();
    let wires = [(); HARTS].map(|()| Wire::default());
    let mut harts = array::from_fn::<_, HARTS, _>(|hart| {
        let wire = &wires[hart];
        Machine::new(Processor::new(hart), Device::new(presented, Kinds::CLOCK, wire), wire)
    });
    host::run(&mut harts, task, tests::all())
}
