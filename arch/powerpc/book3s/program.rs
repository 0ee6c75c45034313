//! The image of the control registers, and how a placement gets into it.
//!
//! Kept for each counter apart is what it changes in the registers of a unit in which nothing counts, and
//! what it needs in shared fields: what the registers hold is put together from that when the set that
//! counts changes.

use super::before::Before;
use super::code::{Needs, WORDS};
use super::facts::Facts;
use super::generation::Generation;
use super::registers::Control;
use super::words::{Own, Words};
use crate::backend::{self, Slot};
use crate::contract;
use crate::event::{CounterId, CounterSet};
use crate::sync::Word;

/// The most counters that a unit has.
pub(super) const COUNTERS: usize = 8;

/// What the requests of a placement need in shared fields: they agree, and are given back together.
#[derive(Clone, Copy, Debug)]
pub struct Program(pub(super) Needs);

/// What is needed of shared fields, as the thread and the interrupt share it.
#[derive(Debug)]
struct Needed([Word; WORDS]);

impl Needed {
    const fn nothing() -> Self {
        Self([const { Word::new(0) }; WORDS])
    }

    #[inline(always)]
    fn get(&self) -> Needs {
        Needs::from_array(self.0.each_ref().map(Word::get))
    }

    /// Those that are not MMCR1's nor MMCRA's.
    #[inline(always)]
    fn others(&self) -> Needs {
        Needs::from_array([0, 0, 0, 0, self.0[WORDS - 1].get()])
    }

    #[inline(always)]
    fn set(&self, needs: Needs) {
        self.0.iter().zip(needs.to_array()).for_each(|(word, value)| word.set(value));
    }

    #[inline(always)]
    fn set_others(&self, needs: Needs) {
        self.0[WORDS - 1].set(needs.to_array()[WORDS - 1]);
    }
}

/// What one counter makes of the registers.
#[derive(Debug)]
struct Part {
    /// What is different in MMCR0, MMCR1, MMCR2, MMCR3 and MMCRA while it counts.
    change: [Word; 5],
    /// Of those of MMCR1 and MMCRA only if the counter is one that selects.
    needs: Needed,
}

impl Part {
    const fn nothing() -> Self {
        Self { change: [const { Word::new(0) }; 5], needs: Needed::nothing() }
    }

    #[inline(always)]
    fn note<const SINCE_POWER8: bool>(&self, change: Words, needs: Needs) {
        let [mmcr0, mmcr1, mmcr2, mmcr3, mmcra] = &self.change;
        if !SINCE_POWER8 {
            mmcr0.set(change.mmcr0);
            mmcra.set(change.mmcra);
        }
        mmcr1.set(change.mmcr1);
        mmcr2.set(change.mmcr2);
        mmcr3.set(change.mmcr3);
        self.needs.set_others(needs);
    }

    #[inline(always)]
    fn change(&self) -> Words {
        let [mmcr0, mmcr1, mmcr2, mmcr3, mmcra] = self.change.each_ref().map(Word::get);
        Words { mmcr0, mmcr1, mmcr2, mmcr3, mmcra }
    }
}

/// The control registers as they were last written, and whose they are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    /// What the counters that are somebody's need; of MMCR1 and MMCRA only if one of them selects.
    needed: Needed,
    /// Those of them that need something of MMCR1 or MMCRA, as few do.
    selecting: Word,
    /// What MMCRA was last written with, but for what every processor has there.
    written: Word,
    parts: [Part; COUNTERS],
    /// The counters that MMCR1 and MMCR2 let count; no set of counters while they are being written.
    loaded: Word,
    /// What goes into MMCR0 to let those count.
    go: Word,
    /// The counters that were last let count.
    pub(super) running: Word,
    /// The counters whose overflow shall not alert, though it has not been accounted for.
    withheld: Word,
    /// Had an alert occurred when the unit was last halted? Kept on POWER7 alone.
    pub(super) alerted: Word,
    /// What of MMCR0 stays clear while counters are lent to a program.
    pub(super) lent: Word,
    /// What the unit held before.
    pub(super) before: Before,
}

/// The counters in use, and what they need of shared fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Occupancy {
    pub(super) counters: CounterSet,
    pub(super) needs: Needs,
}

impl contract::Occupancy for Occupancy {
    #[inline(always)]
    fn counters(&self) -> CounterSet {
        self.counters
    }
}

impl backend::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Word::new(0),
        needed: Needed::nothing(),
        selecting: Word::new(0),
        written: Word::new(NOT_WRITTEN),
        parts: [const { Part::nothing() }; COUNTERS],
        loaded: Word::new(NOT_LOADED),
        go: Word::new(0),
        running: Word::new(0),
        withheld: Word::new(0),
        alerted: Word::new(0),
        lent: Word::new(0),
        before: Before::nothing(),
    };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        Occupancy { counters: self.occupied.counters(), needs: self.needs() }
    }
}

const NOT_LOADED: u64 = u64::MAX;
/// No event needs all bits of MMCRA.
const NOT_WRITTEN: u64 = u64::MAX;

impl Image {
    /// What the counters that are somebody's need of shared fields.
    #[inline(always)]
    pub(super) fn needs(&self) -> Needs {
        if self.selecting.get() == 0 { self.needed.others() } else { self.needed.get() }
    }

    /// Notes what a counter makes of the registers; answers that. It is nobody's yet.
    #[inline(always)]
    pub(super) fn note<const SINCE_POWER8: bool>(&self, facts: &Facts, needs: Needs, slot: Slot) -> Words {
        let change = Own::from_bits(slot.bits).change::<SINCE_POWER8>(facts.generation, slot.counter);
        self.part(slot.counter).note::<SINCE_POWER8>(change, needs);
        change
    }

    /// From here on these counters are somebody's, as they were noted; answers those that were before.
    #[inline(always)]
    pub(super) fn add(&self, needs: Needs, new: CounterSet) -> CounterSet {
        if !needs.selects_nothing() {
            self.add_selecting(needs, new);
        }
        self.needed.set_others(self.needed.others().and(needs));
        let others = self.occupied.counters();
        self.occupied.set(others.or(new).bits());
        self.forget_loaded();
        others
    }

    #[inline(never)]
    fn add_selecting(&self, needs: Needs, new: CounterSet) {
        self.needed.set(self.needs().and(needs));
        new.into_iter().for_each(|counter| self.part(counter).needs.set(needs));
        self.selecting.set(self.selecting.counters().or(new).bits());
    }

    /// Gives counters back. What they needed stays in the registers until others count.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        let left = self.occupied.counters().without(counters);
        self.occupied.set(left.bits());
        if left.or(self.selecting.counters()).is_empty() {
            self.needed.set_others(Needs::NOTHING);
        } else {
            self.release_amid(left);
        }
    }

    #[inline(never)]
    fn release_amid(&self, left: CounterSet) {
        self.selecting.set(self.selecting.counters().and(left).bits());
        self.needed.set(left.into_iter().fold(Needs::NOTHING, |needs, counter| needs.and(self.needs_of(counter))));
    }

    fn needs_of(&self, counter: CounterId) -> Needs {
        let needs = &self.part(counter).needs;
        if self.selecting.counters().contains(counter) { needs.get() } else { needs.others() }
    }

    /// Was MMCRA last written with this?
    #[inline(always)]
    pub(super) fn has_written(&self, mmcra: u64) -> bool {
        self.written.get() == mmcra
    }

    pub(super) fn note_written(&self, mmcra: u64) {
        self.written.set(mmcra);
    }

    /// Nothing is known of the registers.
    pub(super) fn forget_written(&self) {
        self.written.set(NOT_WRITTEN);
        self.forget_loaded();
    }

    /// The counters that MMCR1 and MMCR2 let count, if they are known to.
    #[inline(always)]
    pub(super) fn is_loaded(&self, exactly: CounterSet) -> bool {
        self.loaded.get() == exactly.bits()
    }

    #[inline(always)]
    pub(super) fn forget_loaded(&self) {
        self.loaded.set(NOT_LOADED);
    }

    /// MMCR1 and MMCR2 let these count, and MMCR0 does with this: PMC2 and those after it have one
    /// condition, which is off while one of them is withheld. An interrupt amid it may withhold one.
    #[inline(always)]
    pub(super) fn set_loaded(&self, exactly: CounterSet, go: u64) {
        self.go.set(go);
        if self.withholds_any() {
            self.keep_withheld(go);
        }
        self.loaded.set(exactly.bits());
    }

    #[cold]
    #[inline(never)]
    fn keep_withheld(&self, go: u64) {
        loop {
            let withheld = self.withheld.get();
            let off = if withheld & !FIRST.bits() == 0 { 0 } else { Control::OTHERS.bits() };
            self.go.set(go & !off);
            if self.withheld.get() == withheld {
                break;
            }
        }
    }

    /// What goes into MMCR0 to let count what is loaded.
    #[inline(always)]
    pub(super) fn go(&self) -> u64 {
        self.go.get()
    }

    /// Keeps these counters from alerting from the next start on.
    pub(super) fn withhold(&self, counters: CounterSet) {
        self.withheld.update(|word| word | counters.bits());
        self.forget_loaded();
    }

    #[inline(always)]
    pub(super) fn withholds_any(&self) -> bool {
        self.withheld.get() != 0
    }

    /// Lets them alert from the next start on.
    #[cold]
    pub(super) fn admit(&self, counters: CounterSet) {
        self.withheld.update(|word| word & !counters.bits());
        self.forget_loaded();
    }

    /// What the registers hold if these counters count beside those that `words` lets count.
    #[inline(always)]
    pub(super) fn with_others(&self, counters: CounterSet, words: Words) -> Words {
        counters.into_iter().fold(words, |words, counter| words ^ self.part(counter).change())
    }

    /// The same, with what the counters that are somebody's need.
    #[inline(always)]
    pub(super) fn with_needs(&self, words: Words) -> Words {
        words | self.needs().words()
    }

    #[inline(always)]
    fn part(&self, counter: CounterId) -> &Part {
        &self.parts[(counter.number() & 7) as usize]
    }
}

const FIRST: CounterSet = CounterSet::first(1);
const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// MMCR0 but for what counters need of it: a counter that counts alerts when it is negative. PMC1 to
/// PMC4 are frozen by one bit more where none of them counts, and so are PMC5 and PMC6, as far as the unit
/// has these `parts`.
#[inline(always)]
pub(super) fn control(parts: Control, exactly: CounterSet) -> u64 {
    let when = |applies: bool, bit: Control| u64::from(applies) << bit.bits().trailing_zeros();
    let freezes = when(exactly.and(FIRST_FOUR).is_empty(), Control::FREEZE_FIRST_FOUR)
        | when(exactly.without(FIRST_FOUR).is_empty(), Control::FREEZE_LAST_TWO);
    let first = when(exactly.contains(CounterId::ZERO), Control::FIRST);
    let others = when(!exactly.without(FIRST).is_empty(), Control::OTHERS);
    Control::ALERT.bits() | first | others | freezes & parts.bits()
}

/// MMCRA, with what every processor has there beside what events need: on POWER4 and the 970 one
/// operation of an instruction is marked; from POWER5 on SDAR follows misses, as SDAR_MODE says from
/// POWER8 on; on POWER10 the branch history is off.
pub(super) const fn sampling(generation: Generation, mmcra: u64) -> u64 {
    const MODE: u64 = 3 << 42;
    let is_marking = mmcra & 1 != 0;
    let follows = if is_marking || mmcra & MODE != 0 { 0 } else { 2 << 42 };
    match generation {
        Generation::Power4 | Generation::Ppc970 => mmcra | 0x2000,
        Generation::Power5 | Generation::Power5Plus | Generation::Power6 | Generation::Power7 => mmcra | 0x6000_0000,
        Generation::Power8 => mmcra | 1 << 42,
        Generation::Power9 => mmcra | follows,
        Generation::Power10 => mmcra | follows | 1 << 37,
    }
}
