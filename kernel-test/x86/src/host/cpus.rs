//! The guest's CPUs, each with a unit and a local APIC's entry of its own.
//!
//! One of them runs at a time: QEMU's clock counts what all processors execute, and there is one processor beneath. What the
//! guest executes goes on on the CPU that it asks for. Of the others what their units hold is kept, as bytes.

use harness::place;
use pmu::CpuId;
use pmu::virt::Snapshot;

use super::apic::Apic;
use crate::guest::CPUS;

/// The CPUs, of which this is the one that runs.
#[derive(Default)]
pub struct Cpus {
    here: usize,
    /// What the others' units and entries hold; `None` if they have never run.
    parked: [Option<(Snapshot, u32)>; CPUS],
}

impl Cpus {
    /// Only the first CPU has run.
    pub fn begin(&mut self) {
        *self = Self::default();
        place::seem_to_be_on(None);
    }

    /// Leaves a CPU, whose unit and entry hold this, for another one. Returns what that one's hold; a unit that has
    /// never run is `fresh`.
    pub fn go_on_on(&mut self, cpu: usize, left: (Snapshot, u32), fresh: Snapshot) -> (Snapshot, u32) {
        self.parked[self.here] = Some(left);
        self.here = cpu % CPUS;
        place::seem_to_be_on(Some(CpuId(self.here as u32)));
        self.parked[self.here].take().unwrap_or((fresh, Apic::MASKED))
    }
}
