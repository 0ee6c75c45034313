//! The image of the control registers, and how a placement gets into it.
//!
//! Loading only notes what each counter needs. What the registers hold depends on the counters that run: it is put
//! together when others are to run than did before.

use super::code::{Needs, WORDS};
use super::facts::Facts;
use super::generation::Generation;
use super::registers::Control;
use super::words::{Held, Own, Words};
use crate::contract::{self, Slot};
use crate::event::{CounterId, CounterSet};
use crate::sync::Word;

/// The most counters that a unit has.
pub(super) const COUNTERS: usize = 8;

/// What the requests of a placement need in shared fields.
#[derive(Clone, Copy, Default, Debug)]
pub struct Program(pub(super) Needs);

/// What one counter needs.
#[derive(Debug)]
struct Part {
    /// The fields that are its own: [`Own`].
    own: Word,
    /// What its placement needs in shared fields.
    needs: [Word; WORDS],
}

impl Part {
    const fn blank() -> Self {
        Self { own: Word::new(0), needs: [const { Word::new(0) }; WORDS] }
    }

    fn needs(&self) -> Needs {
        Needs::from_array(self.needs.each_ref().map(Word::get))
    }

    fn set(&self, own: u64, needs: Needs) {
        self.own.set(own);
        self.needs.iter().zip(needs.to_array()).for_each(|(word, value)| word.set(value));
    }
}

/// What the counters need, and the control registers as they were last written.
#[derive(Debug)]
pub struct Image {
    occupied: Word,
    parts: [Part; COUNTERS],
    /// The counters that the registers are written for; 0 if that is not known, or if there are none.
    pub(super) selected: Word,
    /// What MMCRA, MMCR3, MMCR1 and MMCR2 hold, and what lets `selected` count in MMCR0.
    pub(super) written: Held,
    /// The counters that count.
    pub(super) running: Word,
    /// The counters that counted when the unit was last halted, if an alert had occurred. Kept on POWER7 alone.
    pub(super) alerted: Word,
    /// The counters that are lent to a program.
    pub(super) lent: Word,
}

/// The counters in use, and what they need in shared fields.
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

impl contract::Image for Image {
    type Occupancy = Occupancy;

    const BLANK: Self = Self {
        occupied: Word::new(0),
        parts: [const { Part::blank() }; COUNTERS],
        selected: Word::new(0),
        written: Held::nothing(),
        running: Word::new(0),
        alerted: Word::new(0),
        lent: Word::new(0),
    };

    #[inline(always)]
    fn occupancy(&self) -> Occupancy {
        let counters = self.occupied();
        Occupancy { counters, needs: self.needs(counters) }
    }
}

impl Image {
    /// Returns the counters that are loaded.
    #[inline(always)]
    pub(super) fn occupied(&self) -> CounterSet {
        self.occupied.counters()
    }

    /// Notes what these counters need. The registers are written when they run.
    pub(super) fn load(&self, Program(needs): Program, slots: &[Slot]) {
        for slot in slots {
            let part = self.part(slot.counter);
            if part.own.get() != slot.bits || part.needs() != needs {
                self.selected.set(0);
                part.set(slot.bits, needs);
            }
            self.occupied.set(self.occupied().or(slot.counter.only()).bits());
        }
    }

    /// Takes counters out. What they select may stay in the registers: they are not let count.
    pub(super) fn release(&self, counters: CounterSet) {
        self.occupied.set(self.occupied().without(counters).bits());
    }

    /// Returns what the registers hold while exactly these counters count.
    pub(super) fn words(&self, facts: &Facts, exactly: CounterSet) -> Words {
        let generation = facts.generation;
        let own = |counter| match exactly.contains(counter) {
            true => Own::from_bits(self.part(counter).own.get()),
            false => Own::idle(generation),
        };
        let parts = facts.counters.into_iter().map(|counter| own(counter).words(generation, counter));
        let words = parts.fold(self.needs(exactly).words(), |all, part| all | part);
        Words {
            mmcr0: words.mmcr0 | control(generation, exactly).bits(),
            mmcra: sampling(generation, words.mmcra),
            ..words
        }
    }

    /// Returns what these counters need in shared fields.
    fn needs(&self, counters: CounterSet) -> Needs {
        counters.into_iter().fold(Needs::NOTHING, |needs, counter| needs.and(self.part(counter).needs()))
    }

    fn part(&self, counter: CounterId) -> &Part {
        &self.parts[(counter.number() & 7) as usize]
    }
}

const FIRST: CounterSet = CounterSet::first(1);
const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// Returns MMCR0 except for what counters need of it and what problem state may do. A counter that counts alerts when
/// it is negative. PMC1 to PMC4 are frozen by one bit more if none of them counts, and so are PMC5 and PMC6, as far as
/// the generation has these bits.
fn control(generation: Generation, exactly: CounterSet) -> Control {
    let mut freezes = Control::empty();
    freezes.set(Control::FREEZE_FIRST_FOUR, exactly.and(FIRST_FOUR).is_empty());
    freezes.set(Control::FREEZE_LAST_TWO, exactly.without(FIRST_FOUR).is_empty());
    let mut control = Control::ALERT | freezes & Control::parts_of(generation);
    control.set(Control::FIRST, exactly.contains(CounterId::ZERO));
    control.set(Control::OTHERS, !exactly.without(FIRST).is_empty());
    control
}

/// Returns MMCRA, with what every processor has there beside what events need: on POWER4 and the 970 one
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
