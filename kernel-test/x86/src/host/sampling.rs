//! The guest's instruction-based sampling, if the presented processor has it: each instruction is one op and one fetch, and
//! takes one cycle.
//!
//! The guest runs freely up to the instruction that is tagged, and is then let go on by one, which the host has looked at. The
//! sampling is the same on whichever of its CPUs the guest goes on.

use pmu::arch::x86::amd::ibs::{Capabilities, Device, Register};
use pmu::precise::{Operation, Record};
use pmu::virt::{Fault, Unconnected};

use super::machine::Machine;
use super::observer::Seen;
use super::unit::{Unit, Wire};
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

    /// These have retired, and the next one is at `behind`.
    fn pass(&self, instructions: u64, behind: u64) {
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
    fn check(&self, at: Register, value: Option<u64>) -> Result<(), Fault> {
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

impl<U: Unit> Machine<'_, U> {
    /// How many instructions the guest may retire before the host wants to see it, or something.
    pub(super) fn quantum(&self) -> u64 {
        let until = self.sampling.as_ref().and_then(Sampling::until);
        until.map_or(u64::MAX, |until| until.max(1)).min(self.ledger.quantum())
    }

    /// Is the next instruction tagged?
    pub(super) fn is_tagged(&self) -> bool {
        self.sampling.as_ref().is_some_and(Sampling::is_due)
    }

    /// Looks at the next instruction, if it is tagged.
    pub(super) fn look_if_tagged(&mut self) {
        if let Some(sampling) = self.sampling.as_mut().filter(|sampling| sampling.is_due()) {
            let seen = self.observer.look(&self.processor);
            sampling.next = Next { address: self.processor.instruction(), seen };
        }
    }

    /// These instructions have retired.
    pub(super) fn sample(&mut self, instructions: u64) {
        let Some(sampling) = &self.sampling else { return };
        if instructions > 0 {
            sampling.pass(instructions, self.processor.instruction());
        }
        let pulls = sampling.device.trigger().take();
        if pulls > 0 {
            self.ledger.overflowed = self.ledger.clock;
            let delivery = self.apic.deliver_sampling();
            self.pull(delivery, pulls);
        }
        self.look_if_tagged();
    }

    /// `rdmsr` of one of its registers.
    pub(super) fn read_sampling(&mut self, at: Register) -> Result<u64, Fault> {
        self.sampling.as_ref().ok_or(Fault::Absent)?.check(at, None)?;
        self.retire(1);
        self.sampling.as_ref().ok_or(Fault::Absent)?.device.try_read(at)
    }

    /// `wrmsr` to one of its registers.
    pub(super) fn write_sampling(&mut self, at: Register, value: u64) -> Result<(), Fault> {
        self.sampling.as_ref().ok_or(Fault::Absent)?.check(at, Some(value))?;
        self.retire(1);
        self.sampling.as_ref().ok_or(Fault::Absent)?.device.try_write(at, value)
    }
}
