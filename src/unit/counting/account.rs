//! What the unit knows of one counter.

use crate::sample::Label;
use crate::sync::Cell;

/// What the unit knows of one counter. Its 64-bit count is `base` plus the position of its raw value.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) base: Cell,
    /// Events from one overflow to the next; 0 if the counter only counts. Then `excess`, `pace` and `label` are 0 too.
    pub(super) period: Cell,
    /// How many events after the end of its period the counter overflows, because it cannot be preset to fewer. Negative if it
    /// overflows earlier, because it cannot be preset to so many.
    pub(super) excess: Cell,
    /// How often the period was doubled because the kernel's interrupt entry could not keep up with it, and how many slow
    /// interrupts have come in a row since.
    pub(super) pace: Cell,
    /// What its samples say of it, and what its overflow does: a [`Label`].
    pub(super) label: Cell,
    /// Events that were left of its period when the unit was suspended.
    pub(super) parked: Cell,
    /// How many events a counter that no session has can count before it overflows, as its last thread left it; 0 if that
    /// is not known. While its thread is in: 0 if the counter was preset for it.
    pub(super) room: Cell,
}

/// What the position of a counter is added to for its count. Remembering where it is saves a reader from looking for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base<'u>(pub(super) &'u Cell);

impl Base<'_> {
    #[inline(always)]
    pub(crate) fn get(self) -> u64 {
        self.0.get()
    }
}

/// What the beginning of a new period is computed from.
#[derive(Clone, Copy, Debug)]
pub(super) struct AccountSnapshot {
    pub(super) base: u64,
    pub(super) excess: i64,
    pub(super) label: Label,
}

impl Account {
    pub(super) const fn closed() -> Self {
        Self {
            base: Cell::new(0),
            period: Cell::new(0),
            excess: Cell::new(0),
            pace: Cell::new(0),
            label: Cell::new(0),
            parked: Cell::new(0),
            room: Cell::new(0),
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
    pub(super) fn snapshot(&self) -> AccountSnapshot {
        let label = Label::from_bits(self.label.get());
        AccountSnapshot { base: self.base.get(), excess: self.excess.get().cast_signed(), label }
    }
}
