//! The image of what the counters need, and how a placement gets into it.
//!
//! All counters tell user from kernel by the same two bits, and compare with the same threshold. What
//! a request needs of these does not depend on the counter that it is placed on: requests that
//! agree are a matter of matching, and those that disagree cannot be together anywhere.

use super::need::Need;
use crate::arch::powerpc::Demand;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};
use crate::placement;
use crate::sync::{Cell, SharedSet};

/// What the counters need, and whose they are.
#[derive(Debug)]
pub struct Image {
    occupied: SharedSet,
    /// What each occupied counter needs, its selector included. It is written while the counter is not occupied. The
    /// table has 8 places so that an index needs no check.
    needs: [Cell; 8],
}

/// The counters in use, and what they need of what all counters share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    counters: CounterSet,
    /// Without what they select.
    need: Need,
}

impl contract::Occupancy for Occupancy {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.counters
    }
}

impl Occupancy {
    /// What the counters in use need together; `None` if there are none.
    fn held(&self) -> Option<Need> {
        (!self.counters.is_empty()).then_some(self.need)
    }
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { occupied: SharedSet::empty(), needs: [const { Cell::new(0) }; 8] };

    fn occupancy(&self) -> Occupancy {
        let counters = self.occupied.counters();
        Occupancy { counters, need: self.needs(counters).shared() }
    }
}

/// Fits `new` beside what is in use, on `all` counters of the unit.
pub(super) fn place(
    all: CounterSet,
    beside: &Occupancy,
    new: &[Demand],
    steps: Steps,
    out: &mut [Slot],
) -> Result<(), Conflict> {
    check_agreement(beside, new)?;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(all.without(beside.counters), steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = Need::from_bits(demand.word).selecting(slot.counter, demand.select).bits();
    }
    Ok(())
}

/// Do all agree on what they share, with what is there and with each other?
fn check_agreement(beside: &Occupancy, new: &[Demand]) -> Result<(), Conflict> {
    let kept = beside.held();
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
    /// Notes a slot.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.need(slot.counter).set(slot.bits);
        self.occupied.include(slot.counter.only());
    }

    /// Takes counters out.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.exclude(counters);
    }

    /// Returns what these counters need together.
    #[inline(always)]
    pub(super) fn needs(&self, counters: CounterSet) -> Need {
        let needs = counters.into_iter().map(|counter| Need::from_bits(self.need(counter).get()));
        needs.fold(Need::NOTHING, Need::and)
    }

    #[inline(always)]
    fn need(&self, counter: CounterId) -> &Cell {
        &self.needs[usize::from(counter.number() & 7)]
    }
}
