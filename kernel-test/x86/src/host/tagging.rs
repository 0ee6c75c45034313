//! How the guest is let run while its instructions are sampled, and its accesses to the sampling's registers.
//!
//! The guest runs freely up to the instruction that is tagged, and is then let go on by one, which the host has looked at. The
//! sampling is the same on whichever of its CPUs the guest goes on.

use pmu::arch::x86::amd::ibs::Register;
use pmu::virt::Fault;

use super::machine::Machine;
use super::sampling::Sampling;
use super::unit::Unit;

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
            sampling.next_is(self.processor.instruction(), seen);
        }
    }

    /// These instructions have retired.
    pub(super) fn sample(&mut self, instructions: u64) {
        if instructions > 0 {
            self.sample_precisely(instructions);
        }
        let Some(sampling) = &self.sampling else { return };
        if instructions > 0 {
            sampling.pass(instructions, self.processor.instruction());
        }
        let pulls = sampling.device().trigger().take();
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
        self.sampling.as_ref().ok_or(Fault::Absent)?.device().try_read(at)
    }

    /// `wrmsr` to one of its registers.
    pub(super) fn write_sampling(&mut self, at: Register, value: u64) -> Result<(), Fault> {
        self.sampling.as_ref().ok_or(Fault::Absent)?.check(at, Some(value))?;
        self.retire(1);
        self.sampling.as_ref().ok_or(Fault::Absent)?.device().try_write(at, value)
    }
}
