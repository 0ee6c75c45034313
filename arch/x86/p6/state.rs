//! How a unit is taken over and given back, and how it is programmed again after a sleep.

use super::capabilities::Capabilities;
use super::driver::P6;
use super::program::Image;
use super::registers::{FIRST_COUNTER, SELECT_0, SELECT_1};
use super::saved::Saved;
use crate::arch::x86::all::{Bank, keep_all, stop_all, write_all};
use crate::arch::x86::{Line, Msrs};
use crate::event::{CounterSet, Remaining};

impl<R: Msrs, L: Line> P6<R, L> {
    /// Keeps what the unit held, halts it, and takes the line over.
    pub(super) fn save_registers(&self, into: &Saved) {
        keep_all(&self.registers, &CONTROLS, &into.controls);
        self.halt();
        keep_all(&self.registers, &[COUNTERS], &into.counters);
        into.line.set(self.install());
    }

    /// Programs the halted unit from its image. There is no status: a counter looks as if it had overflowed unless it waits
    /// as long as it can.
    pub(super) fn program(&self, image: &Image) {
        image.write(&self.registers);
        for counter in self.capabilities.counters {
            self.write_counter(counter, Remaining::events(Capabilities::LONGEST));
        }
    }

    /// Puts back what was kept: nothing counts before everything is in place.
    pub(super) fn restore_registers(&self, from: &Saved) {
        self.halt();
        write_all(&self.registers, &[COUNTERS], &from.counters);
        if self.capabilities.has_apic {
            self.line.restore(from.line.get());
        }
        write_all(&self.registers, &CONTROLS, &from.controls);
    }

    /// Stops both counters.
    fn halt(&self) {
        stop_all(&self.registers, &Bank::one(SELECT_0, true));
    }

    /// Takes the line over, if there is an APIC to have one.
    fn install(&self) -> u64 {
        if self.capabilities.has_apic { self.line.install() } else { 0 }
    }
}

/// What makes counters count, with EN last.
const CONTROLS: [Bank; 2] = [Bank::one(SELECT_1, true), Bank::one(SELECT_0, true)];

/// The counters, of which 32 bits can be written: a value from 2^31 to 2^40 - 2^31 cannot be put back, and what is put back
/// has its low 32 bits.
const COUNTERS: Bank = Bank::new(FIRST_COUNTER, 1, CounterSet::first(2)).masked(u32::MAX as u64);
