//! Saves what the firmware's counters do when the unit is claimed, and lets them go on when it is released.
//!
//! What a counter is configured with cannot be asked. So a counter of somebody else's that is used here cannot go on
//! afterwards; cycle and instret do, from the value that they had.

use super::asked::Line;
use super::driver::Sbi;
use super::program::Image;
use super::saved::Saved;
use crate::arch::riscv::Csr;
use crate::arch::riscv::hpm::wide;
use crate::arch::riscv::sbi::{Address, Call};
use crate::contract::{Image as _, Registers};
use crate::event::{CounterId, CounterSet};

impl<R: Registers<Address = Address, Index = Csr>> Sbi<R> {
    /// Stops every counter, and saves what the supervisor can read.
    pub(super) fn save_into(&self, saved: &Saved) {
        let mut ran = CounterSet::EMPTY;
        for counter in self.capabilities.hardware {
            if self.call(Call::Stop(counter.only())).is_ok() {
                ran = ran.or(counter.only());
            }
            saved.values[counter.index()].set(self.value(counter));
        }
        saved.ran.set(ran.bits());
        let interrupt = self.capabilities.interrupt();
        saved.enable.set(self.registers.read(Address::Csr(interrupt.in_supervisor().enable)) & interrupt.bit());
        saved.readable.set(self.registers.read(Address::Csr(Csr::SCOUNTEREN)));
        self.forget();
    }

    fn value(&self, counter: CounterId) -> u64 {
        let at = super::asked::csr(self.capabilities.register(counter));
        wide::Handle::new(at, self.capabilities.in_halves()).read_counter(&self.registers)
    }

    /// Nothing is configured, and no preset waits.
    fn forget(&self) {
        let all = self.capabilities.counters();
        self.waiting.exclude(all);
        self.configured.exclude(all);
        self.found_running.exclude(all);
    }

    /// Configures the counters that are in use, and sets up the interrupt. The others are configured when they are used.
    pub(super) fn reload_from(&self, image: &Image) {
        for counter in self.capabilities.counters() {
            let selection = image.selection(counter);
            image.set_selection(counter, 0);
            if selection != 0 && image.counters().contains(counter) {
                self.configure(image, counter, selection);
            }
        }
        image.set_running(CounterSet::EMPTY);
        self.set_up_line();
        self.lend_only(CounterSet::EMPTY);
    }

    fn set_up_line(&self) {
        if !self.capabilities.interrupts() {
            return;
        }
        self.withdraw();
        match self.capabilities.line {
            Line::Local => self.set_enabled(Csr::setting),
            // A kernel that has registered no handler gets no interrupt, and finds that out by its samples.
            Line::Software => drop(self.call(Call::EnableEvent)),
        }
    }

    /// Stops every counter that was used, and lets those go on that ran.
    pub(super) fn restore_from(&self, saved: &Saved) {
        let used = self.configured.counters();
        if !used.is_empty() {
            let _ = self.call(Call::Reset(used));
        }
        let ran = saved.ran.counters().or(self.found_running.counters());
        for counter in ran {
            let _ = self.call(Call::StartAt(counter.only(), saved.values[counter.index()].get()));
        }
        self.restore_line(saved);
        self.lend_registers(saved.readable.get());
    }

    fn restore_line(&self, saved: &Saved) {
        if !self.capabilities.interrupts() {
            return;
        }
        self.withdraw();
        let was_enabled = saved.enable.get() != 0;
        match self.capabilities.line {
            Line::Local if !was_enabled => self.set_enabled(Csr::clearing),
            Line::Local => {}
            Line::Software => {
                let _ = self.call(Call::DisableEvent);
                // OpenSBI has kept LCOFI off since the event was enabled, and does so afterwards.
                if was_enabled {
                    self.set_enabled(Csr::setting);
                }
            }
        }
    }

    /// Sets or clears the bit that enables the interrupt.
    fn set_enabled(&self, way: fn(Csr) -> Csr) {
        let interrupt = self.capabilities.interrupt();
        self.registers.write(Address::Csr(way(interrupt.in_supervisor().enable)), interrupt.bit());
    }

    /// Lets user programs read these counters, and none of the others.
    pub(super) fn lend_only(&self, counters: CounterSet) {
        self.lend_registers(self.registers_of(counters));
    }

    fn lend_registers(&self, lent: u64) {
        let own = self.registers_of(self.capabilities.hardware);
        self.registers.write(Address::Csr(Csr::SCOUNTEREN.clearing()), own & !lent);
        if own & lent != 0 {
            self.registers.write(Address::Csr(Csr::SCOUNTEREN.setting()), own & lent);
        }
    }

    /// Returns the bits of these counters in scounteren.
    fn registers_of(&self, counters: CounterSet) -> u64 {
        let bit = |counter| 1 << self.capabilities.register(counter);
        counters.and(self.capabilities.hardware).into_iter().fold(0, |bits, counter| bits | bit(counter))
    }
}
