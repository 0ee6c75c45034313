//! Units whose counters interrupt while their top bit is set.

use core::cell::Cell;

use super::table::Decode;
use super::work::{Kind, Work};
use crate::event::{CounterId, CounterSet, Mode, Width};

/// A unit whose counters count on past their overflow. Each has a bit in its control by which its set top bit interrupts. The
/// line is a level, nothing latches it, and no counter affects another.
pub(crate) trait TopBit: Decode {
    /// Returns the width of every counter.
    fn width(&self) -> Width;
    /// Returns the counters' contents, by their numbers.
    fn cells(&self) -> &[Cell<u64>];
    /// Returns the cycles that were reported.
    fn reported(&self) -> &Cell<u64>;
    /// Returns true if the control of a counter lets it interrupt.
    fn may_interrupt(&self, id: CounterId) -> bool;
    /// Sets the line, which was high `before` and is high now.
    fn moved(&self, before: bool, now: bool);

    /// Counts `work` on every counter. One that has wrapped through its overflow has not overflowed in the end.
    fn count(&self, work: &Work) {
        self.reported().set(self.reported().get().wrapping_add(work.of(Kind::Cycles)));
        self.add_to(self.counting(work.mode()), |id| self.table().events(id, work));
    }

    /// Counts events on one counter, if it counts in this mode.
    fn count_on(&self, id: CounterId, mode: Mode, events: u64) {
        self.add_to(self.counting(mode).and(id.only()), |_| events);
    }

    fn add_to(&self, counters: CounterSet, happened: impl Fn(CounterId) -> u64) {
        self.change(|| {
            for id in counters {
                if let Some(counter) = self.cells().get(usize::from(id.number())) {
                    counter.set(counter.get().wrapping_add(happened(id)) & self.width().mask());
                }
            }
        });
    }

    /// Makes a change, and sets the line.
    fn change(&self, change: impl FnOnce()) {
        let before = self.is_high();
        change();
        self.moved(before, self.is_high());
    }

    /// Returns what a counter holds.
    fn value(&self, id: CounterId) -> u64 {
        self.cells().get(usize::from(id.number())).map_or(0, Cell::get)
    }

    /// Returns the lowest value at which a counter has overflowed.
    fn sign(&self) -> u64 {
        1 << (self.width().bits() - 1)
    }

    /// Returns the level of the interrupt line.
    fn is_high(&self) -> bool {
        self.interrupting().into_iter().any(|id| self.value(id) >= self.sign())
    }

    fn interrupting(&self) -> CounterSet {
        self.existing().into_iter().filter(|id| self.may_interrupt(*id)).collect()
    }

    /// Returns after how many repetitions of `step` an overflow interrupts, or `None` if none will.
    fn steps_until_interrupt(&self, step: &Work) -> Option<u64> {
        self.steps_until(self.counting(step.mode()), |id| self.table().events(id, step))
    }

    /// Returns after how many events of its own a counter interrupts, or `None` if it will not.
    fn events_until_overflow(&self, id: CounterId, mode: Mode) -> Option<u64> {
        self.steps_until(self.counting(mode).and(id.only()), |_| 1)
    }

    fn steps_until(&self, counting: CounterSet, happens: impl Fn(CounterId) -> u64) -> Option<u64> {
        if self.is_high() {
            return None;
        }
        let steps = |id: CounterId| {
            let left = self.sign().checked_sub(self.value(id))?.checked_sub(1)?;
            left.checked_div(happens(id))?.checked_add(1)
        };
        self.interrupting().and(counting).into_iter().filter_map(steps).min()
    }
}
