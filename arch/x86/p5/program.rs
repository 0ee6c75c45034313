//! The image of CESR.

use super::registers::{Cesr, Select};
use crate::contract::{self, Slot};
use crate::event::CounterSet;
use crate::sync::Cell;

/// CESR as it is while all counters in use run, and the counters in use.
///
/// Both counters are in one register, so a placement is only recorded here. A start writes it. Until then the counter does
/// not run, and is preset: the manual demands that before another event is selected.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    control: Cell,
}

impl contract::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self { occupied: Cell::new(0), control: Cell::new(0) };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

impl Image {
    /// Records the selections of these slots.
    #[inline(always)]
    pub(super) fn load(&self, slots: &[Slot]) {
        let (mut occupied, mut control) = (self.occupied.counters(), self.control());
        for slot in slots {
            occupied = occupied.or(slot.counter.only());
            control = control.with(slot.counter, Select::from_bits_truncate(slot.bits));
        }
        self.control.set(control.bits());
        self.occupied.set(occupied.bits());
    }

    /// Takes counters out. What they counted stays selected until another event is.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// Returns the selections of all counters.
    #[inline(always)]
    pub(super) fn control(&self) -> Cesr {
        Cesr::from_bits(self.control.get())
    }
}
