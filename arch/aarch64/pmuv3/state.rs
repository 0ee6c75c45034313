//! Saves the unit's state when it is claimed, sets it up again after a sleep, and restores the state.
//!
//! Every counter of the driver may interrupt from the start, except for the lower halves of pairs. One that is not
//! loaded does not run and cannot overflow.

use super::capabilities::Privilege;
use super::driver::Pmuv3;
use super::program::Image;
use super::registers::{HypervisorControl, Pmcr};
use super::saved::Saved;
use crate::arch::aarch64::{SystemRegister, SystemRegisters};

impl<R: SystemRegisters> Pmuv3<R> {
    /// Halts the driver's counters, and saves them and their control registers. Leaves no overflow pending.
    pub(super) fn save_state(&self, into: &Saved) {
        let of_own = |at| self.registers.read(at) & self.own.bits();
        into.enabled.set(of_own(SystemRegister::ENABLE_SET));
        into.interrupting.set(of_own(SystemRegister::INTERRUPT_SET));
        self.disable_all();
        into.overflowed.set(of_own(SystemRegister::OVERFLOW_SET));
        self.registers.write(SystemRegister::OVERFLOW_CLEAR, self.own.bits());
        for (counter, (value, select)) in self.own.into_iter().zip(&into.counters) {
            value.set(self.registers.read(SystemRegister::any_counter(counter)));
            select.set(self.registers.read(SystemRegister::any_select(counter)));
        }
        if self.capabilities.privilege == Privilege::El2 {
            into.hypervisor.set(self.hypervisor_control().bits());
        }
        if self.share.is_whole() {
            self.save_control(into);
        }
    }

    fn hypervisor_control(&self) -> HypervisorControl {
        HypervisorControl::from_bits_retain(self.registers.read(SystemRegister::HYPERVISOR_CONTROL))
    }

    fn save_control(&self, into: &Saved) {
        into.control.set(self.registers.read(SystemRegister::CONTROL));
        into.user_enable.set(self.registers.read(SystemRegister::USER_ENABLE));
        if self.capabilities.has_user_access() {
            into.user_access.set(self.registers.read(SystemRegister::USER_ACCESS));
        }
    }

    /// Stops all counters of the driver, because after a sleep it is not known which are enabled, and writes the control
    /// registers from the image. A counter counts as soon as it is enabled.
    pub(super) fn set_up(&self, image: &Image) {
        self.registers.write(SystemRegister::ENABLE_CLEAR, self.own.bits());
        image.running.set(0);
        for counter in self.own {
            self.registers.write(SystemRegister::any_select(counter), image.select(counter));
        }
        if self.capabilities.privilege == Privilege::El2 {
            let control = self.share.hypervisor_control(&self.capabilities, self.hypervisor_control());
            self.registers.write(SystemRegister::HYPERVISOR_CONTROL, control.bits());
        }
        if let Some(control) = self.share.control(&self.capabilities) {
            // User programs may not use the unit. The register is unknown after a reset.
            self.registers.write(SystemRegister::USER_ENABLE, 0);
            self.registers.write(SystemRegister::CONTROL, control.bits());
        }
        let interrupting = self.own.without(image.lower_halves());
        self.registers.write(SystemRegister::INTERRUPT_SET, interrupting.bits());
    }

    /// Restores a state in the halted unit. Nothing counts until everything is restored.
    pub(super) fn restore_registers(&self, from: &Saved) {
        self.registers.write(SystemRegister::OVERFLOW_CLEAR, self.own.bits());
        for (counter, (value, select)) in self.own.into_iter().zip(&from.counters) {
            self.registers.write(SystemRegister::any_counter(counter), value.get());
            self.registers.write(SystemRegister::any_select(counter), select.get());
        }
        if self.share.is_whole() {
            self.restore_control(from);
        }
        if self.capabilities.privilege == Privilege::El2 {
            let kept = HypervisorControl::from_bits_retain(from.hypervisor.get());
            let control = self.share.with_fields_of(self.hypervisor_control(), kept);
            self.registers.write(SystemRegister::HYPERVISOR_CONTROL, control.bits());
        }
        self.registers.write(SystemRegister::OVERFLOW_SET, from.overflowed.get());
        self.registers.write(SystemRegister::INTERRUPT_SET, from.interrupting.get());
        self.registers.write(SystemRegister::ENABLE_SET, from.enabled.get());
    }

    fn restore_control(&self, from: &Saved) {
        let control = Pmcr::from_bits_truncate(from.control.get()) - Pmcr::READ_ONLY;
        self.registers.write(SystemRegister::CONTROL, control.bits());
        if self.capabilities.has_user_access() {
            self.registers.write(SystemRegister::USER_ACCESS, from.user_access.get());
        }
        self.registers.write(SystemRegister::USER_ENABLE, from.user_enable.get());
    }

    /// Stops the driver's counters and disables their interrupts.
    pub(super) fn disable_all(&self) {
        self.registers.write(SystemRegister::ENABLE_CLEAR, self.own.bits());
        self.registers.write(SystemRegister::INTERRUPT_CLEAR, self.own.bits());
    }
}
