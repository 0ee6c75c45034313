//! How a unit is taken over, and given back as it was.

use super::before::Before;
use super::driver::Pmuv3;
use super::facts::Level;
use super::registers::{Control, HypervisorControl};
use crate::arch::aarch64::{Index, SystemRegister};
use crate::contract::Registers;
use crate::event::CounterSet;

impl<R> Pmuv3<R>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    /// Halts the driver's counters, reads them, and leaves no overflow behind; then lets the unit
    /// count what is enabled.
    pub(super) fn take(&self, before: &Before) {
        before.enabled.set(self.registers.read(SystemRegister::ENABLE_SET) & self.own.bits());
        self.clear(SystemRegister::ENABLE_CLEAR, self.own);
        before.interrupting.set(self.registers.read(SystemRegister::INTERRUPT_SET) & self.own.bits());
        self.clear(SystemRegister::INTERRUPT_CLEAR, self.own);
        before.overflowed.set(self.registers.read(SystemRegister::OVERFLOW_SET) & self.own.bits());
        self.clear(SystemRegister::OVERFLOW_CLEAR, self.own);
        for (counter, (value, select)) in self.own.into_iter().zip(&before.counters) {
            value.set(self.registers.read(SystemRegister::any_counter(counter)));
            select.set(self.registers.read(SystemRegister::any_select(counter)));
        }
        self.take_hypervisor_control(before);
        self.take_control(before);
    }

    /// PMCR_EL0, and with it who else may use the unit: nobody. Both are unknown after a reset.
    fn take_control(&self, before: &Before) {
        let Some(control) = self.share.control(&self.facts) else { return };
        before.user_enable.set(self.registers.read(SystemRegister::USER_ENABLE));
        self.registers.write(SystemRegister::USER_ENABLE, 0);
        if self.facts.has_user_access() {
            before.user_access.set(self.registers.read(SystemRegister::USER_ACCESS));
        }
        before.control.set(self.registers.read(SystemRegister::CONTROL));
        self.registers.write(SystemRegister::CONTROL, control.bits());
    }

    fn take_hypervisor_control(&self, before: &Before) {
        if self.facts.level == Level::Two {
            let was = HypervisorControl::from_bits_retain(self.registers.read(SystemRegister::HYPERVISOR_CONTROL));
            before.hypervisor.set(was.bits());
            let control = self.share.hypervisor_control(&self.facts, was);
            self.registers.write(SystemRegister::HYPERVISOR_CONTROL, control.bits());
        }
    }

    /// Puts a state back: nothing counts before everything is in place.
    pub(super) fn put_back(&self, before: &Before) {
        self.clear(SystemRegister::ENABLE_CLEAR, self.own);
        self.clear(SystemRegister::INTERRUPT_CLEAR, self.own);
        self.clear(SystemRegister::OVERFLOW_CLEAR, self.own);
        for (counter, (value, select)) in self.own.into_iter().zip(&before.counters) {
            self.registers.write(SystemRegister::any_counter(counter), value.get());
            self.registers.write(SystemRegister::any_select(counter), select.get());
        }
        if self.share.is_whole() {
            self.put_control_back(before);
        }
        if self.facts.level == Level::Two {
            self.registers.write(SystemRegister::HYPERVISOR_CONTROL, before.hypervisor.get());
        }
        self.registers.write(SystemRegister::OVERFLOW_SET, before.overflowed.get());
        self.registers.write(SystemRegister::INTERRUPT_SET, before.interrupting.get());
        self.registers.write(SystemRegister::ENABLE_SET, before.enabled.get());
    }

    fn put_control_back(&self, before: &Before) {
        let control = Control::from_bits_truncate(before.control.get()) - Control::READ_ONLY;
        self.registers.write(SystemRegister::CONTROL, control.bits());
        if self.facts.has_user_access() {
            self.registers.write(SystemRegister::USER_ACCESS, before.user_access.get());
        }
        self.registers.write(SystemRegister::USER_ENABLE, before.user_enable.get());
    }

    /// Of the registers that clear what is written as 1.
    fn clear(&self, at: SystemRegister, counters: CounterSet) {
        self.registers.write(at, counters.bits());
    }
}
