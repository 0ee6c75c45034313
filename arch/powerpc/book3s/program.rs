//! The image of the control registers, and the loading of a placement.
//!
//! Loading computes and records which bits of the registers each counter changes while it counts. The registers are
//! written when the set of running counters changes.

use super::contribution::contribution;
use super::model::Model;
use super::needs::{Needs, WORDS};
use super::own::Own;
use super::words::{Held, Words};
use crate::contract::{self, Slot};
use crate::event::{CounterId, CounterSet};
use crate::sync::Cell;

/// The most counters that a unit has.
pub(super) const COUNTERS: usize = 8;

/// The values that the requests of a placement need in shared fields.
#[derive(Clone, Copy, Debug)]
pub struct Program(pub(super) Needs);

impl Program {
    /// No shared field has a value.
    pub(super) const NONE: Self = Self(Needs::NOTHING);
}

/// The request that is loaded on one counter.
#[derive(Debug)]
struct Loaded {
    /// The bits of its slot, and [`IS_LOADED`]; 0 before anything was loaded.
    slot: Cell,
    /// What its placement needs in shared fields.
    needs: SharedNeeds,
    /// The bits of the control registers that it changes while it counts.
    changes: Held,
}

/// A bit that no slot has.
const IS_LOADED: u64 = 1 << 63;

impl Loaded {
    const fn nothing() -> Self {
        Self { slot: Cell::new(0), needs: SharedNeeds::none(), changes: Held::nothing() }
    }

    #[inline(always)]
    fn is(&self, slot: &Slot, needs: &Needs) -> bool {
        self.slot.get() == slot.bits | IS_LOADED && self.needs.get() == *needs
    }

    #[inline(never)]
    fn set(&self, model: Model, idle: &Words, slot: &Slot, needs: &Needs) {
        self.slot.set(slot.bits | IS_LOADED);
        self.needs.set(needs);
        self.changes.set(contribution(model, idle, slot.counter, Own::from_bits(slot.bits), needs));
    }
}

/// [`Needs`] that a thread and the interrupt share.
#[derive(Debug)]
struct SharedNeeds([Cell; WORDS]);

impl SharedNeeds {
    const fn none() -> Self {
        Self([const { Cell::new(0) }; WORDS])
    }

    #[inline(always)]
    fn get(&self) -> Needs {
        Needs::from_array(self.0.each_ref().map(Cell::get))
    }

    #[inline(always)]
    fn set(&self, needs: &Needs) {
        self.0.iter().zip(needs.to_array()).for_each(|(word, value)| word.set(value));
    }
}

/// The loaded requests, and the control registers as they were last written.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// What the occupied counters need in shared fields.
    needs: SharedNeeds,
    loaded: [Loaded; COUNTERS],
    /// The counters that the registers are written for; 0 if that is not known, or if there are none. While they are written
    /// it is a counter that no unit has.
    pub(super) selected: Cell,
    /// The contents of MMCRA, MMCR3, MMCR1 and MMCR2, and the bits of MMCR0 that make `selected` count.
    pub(super) written: Held,
    /// The counters that count.
    pub(super) running: Cell,
    /// 1 while MMCR0 is known to freeze all counters.
    pub(super) is_frozen: Cell,
    /// The counters that counted when the unit was last halted, if an alert had occurred. Kept on POWER7 alone.
    pub(super) alerted: Cell,
    /// The bits of MMCR0 that keep problem state out, if they are clear because counters are lent to a program.
    pub(super) opened: Cell,
}

/// The counters in use, and what they need in shared fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    pub(super) counters: CounterSet,
    pub(super) needs: Needs,
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Cell::new(0),
        needs: SharedNeeds::none(),
        loaded: [const { Loaded::nothing() }; COUNTERS],
        selected: Cell::new(0),
        written: Held::nothing(),
        running: Cell::new(0),
        is_frozen: Cell::new(0),
        alerted: Cell::new(0),
        opened: Cell::new(0),
    };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        Occupancy { counters: self.occupied(), needs: self.needs.get() }
    }
}

impl Image {
    /// Returns the counters that are loaded.
    #[inline(always)]
    pub(super) fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    /// Records what these counters need, given the registers of an idle unit. The registers are written by the next run.
    pub(super) fn load(&self, model: Model, idle: &Words, Program(needs): &Program, slots: &[Slot]) {
        let mut occupied = self.occupied();
        for slot in slots {
            let loaded = self.loaded(slot.counter);
            if !loaded.is(slot, needs) {
                self.selected.set(0);
                loaded.set(model, idle, slot, needs);
            }
            occupied = occupied.or(slot.counter.only());
        }
        self.needs.set(&self.needs.get().and(*needs));
        self.occupied.set(occupied.bits());
    }

    /// Removes counters. Their selectors may stay in the registers, but they do not count.
    pub(super) fn release(&self, counters: CounterSet) {
        let occupied = self.occupied().without(counters);
        let needs = |all: Needs, counter| all.and(self.loaded(counter).needs.get());
        self.needs.set(&occupied.into_iter().fold(Needs::NOTHING, needs));
        self.occupied.set(occupied.bits());
    }

    /// Returns the contents of the registers while exactly these counters count, given those of an idle unit.
    #[inline(always)]
    pub(super) fn words(&self, idle: &Words, exactly: CounterSet) -> Words {
        let changes = exactly.into_iter().map(|counter| self.loaded(counter).changes.get());
        *idle ^ changes.fold(Words::NOTHING, |all, changes| all | changes)
    }

    #[inline(always)]
    fn loaded(&self, counter: CounterId) -> &Loaded {
        &self.loaded[(counter.number() & 7) as usize]
    }
}
