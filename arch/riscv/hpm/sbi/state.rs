//! Stops what an earlier kernel has left when the unit is claimed, and lets cycle and instret go on when it is released.
//!
//! The counters that the firmware describes are the supervisor's. So what one counts that was configured before is left over,
//! from a stage of the boot, from the kernel before, or from this one after [`Pmu::halt`](crate::Pmu::halt): torvalds/linux
//! drivers/perf/riscv_pmu_sbi.c stops all with a reset when a CPU starts, whatever the answer (commit 7dd646cf745c). cycle and
//! instret are everybody's clocks: they go on until a request takes them, and afterwards from the value that they had.

use super::asked::Line;
use super::driver::Sbi;
use super::program::Image;
use super::saved::Saved;
use crate::arch::riscv::Csr;
use crate::arch::riscv::sbi::{Address, Call};
use crate::contract::{Image as _, Registers};
use crate::event::CounterSet;

impl<R: Registers<Address = Address, Index = Csr>> Sbi<R> {
    /// Stops every counter but cycle and instret, which lose their events, and saves what the supervisor can read. cycle and
    /// instret are stopped if a request of ours has them still.
    pub(super) fn save_registers(&self, saved: &Saved) {
        let taken = self.configured.counters().and(self.capabilities.fixed());
        if !taken.is_empty() {
            let _ = self.call(Call::Stop(taken));
        }
        let left = self.capabilities.to_be_asked();
        if !left.is_empty() {
            // Some have no event, and most are stopped.
            let _ = self.call(Call::Reset(left));
        }
        let busy = self.busy.take();
        if !busy.is_empty() {
            self.capabilities.ask_again(&self.registers, busy);
            self.digest.set(self.capabilities.digest());
        }
        let interrupt = self.capabilities.interrupt();
        saved.enable.set(self.registers.read(Address::Csr(interrupt.in_supervisor().enable)) & interrupt.bit());
        saved.readable.set(self.registers.read(Address::Csr(Csr::SCOUNTEREN)));
        self.forget();
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

    /// Stops every counter that was used, and lets cycle and instret go on if they counted.
    pub(super) fn restore_registers(&self, saved: &Saved) {
        let used = self.configured.counters();
        let fixed = used.and(self.capabilities.fixed());
        if used != fixed {
            let _ = self.call(Call::Reset(used.without(fixed)));
        }
        if !fixed.is_empty() {
            let _ = self.call(Call::Stop(fixed));
        }
        for counter in fixed {
            self.give_back_fixed(counter);
        }
        self.restore_line(saved);
        self.lend_registers(saved.readable.get());
        self.forget();
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
