//! The image of what the counters need, and how a placement gets into it.
//!
//! All counters tell user from kernel by the same two bits, and compare with the same threshold. What
//! a request needs of these does not depend on the counter that it is placed on: requests that
//! agree are a matter of matching, and those that disagree cannot be together anywhere.

use super::before::Before;
use super::need::Need;
use crate::arch::powerpc::Demand;
use crate::assign;
use crate::backend::{self, Slot};
use crate::counter::{CounterId, CounterSet};
use crate::error::{Conflict, Contention};
use crate::requests::Requests;
use crate::word::Word;

/// What the counters need, and whose they are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// What each occupied counter needs, its selector included. The table has 8 places so that an
    /// index needs no check.
    needs: [Word; 8],
    /// The counters that were last let go.
    pub(super) running: Word,
    /// The counters whose overflow is not let through, though it has not been accounted for.
    pub(super) withheld: Word,
    /// What the unit held before.
    pub(super) before: Before,
}

impl backend::Image for Image {
    const BLANK: Self = Self {
        occupied: Word::new(0),
        needs: [const { Word::new(0) }; 8],
        running: Word::new(0),
        withheld: Word::new(0),
        before: Before::nothing(),
    };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// Fits `new` beside `kept`, on `all` counters of the unit.
pub(super) fn place(all: CounterSet, kept: &Image, new: &[Demand], out: &mut [Slot]) -> Result<(), Conflict> {
    check_agreement(kept, new)?;
    let free = all.without(kept.occupied.counters());
    assign::match_masks(free, new, |demand| demand.counters, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.partner = None;
        slot.bits = Need::from_bits(demand.word).selecting(slot.counter, demand.select).bits();
    }
    Ok(())
}

/// Do all agree on what they share, with what is there and with each other?
fn check_agreement(kept: &Image, new: &[Demand]) -> Result<(), Conflict> {
    let kept = kept.held();
    for (position, demand) in new.iter().enumerate() {
        let need = Need::from_bits(demand.word);
        if let Some(name) = kept.and_then(|kept| kept.clash(need)) {
            return Err(Conflict { requests: Requests::from_bits(1 << position), over: Contention::Register(name) });
        }
        for (other, earlier) in new.iter().take(position).enumerate() {
            if let Some(name) = Need::from_bits(earlier.word).clash(need) {
                return Err(Conflict {
                    requests: Requests::from_bits(1 << other | 1 << position),
                    over: Contention::Register(name),
                });
            }
        }
    }
    Ok(())
}

impl Image {
    /// Takes a slot over.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.need(slot.counter).set(slot.bits);
        self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
    }

    /// Gives counters back.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// What these counters need together.
    #[inline(always)]
    pub(super) fn needs(&self, counters: CounterSet) -> Need {
        let needs = counters.into_iter().map(|counter| Need::from_bits(self.need(counter).get()));
        needs.fold(Need::NOTHING, Need::and)
    }

    /// What the occupied counters need together; `None` if there are none.
    fn held(&self) -> Option<Need> {
        let occupied = self.occupied.counters();
        (!occupied.is_empty()).then(|| self.needs(occupied))
    }

    #[inline(always)]
    fn need(&self, counter: CounterId) -> &Word {
        &self.needs[usize::from(counter.number() & 7)]
    }
}
