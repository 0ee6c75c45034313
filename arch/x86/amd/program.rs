//! The image of the selectors, and how a placement gets into it and into the unit.
//!
//! A merged pair is one counter to everybody else: its first. The second holds the event FFFH from
//! the load to the release, and is neither started nor read.

use super::before::Before;
use super::encode::{is_sampled, takes_pair};
use super::registers::Select;
use crate::arch::x86::{Block, Demand, Index, Msr, WayBack};
use crate::backend::{self, Slot};
use crate::contract::{Registers, Steps};
use crate::event::{Conflict, CounterId, CounterSet};
use crate::placement::{self, Choice, Problem, Takes};
use crate::sync::Word;

/// The selectors as they were last written, and whose they are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// Those of them that are started, read and asked for overflows: all but the second ones of
    /// pairs.
    counting: Word,
    /// The first counters of pairs.
    firsts: Word,
    /// The counters whose overflows were asked for.
    interrupting: Word,
    /// The table has 8 places so that an index needs no check.
    selects: [Word; 8],
    /// What the unit held before.
    pub(super) before: Before,
}

impl backend::Image for Image {
    type Occupancy = CounterSet;

    const BLANK: Self = Self {
        occupied: Word::new(0),
        counting: Word::new(0),
        firsts: Word::new(0),
        interrupting: Word::new(0),
        selects: [const { Word::new(0) }; 8],
        before: Before::nothing(),
    };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> CounterSet {
        self.occupied.counters()
    }
}

/// The second counters of these pairs.
#[inline(always)]
const fn seconds(firsts: CounterSet) -> CounterSet {
    CounterSet::from_bits(firsts.bits() << 1)
}

/// Fits `new` on counters that are `free`.
#[inline(always)]
pub(super) fn place(free: CounterSet, new: &[Demand], steps: Steps, out: &mut [Slot]) -> Result<(), Conflict> {
    if new.iter().any(takes_pair) {
        placement::solve(free, &WithPairs(new), steps, out)?;
    } else {
        for (demand, slot) in new.iter().zip(out.iter_mut()) {
            slot.bits = demand.counters.bits();
        }
        placement::match_masks(free, steps, out)?;
    }
    for (demand, slot) in new.iter().zip(out) {
        slot.bits = demand.word;
    }
    Ok(())
}

/// Requests of which some take a pair.
struct WithPairs<'a>(&'a [Demand]);

impl Problem for WithPairs<'_> {
    /// There is nothing to agree on.
    const STEPS: u32 = 0;

    fn length(&self) -> usize {
        self.0.len()
    }

    fn way(&self, choice: Choice) -> Option<(CounterSet, Takes)> {
        let demand = self.0.get(choice.request).filter(|_| choice.way == 0)?;
        Some((demand.counters, if takes_pair(demand) { Takes::Pair } else { Takes::One }))
    }

    fn are_alike(&self, one: usize, other: usize) -> bool {
        let way = |request| self.way(Choice { request, way: 0 });
        way(one) == way(other)
    }
}

impl Image {
    /// Makes the second counter of a pair the high half of the first, where a slot is one.
    #[inline(always)]
    pub(super) fn join<R>(&self, registers: &R, block: Block, slot: &Slot)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        if let Some(second) = slot.partner {
            self.firsts.set(self.firsts.counters().or(slot.counter.only()).bits());
            registers.write(select_register(block, second), (Select::MERGE | Select::ENABLE).bits());
        }
    }

    /// Takes a slot over, and writes its selector. `resting` is what a selector may have set while
    /// its counter does not count.
    #[inline(always)]
    pub(super) fn load<R>(&self, registers: &R, block: Block, slot: &Slot, resting: Select)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let select = Select::from_bits_truncate(slot.bits) & resting;
        self.select_word(slot.counter).set(select.bits());
        registers.write(select_register(block, slot.counter), select.bits());
        let others = self.interrupting.counters().without(slot.counter.only());
        let own = if is_sampled(slot.bits) { slot.counter.only() } else { CounterSet::EMPTY };
        self.interrupting.set(others.or(own).bits());
        self.occupied.set(self.occupied.counters().or(slot.occupies()).bits());
        self.counting.set(self.counting.counters().or(slot.counter.only()).bits());
    }

    /// Are any of these counters, or of these slots, pairs?
    #[inline(always)]
    pub(super) fn has_pairs(&self, counters: CounterSet, slots: &[Slot]) -> bool {
        !self.firsts.counters().and(counters).is_empty() || slots.iter().any(|slot| slot.partner.is_some())
    }

    /// Takes slots over in the stead of counters `old`, and writes the selectors that select something
    /// else by now. There are no pairs among either.
    #[inline(always)]
    pub(super) fn replace<R>(&self, registers: &R, block: Block, old: CounterSet, slots: &[Slot])
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let (mut new, mut interrupting) = (CounterSet::EMPTY, CounterSet::EMPTY);
        for slot in slots {
            let (counter, select) = (slot.counter.only(), Select::from_bits_truncate(slot.bits).bits());
            new = new.or(counter);
            interrupting = interrupting.or(if is_sampled(slot.bits) { counter } else { CounterSet::EMPTY });
            if !old.contains(slot.counter) || self.select(slot.counter) != select {
                self.select_word(slot.counter).set(select);
                registers.write(select_register(block, slot.counter), select);
            }
        }
        let replaced = |word: &Word| word.set(word.counters().without(old).or(new).bits());
        replaced(&self.counting);
        replaced(&self.occupied);
        self.interrupting.set(self.interrupting.counters().without(new).or(interrupting).bits());
    }

    /// Has a counter that is somebody's select what it did for another, where a unit starts and stops
    /// counters by one register: whether it was asked for overflows is of no account there.
    #[inline(always)]
    pub(super) fn reselect<R>(&self, registers: &R, way_back: &WayBack)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let noted = &self.selects[usize::from(way_back.place) & 7];
        if noted.get() != way_back.select {
            noted.set(way_back.select);
            registers.write(way_back.selector, way_back.select);
        }
    }

    /// Gives counters back. Their selectors stay in the registers, but for those that merge.
    #[inline(always)]
    pub(super) fn release<R>(&self, registers: &R, block: Block, counters: CounterSet)
    where
        R: Registers<Address = Msr, Index = Index>,
    {
        let split = self.firsts.counters().and(counters);
        for second in seconds(split) {
            registers.write(select_register(block, second), 0);
        }
        self.firsts.set(self.firsts.counters().without(split).bits());
        self.counting.set(self.counting.counters().without(counters).bits());
        self.occupied.set(self.occupied.counters().without(counters).bits());
    }

    /// The counters that are started, read and asked for overflows.
    #[inline(always)]
    pub(super) fn counting(&self) -> CounterSet {
        self.counting.counters()
    }

    /// The counters whose overflows were asked for, among others that nobody has any more.
    #[inline(always)]
    pub(super) fn interrupting(&self) -> CounterSet {
        self.interrupting.counters()
    }

    /// These counters, and those that they are merged with.
    #[inline(always)]
    pub(super) fn with_seconds(&self, counters: CounterSet) -> CounterSet {
        counters.or(seconds(self.firsts.counters().and(counters)))
    }

    /// The counter that is merged with this one.
    #[inline(always)]
    pub(super) fn second(&self, counter: CounterId) -> Option<CounterId> {
        seconds(self.firsts.counters().and(counter.only())).lowest()
    }

    /// What a counter selects while it rests.
    #[inline(always)]
    pub(super) fn select(&self, counter: CounterId) -> u64 {
        self.select_word(counter).get()
    }

    #[inline(always)]
    fn select_word(&self, counter: CounterId) -> &Word {
        &self.selects[(counter.number() & 7) as usize]
    }
}

/// The selector of a counter that the unit has.
#[inline(always)]
pub(super) const fn select_register(block: Block, counter: CounterId) -> Msr {
    Msr::at(block.first_select() + block.stride() * counter.number() as u32)
}

/// A counter that the unit has.
#[inline(always)]
pub(super) const fn counter_register(block: Block, counter: CounterId) -> Msr {
    Msr::at(block.first_counter() + block.stride() * counter.number() as u32)
}
