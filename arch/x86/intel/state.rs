//! How a unit is taken over and given back, and how it is programmed again after a sleep.

use super::auxiliary::{Auxiliary, AuxiliaryRegister};
use super::driver::Intel;
use super::nehalem;
use super::program::Image;
use super::registers::GlobalStatus;
use super::saved::Saved;
use super::sharing;
use crate::arch::x86::all::{Bank, keep_all, stop_all, write_all};
use crate::arch::x86::{Generation, Line, Msr, Msrs, Window};
use crate::contract::Counters;
use crate::event::{CounterSet, Remaining};

impl<R: Msrs, L: Line, G: Generation> Intel<R, L, G> {
    /// Keeps what the unit held, halts it, and takes the line over.
    pub(super) fn save_registers(&self, into: &Saved) {
        keep_all(&self.registers, &self.controls(), &into.controls);
        self.halt();
        keep_all(&self.registers, &self.others(), &into.others);
        into.status.set(self.take_status());
        into.line.set(self.line.install());
    }

    /// Programs the halted unit from its image.
    pub(super) fn program(&self, image: &Image) {
        self.share(image);
        if nehalem::is_meant(&self.capabilities) {
            nehalem::wake(&self.registers, &self.capabilities);
        }
        image.write(&self.registers, &self.capabilities);
        if !self.generation.has_global() {
            self.preset_all(image);
        }
    }

    /// Sees to it that counter 3 stays ours, and others' fixed counters theirs.
    fn share(&self, image: &Image) {
        if self.capabilities.aborts == Some(true) {
            self.registers.write(Msr::FORCE_ABORT, sharing::RTM_FORCE_ABORT);
        }
        let others = CounterSet::from_bits(self.capabilities.used_by_others.bits() >> 32 << 32);
        if !others.is_empty() {
            image.keep_fixed(sharing::fixed_bits(others, self.registers.read(Msr::FIXED_CONTROL)), others);
        }
    }

    /// Puts back what was kept: nothing counts before everything is in place.
    pub(super) fn restore_registers(&self, from: &Saved) {
        self.halt();
        self.take_status();
        write_all(&self.registers, &self.others(), &from.others);
        self.line.restore(from.line.get());
        // CondChgd can be cleared and not set.
        let status = from.status.get() & !GlobalStatus::CHANGED.bits();
        if self.capabilities.version >= 4 && status != 0 {
            self.registers.write(Msr::GLOBAL_SET, status);
        }
        write_all(&self.registers, &self.controls(), &from.controls);
    }

    /// What makes counters count.
    fn controls(&self) -> [Bank; 2] {
        [self.selects(), Bank::one(Msr::GLOBAL_CONTROL, self.generation.has_global())]
    }

    fn selects(&self) -> Bank {
        Bank::new(Msr::FIRST_SELECT, 1, self.capabilities.general)
    }

    /// The registers that can be written while nothing counts.
    #[inline(never)]
    fn others(&self) -> [Bank; 5] {
        let capabilities = &self.capabilities;
        let fixed = CounterSet::from_bits(capabilities.fixed.bits() >> 32);
        let written = match capabilities.window() {
            Window::Narrow => u32::MAX.into(),
            Window::Full => u64::MAX,
        };
        let marks = Auxiliary::marks(capabilities.auxiliaries) >> AuxiliaryRegister::Offcore0.mark().trailing_zeros();
        [
            Bank::new(capabilities.window() as u32, 1, capabilities.general).masked(written),
            Bank::new(Msr::FIRST_FIXED, 1, fixed),
            Bank::one(Msr::FIXED_CONTROL, !fixed.is_empty()),
            Bank::new(Msr::OFFCORE_0.address(), 1, CounterSet::from_bits(marks & 0b11)),
            Bank::one(Msr::FRONTEND, marks >> 2 != 0),
        ]
    }

    /// Stops every counter of ours: at once where that can be done, and elsewhere by its selector.
    fn halt(&self) {
        if self.generation.has_global() {
            self.registers.write(Msr::GLOBAL_CONTROL, self.capabilities.used_by_others.bits());
        } else {
            stop_all(&self.registers, &self.selects());
        }
    }

    /// Lets every counter wait as long as it can. Where there is no status, it looks as if it had overflowed otherwise.
    fn preset_all(&self, image: &Image) {
        for counter in self.capabilities.general {
            self.preset(image, counter, Remaining::events(u64::MAX));
        }
    }

    /// Reads the status and clears what is set in it, whatever it means, except others' overflows.
    #[inline(never)]
    fn take_status(&self) -> u64 {
        if !self.generation.has_global() {
            return 0;
        }
        let status = self.registers.read(Msr::GLOBAL_STATUS) & !self.capabilities.used_by_others.bits();
        if status != 0 {
            self.registers.write(Msr::GLOBAL_RESET, status);
        }
        status
    }
}
