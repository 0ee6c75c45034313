//! What the unit knows of one counter.

use crate::event::CounterId;
use crate::sample::Label;
use crate::sync::{Cell, Word};

/// What the unit knows of one counter. Its 64-bit count is `base` plus the position of its raw value.
#[derive(Debug)]
pub(crate) struct Account {
    pub(crate) base: Cell,
    /// Events from one overflow to the next; 0 if the counter only counts. Then `excess`, `pace` and `label` are 0 too.
    pub(crate) period: Cell,
    /// How many events after the end of its period the counter overflows, because it cannot be preset to fewer. Negative if it
    /// overflows earlier, because it cannot be preset to so many.
    pub(crate) excess: Cell,
    /// How often the period was doubled because the kernel's interrupt entry could not keep up with it, and how many slow
    /// interrupts have come in a row since.
    pub(crate) pace: Cell,
    /// What its samples say of it, and what its overflow does: a [`Label`].
    pub(crate) label: Cell,
    /// The serial number of the session that it is reserved for, or was last. None is 0.
    pub(crate) owner: Cell,
    /// The serial number of the last session that was dropped where the unit could not be touched. Any CPU may
    /// write it. Writes cannot race: the counter is not reused until its own CPU has seen `abandoned`.
    pub(crate) dropped: Word,
    /// Events that were left of its period when the unit was suspended.
    pub(crate) parked: Cell,
    /// How many events a counter that no session has can count before it overflows, as its last thread left it; 0 if that
    /// is not known. While its thread is in: 0 if the counter was preset for it.
    pub(crate) room: Cell,
    /// The counter itself, and the second one of a pair.
    pub(crate) taken: Cell,
}

/// What the beginning of a new period is computed from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AccountSnapshot {
    pub(super) base: u64,
    pub(super) excess: i64,
    pub(super) label: Label,
}

impl Account {
    pub(crate) const fn closed() -> Self {
        Self {
            base: Cell::new(0),
            period: Cell::new(0),
            excess: Cell::new(0),
            pace: Cell::new(0),
            label: Cell::new(0),
            owner: Cell::new(0),
            dropped: Word::new(0),
            parked: Cell::new(0),
            room: Cell::new(0),
            taken: Cell::new(0),
        }
    }

    /// Its counter only counts.
    pub(super) fn only_count(&self) {
        [&self.period, &self.excess, &self.pace, &self.label].into_iter().for_each(|cell| cell.set(0));
    }

    /// Gives its counter a period, and says what its overflows do.
    #[inline(always)]
    pub(super) fn sample(&self, period: u64, label: Label) {
        self.period.set(period);
        self.pace.set(0);
        self.label.set(label.bits());
    }

    /// Returns what a new period is reckoned from. It MUST be read before the counter is.
    #[inline(always)]
    pub(crate) fn snapshot(&self) -> AccountSnapshot {
        let label = Label::from_bits(self.label.get());
        AccountSnapshot { base: self.base.get(), excess: self.excess.get().cast_signed(), label }
    }

    /// Returns true if the session that the counter is reserved for, or was last, was dropped elsewhere.
    pub(crate) fn is_dropped(&self) -> bool {
        self.dropped.observe() == self.owner.get()
    }

    /// Returns the second counter of the pair whose first one this is.
    pub(crate) fn partner(&self, first: CounterId) -> Option<CounterId> {
        self.taken.counters().without(first.only()).lowest()
    }
}
