//! The image of what is placed, and how a placement gets into it and into the unit.
//!
//! A pair is one counter to everybody else: its upper half, the odd one, whose overflow is the
//! pair's. It counts the event CHAIN, which is the overflow of the even one before it. That one's
//! overflow stays where it is for as long as there is the pair: it interrupts nobody.

use super::before::Before;
use super::encode::Demand;
use super::events::CHAIN;
use super::registers::{CYCLE_COUNTER, Select};
use crate::arch::aarch64::{Index, SystemRegister};
use crate::backend::{self, Slot};
use crate::contract::{Registers, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement::{self, Choice, Problem, Takes};
use crate::sync::Word;

/// Whose the counters are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// The upper halves of pairs.
    pairs: Word,
    /// The counters of 32 bits, but for pairs.
    narrow: Word,
    /// What the unit held before.
    pub(super) before: Before,
}

impl backend::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self =
        Self { occupied: Word::new(0), pairs: Word::new(0), narrow: Word::new(0), before: Before::nothing() };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// A counter that is no pair, and what it selects for a thread.
#[derive(Clone, Copy, Debug)]
pub struct WayBack {
    pub(super) counter: CounterId,
    pub(super) select: u64,
}

impl WayBack {
    /// What is written for this slot.
    pub(super) const fn to(slot: &Slot) -> Self {
        Self { counter: slot.counter, select: select_of(slot.counter, slot.bits) }
    }
}

/// What the register of a counter holds that counts this: where it counts one thing, there is no event.
#[inline(always)]
const fn select_of(counter: CounterId, bits: u64) -> u64 {
    if counter.number() >= CYCLE_COUNTER { bits & !Select::EVENT.bits() } else { bits }
}

/// Fits `new` on counters that are `free`.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    if new.iter().any(|demand| !demand.pairs.is_empty()) {
        return place_pairs(free, new, steps, out);
    }
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(free, steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.word;
    }
    Ok(())
}

#[cold]
fn place_pairs(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    placement::solve(free, &WithPairs(new), steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.word;
        if let Some(upper) = slot.partner {
            slot.partner = Some(core::mem::replace(&mut slot.counter, upper));
        }
    }
    Ok(())
}

/// Requests that a counter could count alone, or a pair.
struct WithPairs<'a>(&'a [Demand]);

impl Problem for WithPairs<'_> {
    /// There is nothing to agree on.
    const STEPS: u32 = 0;

    fn length(&self) -> usize {
        self.0.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        let demand = self.0.get(choice.request)?;
        match choice.way {
            0 => Some((demand.counters, Takes::One)),
            1 => Some((demand.pairs, Takes::Pair)),
            _ => None,
        }
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        let masks = |request: usize| self.0.get(request).map(|demand| (demand.counters, demand.pairs));
        masks(one) == masks(other)
    }
}

/// The lower halves of these pairs.
#[inline(always)]
const fn lower(pairs: CounterSet) -> CounterSet {
    CounterSet::from_bits(pairs.bits() >> 1)
}

impl Image {
    /// The upper halves of pairs.
    #[inline(always)]
    pub(super) fn pairs(&self) -> CounterSet {
        self.pairs.counters()
    }

    /// The counters of 32 bits, but for pairs.
    #[inline(always)]
    pub(super) fn narrow(&self) -> CounterSet {
        self.narrow.counters()
    }

    /// There is no pair, and these counters have 32 bits.
    pub(super) fn begin(&self, narrow: CounterSet) {
        self.pairs.set(0);
        self.narrow.set(narrow.bits());
    }

    /// These counters, and the lower halves of those that are pairs.
    #[inline(always)]
    pub(super) fn both(&self, counters: CounterSet) -> CounterSet {
        counters.or(lower(counters.and(self.pairs())))
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
            interrupting = interrupting.or(slot.counter.only());
            let counting = slot.partner.unwrap_or(slot.counter);
            if slot.partner.is_some() {
                self.chain(registers, slot.counter, everywhere);
            }
            registers.write(SystemRegister::any_select(counting), select_of(counting, slot.bits));
        }
        registers.write(SystemRegister::INTERRUPT_SET, interrupting.bits());
    }

    /// Makes a counter the upper half of the one before it.
    ///
    /// It counts at every level, whatever the lower half does: what it counts is that one's overflow
    /// (D14.3, CHAIN).
    fn chain<R>(&self, registers: &R, upper: CounterId, everywhere: Select)
    where
        R: Registers<Address = SystemRegister, Index = Index>,
    {
        self.pairs.set(self.pairs().or(upper.only()).bits());
        self.narrow.set(self.narrow().without(upper.only()).bits());
        registers.write(SystemRegister::any_select(upper), everywhere.bits() | u64::from(CHAIN));
    }

    /// Gives counters back. They interrupt no more; what they select stays.
    #[inline(always)]
    pub(super) fn release<R>(&self, registers: &R, counters: CounterSet)
    where
        R: Registers<Address = SystemRegister, Index = Index>,
    {
        let pairs = counters.and(self.pairs());
        self.occupied.set(self.occupied.counters().without(counters).without(lower(pairs)).bits());
        if !pairs.is_empty() {
            self.split(registers, pairs);
        }
        registers.write(SystemRegister::INTERRUPT_CLEAR, counters.bits());
    }

    /// Makes two counters of each of these again, of which the lower one has no overflow.
    #[cold]
    fn split<R>(&self, registers: &R, pairs: CounterSet)
    where
        R: Registers<Address = SystemRegister, Index = Index>,
    {
        registers.write(SystemRegister::OVERFLOW_CLEAR, lower(pairs).bits());
        self.pairs.set(self.pairs().without(pairs).bits());
        self.narrow.set(self.narrow().or(pairs).bits());
    }
}
