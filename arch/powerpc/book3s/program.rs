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
use crate::counter::{CounterId, CounterSet};
use crate::word::Word;

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
}

/// What one counter makes of the registers.
#[derive(Debug)]
struct Part {
    /// What is different in MMCR0, MMCR1, MMCR2, MMCR3 and MMCRA while it counts.
    change: [Word; 5],
    needs: Needed,
}

impl Part {
    const fn nothing() -> Self {
        Self { change: [const { Word::new(0) }; 5], needs: Needed::nothing() }
    }

    #[inline(always)]
    fn note(&self, change: Words, needs: Needs) {
        let change = [change.mmcr0, change.mmcr1, change.mmcr2, change.mmcr3, change.mmcra];
        self.change.iter().zip(change).for_each(|(word, value)| word.set(value));
        self.needs.set(needs);
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
    /// What the counters that are somebody's need.
    needed: Needed,
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

impl backend::Image for Image {
    const BLANK: Self = Self {
        occupied: Word::new(0),
        needed: Needed::nothing(),
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
}

const NOT_LOADED: u64 = u64::MAX;

impl Image {
    /// What the counters that are somebody's need of shared fields.
    #[inline(always)]
    pub(super) fn needs(&self) -> Needs {
        self.needed.get()
    }

    /// May PMC5 and PMC6 count whatever CTRL\[RUN\] says?
    #[inline(always)]
    pub(super) fn runs_always(&self) -> bool {
        self.needed.others().agrees(&Needs::run(true))
    }

    /// Notes a placement.
    #[inline(always)]
    pub(super) fn note(&self, facts: &Facts, program: &Program, slots: &[Slot]) {
        for slot in slots {
            let change = Own::from_bits(slot.bits).change(facts.generation, slot.counter);
            self.part(slot.counter).note(change, program.0);
            self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
        }
        self.needed.set(self.needs().and(program.0));
        self.forget_loaded();
    }

    /// Gives counters back. What they needed stays in the registers until others count.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        let left = self.occupied.counters().without(counters);
        self.occupied.set(left.bits());
        self.needed.set(if left.is_empty() { Needs::NOTHING } else { self.needs_of(left) });
    }

    #[inline(never)]
    fn needs_of(&self, counters: CounterSet) -> Needs {
        counters.into_iter().fold(Needs::NOTHING, |needs, counter| needs.and(self.part(counter).needs.get()))
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
        loop {
            let withheld = self.withheld.get();
            let off = if withheld & !FIRST.bits() == 0 { 0 } else { Control::OTHERS.bits() };
            self.go.set(go & !off);
            if self.withheld.get() == withheld {
                break;
            }
        }
        self.loaded.set(exactly.bits());
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

    /// What the registers hold if exactly these count.
    #[inline(always)]
    pub(super) fn words(&self, facts: &Facts, idle: Words, exactly: CounterSet) -> Words {
        let mut words = idle;
        for counter in exactly {
            words = words ^ self.part(counter).change();
        }
        let words = words | self.needs().words();
        let mmcr0 = words.mmcr0 | control(facts, exactly).bits();
        Words { mmcr0, mmcra: sampling(facts.generation, words.mmcra), ..words }
    }

    #[inline(always)]
    fn part(&self, counter: CounterId) -> &Part {
        &self.parts[(counter.number() & 7) as usize]
    }
}

const FIRST: CounterSet = CounterSet::first(1);
const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// MMCR0 but for what counters need of it: a counter that counts alerts when it is negative. PMC1 to
/// PMC4 are frozen by one bit more where none of them counts, and so are PMC5 and PMC6.
#[inline(always)]
fn control(facts: &Facts, exactly: CounterSet) -> Control {
    let when = |applies: bool, bit: Control| if applies { bit } else { Control::empty() };
    let freezes = when(exactly.and(FIRST_FOUR).is_empty(), Control::FREEZE_FIRST_FOUR)
        | when(exactly.without(FIRST_FOUR).is_empty(), Control::FREEZE_LAST_TWO);
    // Where POWER4 and the 970 have these bits, PMC2SEL is.
    let parts = when(facts.generation > Generation::Ppc970, freezes & facts.control);
    let first = when(!exactly.and(FIRST).is_empty(), Control::FIRST);
    Control::ALERT | first | when(!exactly.without(FIRST).is_empty(), Control::OTHERS) | parts
}

/// MMCRA, with what every processor has there beside what events need: on POWER4 and the 970 one
/// operation of an instruction is marked; from POWER5 on SDAR follows misses, as SDAR_MODE says from
/// POWER8 on; on POWER10 the branch history is off.
const fn sampling(generation: Generation, mmcra: u64) -> u64 {
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
