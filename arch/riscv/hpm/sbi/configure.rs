//! Gives counters their events, and takes cycle and instret from those for whom they count.

use super::asked::csr;
use super::driver::Sbi;
use super::encode::unpacked;
use super::program::Image;
use crate::arch::riscv::Csr;
use crate::arch::riscv::hpm::wide;
use crate::arch::riscv::sbi::{Address, Call};
use crate::contract::Registers;
use crate::event::CounterId;
use crate::sync::Cell;

impl<R: Registers<Address = Address, Index = Csr>> Sbi<R> {
    /// Gives a stopped counter its event. Until it is preset it waits as long as it can: what its register holds is somebody
    /// else's, and may look like an overflow, as OpenSBI sets OF with the event.
    pub(super) fn configure(&self, image: &Image, counter: CounterId, selection: u64) {
        let (filters, event, data) = unpacked(selection);
        let (counters, width) = (counter.only(), self.capabilities.width(counter));
        self.presets[counter.index()].set(width.start(self.capabilities.model.longest(width)));
        self.waiting.include(counters);
        let is_fixed = self.capabilities.is_fixed(counter);
        if is_fixed {
            self.take_fixed(counter);
        } else {
            // It is stopped, and the firmware says so; it loses its event all the same.
            let _ = self.call(Call::Reset(counters));
        }
        let answer = self.call(Call::Configure { counters, filters, event, data });
        let agreed = answer == Ok(counter.number().into());
        if is_fixed && self.call(Call::Stop(counters)).is_ok() {
            self.found_running.include(counters);
        }
        self.configured.include(counters);
        if agreed {
            self.refused.exclude(counters);
        } else {
            self.refused.include(counters);
        }
        image.set_selection(counter, if agreed { selection } else { 0 });
    }

    /// Stops cycle or instret, which count until a request takes them. A firmware may stop it only once it has an event.
    fn take_fixed(&self, counter: CounterId) {
        let ran = self.call(Call::Stop(counter.only())).is_ok();
        if self.configured.counters().contains(counter) {
            return;
        }
        if let Some(found) = self.found.get(usize::from(self.capabilities.register(counter))) {
            found.set(self.value(counter));
        }
        if ran {
            self.found_running.include(counter.only());
        }
    }

    /// Gives cycle or instret the value that it had, from which it goes on if it counted. Only a start gives it a value.
    pub(super) fn give_back_fixed(&self, counter: CounterId) {
        let found = self.found.get(usize::from(self.capabilities.register(counter))).map_or(0, Cell::get);
        let _ = self.call(Call::StartAt(counter.only(), found));
        if !self.found_running.counters().contains(counter) {
            let _ = self.call(Call::Stop(counter.only()));
        }
    }

    /// Returns what a register holds.
    fn value(&self, counter: CounterId) -> u64 {
        let at = csr(self.capabilities.register(counter));
        wide::Handle::new(at, self.capabilities.in_halves()).read_counter(&self.registers)
    }
}
