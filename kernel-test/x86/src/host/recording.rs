//! How the guest is let run while its counters are sampled precisely, and its accesses to the registers.
//!
//! From the guest's first write to IA32_DS_AREA on, a unit of its own that has the sampling answers for the unit's registers. Each
//! instruction is looked at while a counter is sampled.

use pmu::virt::{Fault, Work};

use super::apic::Masking;
use super::machine::Machine;
use super::precise::Precise;
use super::unit::Unit;

impl<U: Unit> Machine<'_, U> {
    /// Is a counter sampled precisely?
    pub(super) fn is_precise(&self) -> bool {
        self.precise.as_ref().is_some_and(|precise| precise.samples(self.mode))
    }

    /// Looks at the next instruction.
    pub(super) fn look_precisely(&mut self) {
        let mode = self.mode;
        if let Some(precise) = self.precise.as_mut().filter(|precise| precise.samples(mode)) {
            let seen = self.observer.look(&self.processor);
            precise.next_is(self.processor.instruction(), seen);
        }
    }

    /// These instructions have retired.
    pub(super) fn sample_precisely(&mut self, instructions: u64) {
        let is_observed = instructions == 1 && self.is_observed();
        let work = if is_observed { self.observed } else { Work::instructions(self.mode, instructions) };
        let Some(precise) = self.precise.as_ref().filter(|precise| precise.is_on()) else { return };
        let pulls = precise.pass(&work, is_observed, self.processor.instruction());
        if pulls > 0 {
            self.ledger.overflowed = self.ledger.clock;
            let delivery = self.apic.deliver(Masking::of(&self.identity.processor));
            self.pull(delivery, pulls);
        }
    }

    /// `rdmsr`, if the register is the sampling's.
    pub(super) fn read_precise(&mut self, register: u32) -> Option<Result<u64, Fault>> {
        self.precise_access(|precise| precise.read(register))
    }

    /// `rdpmc`, if the sampling answers for the unit.
    pub(super) fn read_precise_counter(&mut self, ecx: u32) -> Option<Result<u64, Fault>> {
        self.precise_access(|precise| precise.read_counter(ecx))
    }

    fn precise_access(
        &mut self,
        access: impl Fn(&Precise) -> Option<Result<u64, Fault>>,
    ) -> Option<Result<u64, Fault>> {
        let found = access(self.precise.as_ref()?)?;
        if found.is_err() {
            return Some(found);
        }
        self.retire(1);
        access(self.precise.as_ref()?)
    }

    /// `wrmsr`, if the register is the sampling's.
    pub(super) fn write_precise(&mut self, register: u32, value: u64) -> Option<Result<(), Fault>> {
        let checked = self.precise.as_ref()?.check(register, value)?;
        if checked.is_err() {
            return Some(checked);
        }
        self.retire(1);
        let written = self.precise.as_mut()?.write(register, value);
        self.choose_engine();
        Some(written)
    }
}
