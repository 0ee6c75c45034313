//! The image of the selections.

use core::ops::Deref;

use crate::arch::riscv::Csr;
use crate::contract::{self, Slot};
use crate::event::CounterSet;
use crate::family::Selections;
use crate::sync::Cell;

/// The number of counters.
const COUNTERS: usize = Csr::COUNTERS as usize;

/// The counters' selections, without OF, and the counters that run: without mcountinhibit, the selection of any other is 0.
#[derive(Debug)]
pub struct Image {
    selections: Selections<COUNTERS>,
    /// The last selection of a counter that was compared with what the hardware kept.
    seen: [Cell; COUNTERS],
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self { selections: Selections::BLANK, seen: [const { Cell::new(0) }; COUNTERS] };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.selections.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.selections.occupancy()
    }
}

impl Deref for Image {
    type Target = Selections<COUNTERS>;

    #[inline(always)]
    fn deref(&self) -> &Selections<COUNTERS> {
        &self.selections
    }
}

impl Image {
    /// Returns true if the hardware is known to keep the selection of a slot.
    pub(super) fn has_seen(&self, slot: &Slot) -> bool {
        self.seen[usize::from(slot.counter.number() & 31)].get() == slot.bits
    }

    /// Records that the hardware keeps the selection of a slot, which it has.
    pub(super) fn see(&self, slot: &Slot) {
        self.seen[usize::from(slot.counter.number() & 31)].set(slot.bits);
        self.set_selection(slot.counter, slot.bits);
    }
}
