//! The image of what the counters need, and the placement of requests.
//!
//! All counters share the two bits that filter user and kernel mode, and the threshold. What
//! a request needs of these does not depend on its counter. Requests that
//! agree are matched with counters, and those that disagree cannot be counted together.

use super::need::Need;
use crate::arch::powerpc::Demand;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};
use crate::placement;
use crate::sync::Cell;

/// The counters in use, and what they need.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// What each occupied counter needs, its selector included. It is written while the counter is not occupied. The
    /// table has 8 places so that an index needs no check.
    needs: [Cell; 8],
    /// MMCR1 as it was last written, beside [`IS_WRITTEN`]; 0 if that is not known.
    selects: Cell,
    /// 1 while MMCR0 is known to freeze all counters.
    pub(super) is_frozen: Cell,
    /// 1 while the registers are written.
    pub(super) is_writing: Cell,
    /// 1 if an overflow handler has interrupted the writes, and left the unit halted.
    pub(super) is_interrupted: Cell,
}

/// A bit that MMCR1 does not have.
const IS_WRITTEN: u64 = 1 << 32;

/// The counters in use, and what they need in the fields that all counters share.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    counters: CounterSet,
    /// Without their selectors.
    need: Need,
}

impl Occupancy {
    /// Returns what the counters in use need together; `None` if there are none.
    fn held(&self) -> Option<Need> {
        (!self.counters.is_empty()).then_some(self.need)
    }
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Cell::new(0),
        needs: [const { Cell::new(0) }; 8],
        selects: Cell::new(0),
        is_frozen: Cell::new(0),
        is_writing: Cell::new(0),
        is_interrupted: Cell::new(0),
    };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    fn occupancy(&self) -> Occupancy {
        let counters = self.occupied.counters();
        Occupancy { counters, need: self.needs(counters).shared() }
    }
}

/// Places `new` requests beside those in use. `all` are the counters of the unit.
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

/// Checks that all requests agree on the shared fields with each other and with those in use.
fn check_agreement(beside: &Occupancy, new: &[Demand]) -> Result<(), Conflict> {
    let kept = beside.held();
    for (position, demand) in new.iter().enumerate() {
        let need = Need::from_bits(demand.word);
        if let Some(name) = kept.and_then(|kept| kept.clash(need)) {
            return Err(Conflict::new(Requests::from_bits(1 << position), Contention::Register(name)));
        }
        for (other, earlier) in new.iter().take(position).enumerate() {
            if let Some(name) = Need::from_bits(earlier.word).clash(need) {
                return Err(Conflict::new(Requests::from_bits(1 << other | 1 << position), Contention::Register(name)));
            }
        }
    }
    Ok(())
}

impl Image {
    /// Records a slot.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.need(slot.counter).set(slot.bits);
        self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
    }

    /// Removes counters.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// Records that MMCR1 is written with this. Returns false if it holds it.
    #[inline(always)]
    pub(super) fn renews_selects(&self, selects: u64) -> bool {
        let before = self.selects.get();
        self.selects.set(selects | IS_WRITTEN);
        before != selects | IS_WRITTEN
    }

    /// Returns what these counters need together.
    #[inline(always)]
    pub(super) fn needs(&self, counters: CounterSet) -> Need {
        let needs = counters.into_iter().map(|counter| Need::from_bits(self.need(counter).get()));
        needs.fold(Need::NOTHING, Need::and)
    }

    /// The registers were halted, and may hold anything. No write that was begun goes on.
    pub(super) fn begin_anew(&self) {
        self.selects.set(0);
        self.is_frozen.set(1);
        self.is_writing.set(0);
        self.is_interrupted.set(0);
    }

    #[inline(always)]
    fn need(&self, counter: CounterId) -> &Cell {
        &self.needs[usize::from(counter.number() & 7)]
    }
}
