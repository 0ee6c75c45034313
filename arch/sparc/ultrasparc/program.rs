//! The image of what the counters need, and the placement of requests.
//!
//! Both counters share the bits of the modes. Requests that agree on them are matched with counters; requests that
//! disagree cannot be counted together.

use super::capabilities::Capabilities;
use super::registers::Pcr;
use crate::arch::sparc::Half;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};
use crate::placement;
use crate::sync::{Cell, SharedSet};

/// The counters that can count a request, and the values that it needs in %pcr.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// Its selector on pic0 and on pic1.
    pub(super) selects: [u8; 2],
    pub(super) modes: Pcr,
}

impl Default for Demand {
    fn default() -> Self {
        Self { counters: CounterSet::EMPTY, selects: [0; 2], modes: Pcr::empty() }
    }
}

impl Demand {
    /// Returns what a counter that counts it adds to %pcr.
    fn bits(&self, half: Half) -> Pcr {
        Pcr::selecting(half, self.selects[usize::from(half.number() & 1)]).union(self.modes)
    }
}

/// The counters in use, and what they need in %pcr.
#[derive(Debug)]
pub struct Image {
    occupied: SharedSet,
    /// What each occupied counter adds to %pcr. It is written while the counter is not occupied.
    needs: [Cell; 2],
    /// The counters that are lent to user programs.
    lent: Cell,
}

/// The counters in use, and the modes in which they count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    counters: CounterSet,
    modes: Pcr,
}

impl contract::Occupancy for Occupancy {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.counters
    }
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { occupied: SharedSet::empty(), needs: [const { Cell::new(0) }; 2], lent: Cell::new(0) };

    fn occupancy(&self) -> Occupancy {
        let counters = self.occupied.counters();
        Occupancy { counters, modes: self.needs(counters).intersection(Pcr::MODES) }
    }
}

/// Places `new` requests beside those in use.
pub(super) fn place(beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    check_agreement(beside, new)?;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(Capabilities::COUNTERS.without(beside.counters), steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.bits(Half::of(slot.counter)).bits();
    }
    Ok(())
}

/// Checks that all requests count in the same modes, which are those in use if there are any.
fn check_agreement(beside: &Occupancy, new: &[Demand]) -> Result<(), Conflict> {
    let over = Contention::Register("%pcr's UT and ST");
    for (position, demand) in new.iter().enumerate() {
        if !beside.counters.is_empty() && beside.modes != demand.modes {
            return Err(Conflict { requests: Requests::from_bits(1 << position), over });
        }
        let earlier = new.iter().take(position).position(|earlier| earlier.modes != demand.modes);
        if let Some(other) = earlier {
            return Err(Conflict { requests: Requests::from_bits(1 << other | 1 << position), over });
        }
    }
    Ok(())
}

impl Image {
    /// Records a slot.
    #[inline(always)]
    pub(super) fn take(&self, slot: &Slot) {
        self.need(slot.counter).set(slot.bits);
        self.occupied.include(slot.counter.only());
    }

    /// Removes counters.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.exclude(counters);
    }

    /// Returns what these counters add to %pcr together.
    #[inline(always)]
    pub(super) fn needs(&self, counters: CounterSet) -> Pcr {
        let needs = counters.into_iter().map(|counter| Pcr::from_bits_retain(self.need(counter).get()));
        needs.fold(Pcr::empty(), Pcr::union)
    }

    #[inline(always)]
    fn need(&self, counter: CounterId) -> &Cell {
        &self.needs[usize::from(counter.number() & 1)]
    }

    /// Records which counters user programs may read.
    pub(super) fn lend(&self, counters: CounterSet) {
        self.lent.set(counters.bits());
    }

    /// Returns the bit that keeps user programs from reading %pic, unless they may. They read both counters or none.
    #[inline(always)]
    pub(super) fn privacy(&self) -> Pcr {
        if self.lent.get() == 0 { Pcr::PRIVILEGED } else { Pcr::empty() }
    }
}
