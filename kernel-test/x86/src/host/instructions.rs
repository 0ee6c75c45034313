//! The guest's instructions that the host carries out: `cpuid`, `rdmsr`, `wrmsr`, `rdpmc`.
//!
//! Each retires before it takes effect: a write that starts a counter is not counted by it, and
//! one that stops it is. One that faults does not retire.

use metal::vmcb::Event;
use pmu::arch::x86::Msr;
use pmu::arch::x86::amd::ibs;
use pmu::virt::Fault;

use super::apic::{self, Refused};
use super::machine::Machine;
use super::unit::Unit;
use crate::trap;
use harness::Disguise;

/// IA32_DEBUGCTL (SDM vol. 4, table "IA-32 Architectural MSRs"), as far as the unit minds it.
const DEBUG_CONTROL: u32 = 0x1d9;

/// Its bits that are the recorder's of branches: LBR and FREEZE_LBRS_ON_PMI.
const BRANCHES: u64 = 1 << 0 | 1 << 11;

/// IA32_MISC_ENABLE (the same table), as far as the drivers of a Pentium 4 and of precise sampling ask for it.
const MISC_ENABLE: u32 = 0x1a0;

/// All four are two bytes long.
const LENGTH: u64 = 2;

/// The guest gets a general protection fault.
struct Faults;

impl<U: Unit> Machine<'_, U> {
    /// `cpuid`
    pub(super) fn identify(&mut self) {
        let (leaf, subleaf) = (self.processor.rax() as u32, self.processor.ecx());
        self.retire(1);
        self.processor.set_identification(self.identity.cpuid(leaf, subleaf, self.disguise));
        self.processor.skip(LENGTH);
    }

    /// `rdpmc`
    pub(super) fn read_counter(&mut self) {
        if let Some(value) = self.read_precise_counter(self.processor.ecx()) {
            return self.finish_read(value.map_err(Faults::from));
        }
        let index = U::index(self.processor.ecx()).filter(|_| self.disguise != Disguise::Hidden);
        let value = index.ok_or(Faults).and_then(|index| Ok(self.retire_with(|unit| unit.try_read_counter(index))?));
        self.finish_read(value);
    }

    /// `rdmsr` or `wrmsr`
    pub(super) fn access_register(&mut self) {
        let (register, value) = (self.processor.ecx(), self.processor.wide());
        match self.processor.exit_information() {
            0 => {
                let read = self.read_register(register);
                self.finish_read(read);
            }
            _ => {
                let written = self.write_register(register, value);
                self.finish(written);
            }
        }
    }

    fn read_register(&mut self, register: u32) -> Result<u64, Faults> {
        if let Some(value) = self.read_precise(register) {
            return Ok(value?);
        }
        if let Some(at) = self.sampling_register(register)? {
            return Ok(self.read_sampling(at)?);
        }
        if is_apics(register) {
            let value = self.apic.read(register)?;
            self.retire(1);
            return Ok(value);
        }
        if register == DEBUG_CONTROL {
            return self.read_debug_control();
        }
        if let Some(value) = self.identity.misc_enable(self.disguise).filter(|_| register == MISC_ENABLE) {
            self.retire(1);
            return Ok(value);
        }
        let at = self.unit_register(register)?;
        let Some((recorder, own)) = self.recorder.zip(Msr::from_address(register)) else {
            return Ok(self.retire_with(|unit| unit.try_read(at))?);
        };
        let mut is_units = false;
        let value = recorder.try_read_with(own, || {
            is_units = true;
            self.retire_with(|unit| unit.try_read(at))
        })?;
        self.retire(u64::from(!is_units));
        Ok(value)
    }

    fn read_debug_control(&mut self) -> Result<u64, Faults> {
        let Some(recorder) = self.recorder else { return Ok(self.retire_with(U::debug_control)?) };
        // AMD's unit has nothing to do with it.
        let others = self.retire_with(|unit| unit.debug_control().or(Ok::<_, Fault>(0)))?;
        Ok(others | recorder.debug_control())
    }

    fn write_debug_control(&mut self, value: u64) -> Result<(), Faults> {
        let Some(recorder) = self.recorder else { return Ok(self.retire_with(|unit| unit.set_debug_control(value))?) };
        let others = value & !BRANCHES;
        self.retire_with(|unit| {
            if others == 0 && unit.debug_control().is_err() { Ok(()) } else { unit.set_debug_control(others) }
        })?;
        recorder.set_debug_control(value);
        self.foresee_overflow();
        Ok(())
    }

    fn write_register(&mut self, register: u32, value: u64) -> Result<(), Faults> {
        if let Some(written) = self.write_precise(register, value) {
            return Ok(written?);
        }
        if let Some(at) = self.sampling_register(register)? {
            return Ok(self.write_sampling(at, value)?);
        }
        if is_apics(register) {
            self.apic.write(register, value)?;
            self.retire(1);
            return Ok(());
        }
        if register == DEBUG_CONTROL {
            return self.write_debug_control(value);
        }
        let at = self.unit_register(register)?;
        match self.disguise {
            Disguise::SwallowsWrites => self.retire(1),
            Disguise::None | Disguise::Silent | Disguise::Hidden | Disguise::Stranger => {
                self.write_unit(register, at, value)?;
                self.foresee_overflow();
            }
        }
        Ok(())
    }

    /// Is it one of the sampling's, or the entry of a sampling that is not there?
    fn sampling_register(&self, register: u32) -> Result<Option<ibs::Register>, Faults> {
        let is_there = self.sampling.is_some() && self.disguise != Disguise::Hidden;
        match ibs::Register::from_address(register) {
            None if register == apic::X2APIC_SAMPLING && !is_there => Err(Faults),
            Some(_) if !is_there => Err(Faults),
            at => Ok(at),
        }
    }

    fn write_unit(&mut self, register: u32, at: U::Address, value: u64) -> Result<(), Fault> {
        let Some((recorder, own)) = self.recorder.zip(Msr::from_address(register)) else {
            return self.retire_with(|unit| unit.try_write(at, value));
        };
        let mut is_units = false;
        recorder.try_write_with(own, value, |value| {
            is_units = true;
            self.retire_with(|unit| unit.try_write(at, value))
        })?;
        self.retire(u64::from(!is_units));
        Ok(())
    }

    fn unit_register(&self, register: u32) -> Result<U::Address, Faults> {
        U::address(register).filter(|_| self.disguise != Disguise::Hidden).ok_or(Faults)
    }

    fn finish_read(&mut self, value: Result<u64, Faults>) {
        let done = value.map(|value| self.processor.set_wide(value));
        self.finish(done);
    }

    fn finish(&mut self, done: Result<(), Faults>) {
        match done {
            Ok(()) => self.processor.skip(LENGTH),
            Err(Faults) => self.processor.inject(Event::exception(trap::GENERAL_PROTECTION as u8, 0)),
        }
    }
}

fn is_apics(register: u32) -> bool {
    register == apic::BASE || apic::X2APIC.contains(&register)
}

impl From<Refused> for Faults {
    fn from(Refused: Refused) -> Self {
        Self
    }
}

impl From<Fault> for Faults {
    fn from(_: Fault) -> Self {
        Self
    }
}
