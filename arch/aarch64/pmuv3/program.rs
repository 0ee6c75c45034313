//! The image of what is placed, and how a placement gets into it and into the unit.
//!
//! A pair is one counter to everybody else: its first, the even one. The odd one counts the event
//! CHAIN, which is the first one's overflow; it interrupts for both.

use super::before::Before;
use super::encode::Demand;
use super::events::CHAIN;
use super::registers::{CYCLE_COUNTER, Select};
use crate::arch::aarch64::{Index, SystemRegister};
use crate::assign::{self, Way};
use crate::backend::{self, Slot};
use crate::counter::CounterSet;
use crate::error::{Conflict, Contention};
use crate::registers::Registers;
use crate::word::Word;

/// Whose the counters are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// The first counters of pairs.
    firsts: Word,
    /// What the unit held before.
    pub(super) before: Before,
}

impl backend::Image for Image {
    const BLANK: Self = Self { occupied: Word::new(0), firsts: Word::new(0), before: Before::nothing() };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// The most requests that are placed at once: one on each counter.
const MOST: usize = Index::LAST as usize + 1;

/// Fits `new` beside `kept`, on `all` counters of the unit.
#[inline(always)]
pub(super) fn place(all: CounterSet, kept: &Image, new: &[Demand], out: &mut [Slot]) -> Result<(), Conflict> {
    let free = all.without(kept.occupied.counters());
    if new.iter().any(|demand| !demand.pairs.is_empty()) {
        return place_pairs(free, new, out);
    }
    assign::match_masks(free, new, |demand| demand.counters, out)?;
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.partner = None;
        slot.bits = demand.word;
    }
    Ok(())
}

#[cold]
fn place_pairs(free: CounterSet, new: &[Demand], out: &mut [Slot]) -> Result<(), Conflict> {
    let mut demands = [assign::Demand::default(); MOST];
    for (demand, new) in demands.iter_mut().zip(new) {
        let ways = [Way::<0>::one(new.counters, new.word, []), Way::pair(new.pairs, new.word, [])];
        *demand = assign::Demand { ways };
    }
    let too_many = Conflict { requests: u64::MAX, over: Contention::Counters(free) };
    let demands = demands.get(..new.len()).ok_or(too_many)?;
    assign::search(free, |_| true, demands, out).map(drop)
}

/// The second counters of these pairs.
#[inline(always)]
const fn seconds(firsts: CounterSet) -> CounterSet {
    CounterSet::from_bits(firsts.bits() << 1)
}

impl Image {
    /// The first counters of pairs.
    #[inline(always)]
    pub(super) fn firsts(&self) -> CounterSet {
        self.firsts.counters()
    }

    /// These counters, and the second ones of those that are pairs.
    #[inline(always)]
    pub(super) fn both(&self, counters: CounterSet) -> CounterSet {
        counters.or(seconds(counters.and(self.firsts())))
    }

    /// Those of `counters` whose overflow is in this status: a pair's is its second counter's.
    #[inline(always)]
    pub(super) fn overflowed(&self, status: CounterSet, counters: CounterSet) -> CounterSet {
        let firsts = self.firsts();
        let of_pairs = CounterSet::from_bits(status.bits() >> 1).and(firsts);
        status.without(firsts).or(of_pairs).and(counters)
    }

    /// Takes a placement over, and writes it. `everywhere` counts at every level.
    #[inline(always)]
    pub(super) fn load<R>(&self, registers: &R, slots: &[Slot], everywhere: Select)
    where
        R: Registers<Address = SystemRegister, Index = Index>,
    {
        let mut interrupting = CounterSet::EMPTY;
        for slot in slots {
            self.occupied.set(self.occupied.counters().or(slot.occupies()).bits());
            interrupting = interrupting.or(slot.partner.unwrap_or(slot.counter).only());
            self.chain(registers, slot, everywhere);
            let is_fixed = slot.counter.number() >= CYCLE_COUNTER;
            let bits = if is_fixed { slot.bits & !Select::EVENT.bits() } else { slot.bits };
            registers.write(SystemRegister::any_select(slot.counter), bits);
        }
        registers.write(SystemRegister::INTERRUPT_SET, interrupting.bits());
    }

    /// Makes the second counter of a pair the upper half of the first, where a slot is one.
    ///
    /// It counts at every level, whatever the first one does: what it counts is the first one's
    /// overflow (D14.3, CHAIN).
    #[inline(always)]
    fn chain<R>(&self, registers: &R, slot: &Slot, everywhere: Select)
    where
        R: Registers<Address = SystemRegister, Index = Index>,
    {
        if let Some(second) = slot.partner {
            self.firsts.set(self.firsts.counters().or(slot.counter.only()).bits());
            registers.write(SystemRegister::any_select(second), everywhere.bits() | u64::from(CHAIN));
        }
    }

    /// Gives counters back. They interrupt no more; what they select stays.
    #[inline(always)]
    pub(super) fn release<R>(&self, registers: &R, counters: CounterSet)
    where
        R: Registers<Address = SystemRegister, Index = Index>,
    {
        let counters = self.both(counters);
        self.occupied.set(self.occupied.counters().without(counters).bits());
        self.firsts.set(self.firsts.counters().without(counters).bits());
        registers.write(SystemRegister::INTERRUPT_CLEAR, counters.bits());
    }
}
