//! Where each counter counts, and its interrupt.

use super::Device;
use super::feed::kind;
use crate::arch::riscv::hpm::counters::from_register;
use crate::arch::riscv::hpm::{Interrupt, Privilege, Select};
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Kind, Selected, Source, Table, Trigger, Work};

/// mcycle and minstret, which have no event and no overflow.
const fn is_fixed(counter: u8) -> bool {
    counter < 3
}

/// The modes that the unit distinguishes. A hypervisor is the machine here, whose mode is above the kernel's.
const MODES: [Mode; 3] = [Mode::User, Mode::Kernel, Mode::Hypervisor];

/// Returns the number of a counter's register.
fn number(id: CounterId) -> u8 {
    id.number() & 31
}

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        from_register(self.all.into())
    }

    fn decode(&self, id: CounterId) -> Selected {
        let (counter, select) = (number(id), self.select(number(id)));
        let kind = match counter {
            0 => Some(Kind::Cycles),
            2 => Some(Kind::Instructions),
            _ => kind(self.capabilities.model, select.intersection(Select::EVENT).bits()),
        };
        let counted = MODES.into_iter().filter(|&mode| self.has_event(counter) && !select.contains(self.filter(mode)));
        let modes = counted.fold(Modes::NONE, |all, mode| all.and(mode.only()));
        Selected { modes, source: Source::of_known(kind), interrupts: false }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        from_register((self.all & !self.inhibited.get()).into())
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.select(number(id)).bits()
    }

    fn is_fixed(&self, id: CounterId) -> bool {
        is_fixed(number(id))
    }
}

impl<T: Trigger> Device<T> {
    /// Returns the bit that keeps a counter from counting in this mode.
    fn filter(&self, mode: Mode) -> Select {
        match (mode, self.kernel) {
            (Mode::User, _) => Select::NOT_USER,
            (Mode::Kernel, Privilege::Supervisor) => Select::NOT_SUPERVISOR,
            _ => Select::NOT_MACHINE,
        }
    }

    fn has_event(&self, counter: u8) -> bool {
        is_fixed(counter) || self.select(counter).intersects(Select::EVENT)
    }

    /// Returns true if a counter counts an event.
    pub(super) fn is_running(&self, counter: u8) -> bool {
        self.has_event(counter) && self.inhibited.get() >> counter & 1 == 0
    }

    /// Counts `work` on every counter, because no counter affects another.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        self.add_to(self.counting(work.mode()), |id| self.table.events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    pub(super) fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode).and(id.only()), |_| events);
    }

    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        self.change(|| counters.into_iter().for_each(|id| self.add(number(id), happened(id))));
    }

    /// Adds events to a counter. One that wraps with OF clear sets OF, and makes the interrupt pending (Sscofpmf, "Count
    /// Overflow Control"), or sets its bit in mcounterof or mcounterovf.
    fn add(&self, counter: u8, events: u64) {
        let (sum, has_carried) = self.counter(counter).overflowing_add(events);
        self.set_counter(counter, sum);
        let has_wrapped = has_carried || sum & !self.width(counter).mask() != 0;
        match self.capabilities.interrupt() {
            Interrupt::Sscofpmf if has_wrapped && self.can_interrupt(counter) => {
                let select = self.select(counter) | Select::OVERFLOWED;
                self.selects.get(usize::from(counter)).into_iter().for_each(|cell| cell.set(select.bits()));
                self.is_pending.set(true);
            }
            Interrupt::Thead | Interrupt::Andes if has_wrapped => {
                self.overflowed.set(self.overflowed.get() | 1 << counter);
            }
            _ => {}
        }
    }

    fn can_interrupt(&self, counter: u8) -> bool {
        match self.capabilities.interrupt() {
            Interrupt::None => false,
            Interrupt::Sscofpmf => !is_fixed(counter) && !self.select(counter).contains(Select::OVERFLOWED),
            Interrupt::Thead | Interrupt::Andes => self.interrupting.get() >> counter & 1 == 1,
        }
    }

    /// Returns true if the interrupt is pending.
    pub(super) fn pends(&self) -> bool {
        if self.has_own_pending() {
            self.is_pending.get()
        } else {
            self.overflowed.get() & self.interrupting.get() != 0
        }
    }

    /// Makes a change, and sets the line.
    pub(super) fn change(&self, change: impl FnOnce()) {
        let before = self.is_asserted();
        change();
        self.line.moved(before, self.is_asserted());
    }

    /// Returns the level of the interrupt: it is pending, and enabled.
    pub fn is_asserted(&self) -> bool {
        self.pends() && self.is_enabled.get()
    }

    /// Returns after how many repetitions of `step` an overflow interrupts, or `None` if none will.
    pub(super) fn steps_until_interrupt(&self, step: &Work) -> Option<u64> {
        self.steps_until(self.counting(step.mode()), |id| self.table.events(id, step))
    }

    /// Returns after how many events of its own a counter interrupts, or `None` if it will not.
    pub(super) fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        self.steps_until(self.counting(mode).and(id.only()), |_| 1)
    }

    fn steps_until(&self, counting: CounterSet, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        if self.pends() || !self.is_enabled.get() {
            return None;
        }
        let steps = |id: CounterId| {
            let left = self.width(number(id)).mask().checked_sub(self.counter(number(id)))?;
            left.checked_div(happens(id))?.checked_add(1)
        };
        counting.into_iter().filter(|&id| self.can_interrupt(number(id))).filter_map(steps).min()
    }
}
