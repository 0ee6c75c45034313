//! The image of the control registers, and how a placement gets into it.
//!
//! What a counter has to itself and what it needs in shared fields is kept for each counter apart:
//! what the registers hold is put together from that when the set that counts changes.

use super::before::Before;
use super::code::{FIELDS, SHARED, shared_words};
use super::encode::Demand;
use super::facts::{Facts, Generation};
use super::registers::Control;
use super::words::{Own, Words};
use crate::assign::{self, Field};
use crate::backend::{self, Slot};
use crate::counter::{CounterId, CounterSet};
use crate::error::Conflict;
use crate::word::Word;

/// The most counters that a unit has.
const COUNTERS: usize = 8;

/// For each request of a placement, in order, what it needs in shared registers.
pub type Program = [[Field; FIELDS]; COUNTERS];

/// What one counter needs of the registers.
#[derive(Debug)]
struct Part {
    /// Its own fields of MMCR0, MMCR1, MMCR2, MMCR3 and MMCRA.
    own: [Word; 5],
    masks: [Word; SHARED],
    values: [Word; SHARED],
}

impl Part {
    const fn nothing() -> Self {
        Self {
            own: [const { Word::new(0) }; 5],
            masks: [const { Word::new(0) }; SHARED],
            values: [const { Word::new(0) }; SHARED],
        }
    }

    fn note(&self, own: Words, fields: &[Field; FIELDS]) {
        let own = [own.mmcr0, own.mmcr1, own.mmcr2, own.mmcr3, own.mmcra];
        self.own.iter().zip(own).for_each(|(word, value)| word.set(value));
        self.masks.iter().chain(&self.values).for_each(|word| word.set(0));
        for field in fields.iter().filter(|field| !field.is_nothing()) {
            let number = usize::from(field.register.number());
            if let (Some(mask), Some(value)) = (self.masks.get(number), self.values.get(number)) {
                mask.set(mask.get() | field.mask);
                value.set(value.get() | field.value);
            }
        }
    }

    fn own(&self) -> Words {
        let [mmcr0, mmcr1, mmcr2, mmcr3, mmcra] = self.own.each_ref().map(Word::get);
        Words { mmcr0, mmcr1, mmcr2, mmcr3, mmcra }
    }

    fn shared(&self) -> Words {
        shared_words(self.values.each_ref().map(Word::get))
    }

    fn agrees(&self, field: &Field) -> bool {
        let number = usize::from(field.register.number());
        match (self.masks.get(number), self.values.get(number)) {
            (Some(mask), Some(value)) => (value.get() ^ field.value) & mask.get() & field.mask == 0,
            _ => true,
        }
    }
}

/// The control registers as they were last written, and whose they are.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    parts: [Part; COUNTERS],
    /// The counters that MMCR1 and MMCR2 let count; no set of counters while they are being written.
    loaded: Word,
    /// What goes into MMCR0 to let those count.
    go: Word,
    /// The counters that were last let count.
    pub(super) running: Word,
    /// The counters whose overflow shall not alert, though it has not been accounted for.
    pub(super) withheld: Word,
    /// Had an alert occurred when the unit was last halted? Kept on POWER7 alone.
    pub(super) alerted: Word,
    /// What the unit held before.
    pub(super) before: Before,
}

impl backend::Image for Image {
    const BLANK: Self = Self {
        occupied: Word::new(0),
        parts: [const { Part::nothing() }; COUNTERS],
        loaded: Word::new(NOT_LOADED),
        go: Word::new(0),
        running: Word::new(0),
        withheld: Word::new(0),
        alerted: Word::new(0),
        before: Before::nothing(),
    };

    #[inline(always)]
    fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }
}

const NOT_LOADED: u64 = u64::MAX;

/// Fits `new` beside `kept`.
pub(super) fn place(facts: &Facts, kept: &Image, new: &[Demand], out: &mut [Slot]) -> Result<Program, Conflict> {
    let free = facts.usable.without(kept.occupied.counters());
    let placement = assign::search(free, |field| kept.agrees(field), new, out)?;
    let mut program = [[Field::NOTHING; FIELDS]; COUNTERS];
    for (fields, way) in program.iter_mut().zip(placement.ways()) {
        *fields = way.fields;
    }
    Ok(program)
}

impl Image {
    /// Do the counters that are somebody's leave room for this field?
    fn agrees(&self, field: &Field) -> bool {
        self.occupied.counters().into_iter().all(|counter| self.part(counter).agrees(field))
    }

    /// Notes a placement.
    pub(super) fn note(&self, facts: &Facts, program: &Program, slots: &[Slot]) {
        for (slot, fields) in slots.iter().zip(program) {
            let own = Own::from_bits(slot.bits).words(facts.generation, slot.counter);
            self.part(slot.counter).note(own, fields);
            self.occupied.set(self.occupied.counters().or(slot.counter.only()).bits());
        }
        self.forget_loaded();
    }

    /// Gives counters back. What they needed stays in the registers until others count.
    #[inline(always)]
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied.counters().without(counters).bits());
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

    /// MMCR1 and MMCR2 let these count, and MMCR0 does with this.
    #[inline(always)]
    pub(super) fn set_loaded(&self, exactly: CounterSet, go: u64) {
        self.go.set(go);
        self.loaded.set(exactly.bits());
    }

    /// What goes into MMCR0 to let count what is loaded: PMC2 and those after it have one condition,
    /// which is off while one of them is withheld.
    #[inline(always)]
    pub(super) fn go(&self) -> u64 {
        let withheld = self.withheld.counters().without(FIRST);
        if withheld.is_empty() { self.go.get() } else { self.go.get() & !Control::OTHERS.bits() }
    }

    /// What the registers hold if exactly these count.
    pub(super) fn words(&self, facts: &Facts, exactly: CounterSet) -> Words {
        let idle = Own::idle(facts.generation);
        let own = |counter: CounterId| {
            if exactly.contains(counter) { self.part(counter).own() } else { idle.words(facts.generation, counter) }
        };
        let shared = |counter: CounterId| self.part(counter).shared();
        let all = facts.usable.into_iter().map(own).chain(self.occupied.counters().into_iter().map(shared));
        let words = all.fold(control(facts, exactly), |words, part| words | part);
        Words { mmcra: sampling(facts.generation, words.mmcra), ..words }
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
fn control(facts: &Facts, exactly: CounterSet) -> Words {
    let first_four = exactly.and(FIRST_FOUR).is_empty();
    // Where POWER4 and the 970 have these bits, PMC2SEL is.
    let parts = if facts.generation > Generation::Ppc970 { facts.control } else { Control::empty() };
    let conditions = [
        (!exactly.and(FIRST).is_empty(), Control::FIRST),
        (!exactly.without(FIRST).is_empty(), Control::OTHERS),
        (first_four, Control::FREEZE_FIRST_FOUR & parts),
        (exactly.without(FIRST_FOUR).is_empty(), Control::FREEZE_LAST_TWO & parts),
    ];
    let set = conditions.into_iter().filter(|(applies, _)| *applies);
    let mmcr0 = set.fold(Control::ALERT, |control, (_, bit)| control | bit);
    Words { mmcr0: mmcr0.bits(), ..Words::NOTHING }
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
