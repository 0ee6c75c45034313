//! The image of the counters' own words, and how a placement gets into it and into the unit.

use super::before::Before;
use super::facts::Facts;
use super::registers::Local;
use crate::arch::powerpc::{Demand, Pmr};
use crate::backend::{self, Slot};
use crate::contract::{Registers, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement;
use crate::sync::Word;

/// The words that the counters were last given, and whose the counters are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// PMLCan in the low half, PMLCbn in the high half.
    words: [Word; 4],
    /// What the unit held before.
    pub(super) before: Before,
}

impl backend::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self { occupied: Word::new(0), words: [const { Word::new(0) }; 4], before: Before::nothing() };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// Fits `new` on counters that are `free`: counters share nothing but how many they are.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    for (demand, slot) in new.iter().zip(out.iter_mut()) {
        slot.bits = demand.counters.bits();
    }
    placement::match_masks(free, steps, out)?;
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.word;
    }
    Ok(())
}

impl Image {
    /// Takes a slot over and writes its words; its counter is frozen.
    #[inline(always)]
    pub(super) fn load<R>(&self, registers: &R, facts: &Facts, slot: &Slot)
    where
        R: Registers<Address = Pmr, Index = Pmr>,
    {
        self.word(slot.counter).set(slot.bits);
        registers.write(Pmr::local_of(slot.counter), self.frozen(slot.counter));
        if facts.has_threshold() {
            registers.write(Pmr::threshold_of(slot.counter), slot.bits >> 32);
        }
        self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
    }

    /// Gives counters back. They are frozen, one by one: the next start lets the rest go on.
    #[inline(always)]
    pub(super) fn release<R>(&self, registers: &R, counters: CounterSet)
    where
        R: Registers<Address = Pmr, Index = Pmr>,
    {
        for counter in counters {
            registers.write(Pmr::local_of(counter), self.frozen(counter));
        }
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// PMLCan of a counter that counts.
    #[inline(always)]
    pub(super) fn running(&self, counter: CounterId) -> u64 {
        u64::from(self.word(counter).get() as u32)
    }

    /// PMLCan of a counter that rests: an overflow that it has had is no condition any more.
    #[inline(always)]
    pub(super) fn frozen(&self, counter: CounterId) -> u64 {
        let rests = Local::FREEZE.bits() | self.running(counter) as u32 & !Local::CONDITION.bits();
        u64::from(rests)
    }

    #[inline(always)]
    fn word(&self, counter: CounterId) -> &Word {
        &self.words[usize::from(counter.number() & 3)]
    }
}
