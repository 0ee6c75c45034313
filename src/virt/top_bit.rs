//! Units whose counters interrupt while their top bit is set.

use core::cell::Cell;

use super::Fault;
use super::strict::forbid;
use super::table::Decode;
use super::work::{Kind, Work};
use crate::event::{CounterId, CounterSet, Mode, Width};

/// What a register of such a unit is.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// One that describes the unit, and its value.
    Fixed(u64),
    /// The control of the counter with this number.
    Control(usize),
    /// The counter with this number.
    Counter(usize),
}

/// A unit whose counters count on past their overflow. Each has a bit in its control by which its set top bit interrupts. The
/// line is a level, nothing latches it, and no counter affects another.
pub(crate) trait TopBit: Decode {
    /// The bits of a control of which one must be set for its counter to count.
    const COUNTS: u64;
    /// The bit of a control by which its counter's set top bit interrupts.
    const INTERRUPTS: u64;

    /// Returns the width of every counter.
    fn width(&self) -> Width;
    /// Returns the counters' contents, by their numbers.
    fn cells(&self) -> &[Cell<u64>];
    /// Returns the cycles that were reported.
    fn reported(&self) -> &Cell<u64>;
    /// Returns the control of the counter with this number, 0 if there is none.
    fn control_bits(&self, number: usize) -> u64;
    /// Returns the bits of a control that can be written.
    fn writable(&self) -> u64;
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
        self.existing().into_iter().filter(|id| self.may_interrupt(id.number().into())).collect()
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

    fn counts(&self, number: usize) -> bool {
        self.control_bits(number) & Self::COUNTS != 0
    }

    fn may_interrupt(&self, number: usize) -> bool {
        self.control_bits(number) & Self::INTERRUPTS != 0
    }

    /// Checks what a driver writes: a running counter may be stopped, and nothing else of it may change.
    fn check_written(&self, at: Result<Place, Fault>, value: u64) -> Result<(), &'static str> {
        match at.map_err(|_| "the register is no part of this unit")? {
            Place::Fixed(_) => Err("a read-only register is written"),
            Place::Counter(number) => {
                forbid(value & !self.width().mask() != 0, "bits are set that are reserved")?;
                forbid(self.counts(number), "a counter that counts is written")?;
                let interrupts = self.may_interrupt(number) && value >= self.sign();
                forbid(interrupts, "a counter is put past its overflow while that interrupts: it does at once")
            }
            Place::Control(number) => {
                forbid(value & !self.writable() != 0, "bits are set that are reserved or read-only")?;
                let changes = self.control_bits(number) != value && value & Self::COUNTS != 0;
                forbid(self.counts(number) && changes, "what a counter counts is changed while it counts")
            }
        }
    }
}
