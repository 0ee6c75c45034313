//! Where each counter counts, and its interrupt.

use super::Device;
use super::feed::kind;
use crate::arch::loongarch::la64::Pmcfg;
use crate::event::{CounterId, CounterSet, Mode, Modes};
use crate::virt::{Decode, Kind, Selected, Source, Table, Trigger, Work};

/// The modes whose work is reported, and their levels.
const LEVELS: [(Mode, Pmcfg); 2] = [(Mode::User, Pmcfg::PLV3), (Mode::Kernel, Pmcfg::PLV0)];

/// Returns a counter's number as an index.
fn index(id: CounterId) -> usize {
    id.number().into()
}

impl<T: Trigger> Decode for Device<T> {
    fn table(&self) -> &Table {
        &self.table
    }

    fn existing(&self) -> CounterSet {
        self.capabilities.counters
    }

    fn decode(&self, id: CounterId) -> Selected {
        let control = self.control(index(id));
        let counted = LEVELS.into_iter().filter(|(_, level)| control.contains(*level));
        let modes = counted.fold(Modes::NONE, |all, (mode, _)| all.and(mode.only()));
        Selected { modes, source: Source::of_known(kind(control.event())), interrupts: false }
    }

    fn enabled(&self, _: Mode) -> CounterSet {
        self.existing()
    }

    fn raw(&self, id: CounterId) -> u64 {
        self.control(index(id)).bits()
    }
}

impl<T: Trigger> Device<T> {
    /// Counts `work` on every counter, because no counter affects another. A counter that has wrapped through its
    /// overflow has not overflowed in the end.
    pub(super) fn count(&self, work: &Work) {
        self.ticks.set(self.ticks.get().wrapping_add(work.of(Kind::Cycles)));
        self.add_to(self.counting(work.mode()), |id| self.table.events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    pub(super) fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode).and(id.only()), |_| events);
    }

    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        self.change(|| {
            for id in counters {
                if let Some(counter) = self.counters.get(index(id)) {
                    let sum = counter.get().wrapping_add(happened(id));
                    counter.set(sum & self.capabilities.width.mask());
                }
            }
        });
    }

    /// Makes a change, and sets the line.
    pub(super) fn change(&self, change: impl FnOnce()) {
        let before = self.is_asserted();
        change();
        self.line.moved(before, self.is_asserted());
    }

    /// Returns the lowest value at which a counter has overflowed.
    pub(super) fn sign(&self) -> u64 {
        1 << (self.capabilities.width.bits() - 1)
    }

    /// Returns the level of the interrupt line.
    pub fn is_asserted(&self) -> bool {
        self.interrupting().into_iter().any(|id| self.counter(index(id)) >= self.sign())
    }

    fn interrupting(&self) -> CounterSet {
        let interrupts = |id: &CounterId| self.control(index(*id)).contains(Pmcfg::INTERRUPT);
        self.capabilities.counters.into_iter().filter(interrupts).collect()
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
        if self.is_asserted() {
            return None;
        }
        let steps = |id: CounterId| {
            let left = self.sign().checked_sub(self.counter(index(id)))?.checked_sub(1)?;
            left.checked_div(happens(id))?.checked_add(1)
        };
        self.interrupting().and(counting).into_iter().filter_map(steps).min()
    }
}
