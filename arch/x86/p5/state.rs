//! How a unit is taken over and given back, and how it is programmed again after a sleep.

use super::driver::P5;
use super::program::Image;
use super::registers::Cesr;
use super::saved::Saved;
use crate::arch::x86::all::{Bank, keep_all, write_all};
use crate::arch::x86::{Msr, Msrs};
use crate::contract::Counters;
use crate::event::{CounterSet, Remaining};

impl<R: Msrs> P5<R> {
    /// Keeps what the unit held, and halts it.
    pub(super) fn save_registers(&self, into: &Saved) {
        into.control.set(Cesr::from_bits(self.registers.read(Msr::CESR)).bits());
        self.halt();
        keep_all(&self.registers, &[self.counters()], &into.counters);
    }

    /// Lets every counter wait as long as it can: before it is preset none looks as if it had overflowed. A start writes the
    /// events.
    pub(super) fn program(&self, image: &Image) {
        for counter in self.capabilities.counters {
            self.preset(image, counter, Remaining::events(u64::MAX));
        }
    }

    /// Puts back what was kept: nothing counts before everything is in place.
    pub(super) fn restore_registers(&self, from: &Saved) {
        self.halt();
        write_all(&self.registers, &[self.counters()], &from.counters);
        self.registers.write(Msr::CESR, from.control.get());
    }

    /// Stops every counter but those that somebody else uses.
    fn halt(&self) {
        self.write_control(Cesr::default(), CounterSet::EMPTY);
    }

    fn counters(&self) -> Bank {
        Bank::new(Msr::FIRST_P5_COUNTER, 1, self.capabilities.counters).masked(super::Capabilities::WIDTH.mask())
    }
}
