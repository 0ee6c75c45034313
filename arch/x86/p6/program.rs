//! The image of the two selectors, and how both counters are started and stopped.

use super::registers::{SELECT_0, SELECT_1, Select};
use crate::arch::x86::Msrs;
use crate::contract::{self, Slot};
use crate::event::{CounterId, CounterSet};
use crate::sync::Cell;

/// The selectors of the counters in use, and what PerfEvtSel1 holds.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// What the counters select, without EN.
    selects: [Cell; 2],
    /// What was last written to PerfEvtSel1.
    second: Cell,
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self { occupied: Cell::new(0), selects: [const { Cell::new(0) }; 2], second: Cell::new(0) };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// All counters that there are. A set is cut down to them where a machine of 32 bits is to leave out its upper half.
pub(super) const COUNTERS: CounterSet = CounterSet::first(2);

const FIRST: CounterId = CounterId::ZERO;
const SECOND: CounterId = CounterId::new(1).expect("numbers go to 63");

impl Image {
    /// Notes the selectors of these slots. A start writes them.
    #[inline(always)]
    pub(super) fn load(&self, slots: &[Slot]) {
        let mut occupied = self.occupied.counters();
        for slot in slots {
            occupied = occupied.or(slot.counter.only());
            self.noted(slot.counter).set(slot.bits);
        }
        self.occupied.set(occupied.bits());
    }

    /// Takes counters out. Their selectors stay noted, and harm nobody.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// Makes exactly these counters count. The others are parked. EN, which is both counters', is written last, and
    /// clearing it alone stops both: an interrupt at any point of it does that, whatever the selectors hold.
    #[inline(always)]
    pub(super) fn run<R: Msrs>(&self, registers: &R, exactly: CounterSet) {
        if exactly.is_empty() {
            registers.write(SELECT_0, self.noted(FIRST).get());
            return;
        }
        let second = self.wanted(SECOND, exactly);
        if self.second.get() != second {
            registers.write(SELECT_1, second);
            self.second.set(second);
        }
        registers.write(SELECT_0, self.wanted(FIRST, exactly) | Select::ENABLE.bits());
    }

    /// Writes both selectors, whatever they hold. No counter counts then.
    pub(super) fn write<R: Msrs>(&self, registers: &R) {
        registers.write(SELECT_0, self.noted(FIRST).get());
        registers.write(SELECT_1, self.noted(SECOND).get());
        self.second.set(self.noted(SECOND).get());
    }

    /// Returns what a counter selects while exactly these run.
    #[inline(always)]
    fn wanted(&self, counter: CounterId, exactly: CounterSet) -> u64 {
        if exactly.contains(counter) { self.noted(counter).get() } else { Select::PARKED.bits() }
    }

    #[inline(always)]
    fn noted(&self, counter: CounterId) -> &Cell {
        &self.selects[usize::from(counter.number() & 1)]
    }
}
