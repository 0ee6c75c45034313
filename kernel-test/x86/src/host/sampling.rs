//! The guest's instruction-based sampling, if the presented processor has it: each instruction is one op and one fetch, and
//! takes one cycle.

use pmu::arch::x86::amd::ibs::{Capabilities, Device, Register};
use pmu::precise::{Operation, Record};
use pmu::virt::{Fault, Unconnected};

use super::observer::Seen;
use super::unit::Wire;
use crate::identity::Processor;

/// The sampling.
pub struct Sampling {
    capabilities: Capabilities,
    device: Device<Wire>,
    /// The next instruction, if it is tagged.
    next: Next,
}

#[derive(Clone, Copy, Default)]
struct Next {
    address: u64,
    seen: Seen,
}

impl Sampling {
    /// Returns the sampling of this processor after a reset, if it has it.
    pub fn of(processor: &Processor) -> Option<Self> {
        let Processor::Amd(identity) = processor else { return None };
        let capabilities = Capabilities::discover(identity).ok()?;
        Some(Self { capabilities, device: Device::new(capabilities, Wire::default()), next: Next::default() })
    }

    /// How many instructions may retire before the one that is tagged, if one will be.
    pub fn until(&self) -> Option<u64> {
        [self.device.until_tagged(), self.device.until_fetch()].into_iter().flatten().min()
    }

    /// Is the next instruction tagged?
    pub fn is_due(&self) -> bool {
        self.until() == Some(0)
    }

    /// The next instruction is at this address.
    pub fn next_is(&mut self, address: u64, seen: Seen) {
        self.next = Next { address, seen };
    }

    pub fn device(&self) -> &Device<Wire> {
        &self.device
    }

    /// These have retired, and the next one is at `behind`.
    pub fn pass(&self, instructions: u64, behind: u64) {
        match (instructions, self.device.until_tagged()) {
            (1, Some(0)) => self.device.retire(&self.next.op(behind)),
            _ => self.device.advance(instructions, instructions),
        }
        match (instructions, self.device.until_fetch()) {
            (1, Some(0)) => self.device.fetch(&self.next.fetch()),
            _ => self.device.advance_fetches(instructions),
        }
    }

    /// Would a device without any history take this access?
    pub fn check(&self, at: Register, value: Option<u64>) -> Result<(), Fault> {
        let fresh = Device::new(self.capabilities, Unconnected);
        value.map_or_else(|| fresh.try_read(at).map(|_| ()), |value| fresh.try_write(at, value))
    }
}

impl Next {
    fn op(&self, behind: u64) -> Record {
        self.seen.record(self.address, behind)
    }

    fn fetch(&self) -> Record {
        let mut fetch = Record::new(self.address);
        fetch.operation = Some(Operation::Fetch);
        fetch
    }
}
