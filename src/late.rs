//! Interrupts that come when their overflows are accounted for already: how many are due.
//!
//! A stop accounts for what has overflowed, and its interrupt is on its way. Where the line does
//! not mask itself each overflow interrupts by itself, too, and the first interrupt of several
//! accounts for all of them. What then finds nothing is the unit's all the same, and no other
//! handler would know it. But not everything is: as many are claimed as overflows were accounted
//! for without an interrupt of their own, no more than the unit could have sent, and not for ever.

use crate::backend::{Backend, Late};
use crate::event::CounterSet;
use crate::sync::Word;

/// The interrupts that may still come.
#[derive(Debug)]
pub(crate) struct Due {
    count: Word,
    /// The tick at which the last overflow was accounted for.
    since: Word,
    /// How many came while a stop was accounting for them.
    arrived: Word,
}

impl Due {
    pub(crate) const fn nothing() -> Self {
        Self { count: Word::new(0), since: Word::new(0), arrived: Word::new(0) }
    }

    /// The interrupt has accounted for these overflows; one of them was its own. Where the line
    /// masks itself, it was the one that a stop may have waited for, too.
    #[inline(always)]
    pub(crate) fn serve<B: Backend>(&self, backend: &B, overflowed: CounterSet) {
        match backend.late() {
            Late::Never => {}
            Late::One { .. } => self.count.set(0),
            Late::Each { most, within } if overflowed.has_several() => {
                self.add(backend.ticks(), u64::from(overflowed.len()).saturating_sub(1), most, within);
            }
            Late::Each { .. } => {}
        }
    }

    /// A stop is about to account for so many overflows.
    pub(crate) fn owe_all<B: Backend>(&self, backend: &B, overflows: u32) {
        match backend.late() {
            Late::Never => {}
            Late::One { within } => self.add(backend.ticks(), 1, 1, within),
            Late::Each { most, within } => self.add(backend.ticks(), overflows.into(), most, within),
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&self, now: u64, more: u64, most: u64, within: u64) {
        let expired = now.wrapping_sub(self.since.get()) > within;
        self.count.update(|count| if expired { more } else { count.saturating_add(more) }.min(most));
        self.since.set(now);
    }

    /// Nothing is due: the unit begins anew.
    pub(crate) fn forget(&self) {
        self.count.set(0);
        self.arrived.set(0);
    }

    /// An interrupt came for what a stop is accounting for.
    pub(crate) fn arrive(&self) {
        self.arrived.advance();
    }

    /// The stop is done: what came meanwhile does not come again.
    pub(crate) fn settle(&self) {
        let arrived = self.arrived.update(|_| 0);
        if arrived != 0 {
            self.count.update(|count| count.saturating_sub(arrived));
        }
    }

    /// An interrupt has found nothing: was it due?
    pub(crate) fn claim<B: Backend>(&self, backend: &B) -> bool {
        let count = self.count.get();
        let expired = match backend.late() {
            Late::One { within } | Late::Each { within, .. } => backend.ticks().wrapping_sub(self.since.get()) > within,
            Late::Never => false,
        };
        self.count.set(if expired { 0 } else { count.saturating_sub(1) });
        count != 0 && !expired
    }
}
