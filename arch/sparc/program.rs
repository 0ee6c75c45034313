//! The image of what the counters need, and the placement of requests, for both families.
//!
//! Both counters share the bits of the modes, and the one that keeps user programs from reading %pic. These are in the same
//! places on all processors. Requests that agree on the modes are matched with counters; requests that disagree cannot
//! be counted together.

use super::Half;
use crate::contract::{self, Slot, Steps};
use crate::event::{Conflict, Contention, CounterId, CounterSet, Requests};
use crate::placement;
use crate::sync::Cell;

/// Both counters. Counter 0 is pic0.
pub(super) const COUNTERS: CounterSet = CounterSet::first(2);

/// The modes of both counters in %pcr: ST, UT and HT.
const MODES: u64 = 0b1110;
/// User programs cannot read %pic: PRIV in %pcr.
const PRIVILEGED: u64 = 1;

/// The counters that can count a request, and what it needs in %pcr.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// The counters that can count it.
    pub(super) counters: CounterSet,
    /// What it adds to %pcr on pic0 and on pic1: the selector and the modes.
    pub(super) needs: [u64; 2],
}

impl Default for Demand {
    fn default() -> Self {
        Self { counters: CounterSet::EMPTY, needs: [0; 2] }
    }
}

impl Demand {
    fn modes(&self) -> u64 {
        self.needs[0] & MODES
    }
}

/// The counters in use, and what they need in %pcr.
#[derive(Debug)]
pub struct Image {
    occupied: Cell,
    /// What each occupied counter adds to %pcr. It is written while the counter is not occupied.
    needs: [Cell; 2],
    /// The bit that keeps user programs from reading %pic, while they may read it.
    lent: Cell,
}

/// The counters in use, and the modes in which they count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    counters: CounterSet,
    modes: u64,
}

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self { occupied: Cell::new(0), needs: [const { Cell::new(0) }; 2], lent: Cell::new(0) };

    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.occupied.counters()
    }

    fn occupancy(&self) -> Occupancy {
        let counters = self.occupied.counters();
        Occupancy { counters, modes: self.control(counters, |_| 0) & MODES }
    }
}

/// Places `new` requests beside those in use.
pub(super) fn place(beside: &Occupancy, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    check_agreement(beside, new)?;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(COUNTERS.without(beside.counters), steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.needs[usize::from(Half::of(slot.counter).number() & 1)];
    }
    Ok(())
}

/// Checks that all requests count in the same modes, which are those in use if there are any.
fn check_agreement(beside: &Occupancy, new: &[Demand]) -> Result<(), Conflict> {
    let over = Contention::Register("%pcr's modes (UT, ST, HT)");
    for (position, demand) in new.iter().enumerate() {
        if !beside.counters.is_empty() && beside.modes != demand.modes() {
            return Err(Conflict::new(Requests::from_bits(1 << position), over));
        }
        let earlier = new.iter().take(position).position(|earlier| earlier.modes() != demand.modes());
        if let Some(other) = earlier {
            return Err(Conflict::new(Requests::from_bits(1 << other | 1 << position), over));
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

    /// Returns what %pcr holds while exactly these counters count. A half that does not adds what `idle` returns.
    #[inline(always)]
    pub(super) fn control(&self, exactly: CounterSet, idle: impl Fn(Half) -> u64) -> u64 {
        let [pic0, pic1] = Half::ALL.map(|half| match exactly.contains(half.counter()) {
            true => self.need(half.counter()).get(),
            false => idle(half),
        });
        pic0 | pic1 | self.privacy()
    }

    #[inline(always)]
    fn need(&self, counter: CounterId) -> &Cell {
        &self.needs[usize::from(counter.number() & 1)]
    }

    /// Records which counters user programs may read.
    pub(super) fn lend(&self, counters: CounterSet) {
        self.lent.set(if counters.is_empty() { 0 } else { PRIVILEGED });
    }

    /// Returns the bit that keeps user programs from reading %pic, unless they may. They read both counters or none.
    #[inline(always)]
    pub(super) fn privacy(&self) -> u64 {
        PRIVILEGED ^ self.lent.get()
    }
}
