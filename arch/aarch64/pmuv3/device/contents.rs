//! The contents of the registers, and what a write to each does.

use core::cell::Cell;

use super::place::Place;
use super::usual::change;
use super::{Device, INSTRUCTIONS_RETIRED};
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, INSTRUCTION_COUNTER, Pmcr};
use crate::event::{CounterId, CounterSet, Mode};
use crate::virt::Trigger;

impl<T: Trigger> Device<T> {
    /// Returns the register that an access is about. PMSELR_EL0 selects it for two. Returns `None` if there is none.
    pub(super) fn resolve(&self, place: Place) -> Option<Place> {
        let selected = self.selector.get() as u8 & 31;
        let is_event = selected < self.limits.events();
        let place = match place {
            Place::SelectedCounter if is_event => Place::Counter(selected),
            Place::SelectedSelect if is_event || selected == CYCLE_COUNTER => Place::Select(selected),
            Place::SelectedCounter | Place::SelectedSelect => return None,
            place => place,
        };
        self.limits.has_place(place).then_some(place)
    }

    /// Returns the contents of a register as the level sees it.
    pub(super) fn load(&self, mode: Mode, place: Place) -> u64 {
        match place {
            Place::Counter(number) => self.counters.get(usize::from(number)).map_or(0, Cell::get),
            Place::Select(INSTRUCTION_COUNTER) => self.select(INSTRUCTION_COUNTER).bits() | INSTRUCTIONS_RETIRED,
            Place::Select(number) => self.select(number).bits(),
            Place::Overflow(_) => self.overflowed.get() & self.readable(mode).bits(),
            Place::Enable(_) => self.enable.get() & self.readable(mode).bits(),
            Place::Interrupt(_) => self.interrupt.get() & self.readable(mode).bits(),
            Place::Control => self.control().union(self.limits.constant()).with_counters(self.events_for(mode)).bits(),
            _ => self.load_other(mode, place),
        }
    }

    fn load_other(&self, mode: Mode, place: Place) -> u64 {
        match place {
            Place::Selector => self.selector.get(),
            Place::UserEnable => self.user_enable.get(),
            Place::UserAccess => self.user_access.get() & self.readable(mode).bits(),
            Place::HypervisorControl => self.hypervisor_control.get(),
            Place::Events(half) => self.limits.announced().registers()[usize::from(half & 1)],
            Place::Machine => self.limits.machine().0,
            Place::Identity(number) => {
                Place::identity(number).and_then(|at| self.identity.register(at, mode)).unwrap_or(0)
            }
            _ => 0,
        }
    }

    /// Writes a register. Bits that it does not have are ignored.
    pub(super) fn store(&self, mode: Mode, place: Place, value: u64) {
        match place {
            Place::Counter(number) => set(&self.counters, number, value & self.limits.counter_bits(number)),
            Place::Select(number) => {
                set(&self.selects, number, value & self.limits.select_bits(number));
                self.table.touch(CounterSet::from_bits(1 << (number & 63)));
            }
            Place::Enable(half) => {
                change(&self.enable, half, value & self.writable(mode).bits());
                self.table.touch_enables();
            }
            Place::Overflow(half) => {
                change(&self.overflowed, half, value & self.writable(mode).bits());
                self.table.touch_enables();
                self.settle();
            }
            _ => self.store_other(mode, place, value),
        }
    }

    fn store_other(&self, mode: Mode, place: Place, value: u64) {
        let kept = value & self.limits.bits(place).unwrap_or(0);
        let own = CounterSet::from_bits(kept).and(self.writable(mode));
        match place {
            Place::Interrupt(half) => {
                change(&self.interrupt, half, own.bits());
                self.table.touch_enables();
            }
            Place::Control => {
                self.put_control(kept);
                self.zero(self.reset_by(mode, Pmcr::from_bits_retain(value)));
            }
            Place::Zero => self.zero(own),
            Place::SoftwareIncrement => self.increment(CounterSet::from_bits(kept).and(self.incrementable(mode)), mode),
            Place::Selector => self.selector.set(kept),
            Place::UserEnable => self.user_enable.set(kept),
            Place::UserAccess => {
                let others = self.user_access.get() & !self.readable(mode).bits();
                self.user_access.set(others | own.bits());
            }
            Place::HypervisorControl => self.put_hypervisor_control(kept),
            _ => {}
        }
        self.settle();
    }

    /// Returns the counters that a write to PMCR_EL0 sets to zero: the level's event counters (P), cycles (C).
    fn reset_by(&self, mode: Mode, control: Pmcr) -> CounterSet {
        let cycles = u64::from(control.contains(Pmcr::RESET_CYCLES)) << CYCLE_COUNTER;
        let events = if control.contains(Pmcr::RESET_EVENTS) { self.events_for(mode) } else { 0 };
        CounterSet::first(events).or(CounterSet::from_bits(cycles)).and(self.writable(mode))
    }

    /// Sets counters to zero, and restarts the 64 cycles of the divider.
    fn zero(&self, counters: CounterSet) {
        for id in counters {
            set(&self.counters, id.number(), 0);
            if id.number() == CYCLE_COUNTER {
                self.phase.set(0);
            }
        }
    }

    #[inline(always)]
    pub(super) fn value(&self, id: CounterId) -> u64 {
        self.counters.get(usize::from(id.number())).map_or(0, Cell::get)
    }

    pub(super) fn set_value(&self, id: CounterId, value: u64) {
        set(&self.counters, id.number(), value & self.limits.mask(id));
    }
}

#[inline(always)]
fn set(cells: &[Cell<u64>], number: u8, value: u64) {
    cells.get(usize::from(number)).into_iter().for_each(|cell| cell.set(value));
}
