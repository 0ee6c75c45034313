//! What an event code means on each processor: which counters count it, what it puts into the
//! counter's own fields, and what it needs in those that all counters share.
//!
//! A code is laid out as the processor's event lists publish it; each file says how.

mod bus;
mod isa207;
mod lanes;
mod power7;

use super::facts::{Facts, Generation};
use super::words::{Own, Words};
use crate::assign::{Field, Register, Way};
use crate::counter::CounterSet;
use crate::error::{Refusal, Result};

/// How many shared fields a way can need.
pub(super) const FIELDS: usize = 4;
/// How many ways a demand can have.
pub(super) const WAYS: usize = 2;

/// How many fields there are that requests share.
pub(super) const SHARED: usize = 7;

/// The fields that requests share. Those of one register have numbers of their own, so that a
/// conflict names the field.
pub(super) static MODES: Register = Register::new(0, "MMCR0[FCS, FCP, FCHV]");
pub(super) static RUN: Register = Register::new(1, "MMCR0[CC5-6RUN]");
pub(super) static SELECTS: Register = Register::new(2, "MMCR1");
pub(super) static SAMPLING: Register = Register::new(3, "MMCRA[SAMPLE_ENABLE, SDAR_MODE]");
pub(super) static THRESHOLD: Register = Register::new(4, "MMCRA[THRESH_START, THRESH_STOP, THRESH_SEL, THRESH_CMP]");
pub(super) static CACHE: Register = Register::new(5, "MMCR2[L2L3SEL]");
pub(super) static CACHE_BUS: Register = Register::new(6, "the bus of L2 and L3 events");

/// What the control registers hold of the fields, by their numbers. The bus is no register.
pub(super) fn shared_words(values: [u64; SHARED]) -> Words {
    let [modes, run, mmcr1, sampling, threshold, mmcr2, _] = values;
    Words { mmcr0: modes | run, mmcr1, mmcr2, mmcr3: 0, mmcra: sampling | threshold }
}

/// One way to count an event.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selection {
    pub(super) counters: CounterSet,
    pub(super) own: Own,
    pub(super) fields: [Field; FIELDS],
}

impl Selection {
    pub(super) const NEVER: Self =
        Self { counters: CounterSet::EMPTY, own: Own::from_bits(0), fields: [Field::NOTHING; FIELDS] };

    /// The same with another shared field, in the first place that is free.
    pub(super) fn with(mut self, field: Field) -> Self {
        if let Some(place) = self.fields.iter_mut().find(|place| place.is_nothing()) {
            *place = field;
        }
        self
    }

    /// As the placement takes it.
    pub(super) fn way(&self) -> Way<FIELDS> {
        Way::one(self.counters, self.own.to_bits(), self.fields)
    }
}

/// PMC1 to PMC4.
pub(super) const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// The counter that a code names from 1, as a set; those of `any` if it names none.
fn named(number: u64, any: CounterSet) -> CounterSet {
    if number == 0 { any } else { CounterSet::from_bits(1 << (number - 1)) }
}

/// The ways to count this code.
pub(super) fn selections(facts: &Facts, code: u64, auxiliary: u64) -> Result<[Selection; WAYS], Refusal> {
    match facts.generation {
        Generation::Power4 => lanes::power4(code, auxiliary),
        Generation::Ppc970 => lanes::ppc970(code, auxiliary),
        Generation::Power5 | Generation::Power5Plus => bus::power5(code, auxiliary),
        Generation::Power6 => bus::power6(code, auxiliary).map(alone),
        Generation::Power7 => power7::power7(code, auxiliary).map(alone),
        generation => isa207::selection(generation, code, auxiliary).map(alone),
    }
}

/// PMC5 or PMC6, which count one thing each, whatever CTRL\[RUN\] says; from POWER8 on.
pub(super) fn always(number: u8) -> Selection {
    isa207::fixed(number, true)
}

/// The one way that there is.
fn alone(selection: Selection) -> [Selection; WAYS] {
    [selection, Selection::NEVER]
}

/// Does the code set bits that no code has?
fn check_layout(code: u64, layout: u64) -> Result<(), Refusal> {
    match code & !layout {
        0 => Ok(()),
        beyond => Err(Refusal::ReservedBits(beyond)),
    }
}

/// What an event before POWER8 needs of MMCRA: its auxiliary value is SAMPLE_ENABLE, bit 0, for one
/// that counts what marked instructions do, as the tables of event groups have it.
fn sampling(auxiliary: u64) -> Result<Field, Refusal> {
    match auxiliary {
        0 => Ok(Field::NOTHING),
        1 => Ok(Field::new(&SAMPLING, 1, 1)),
        other => Err(Refusal::Auxiliary(other & !1)),
    }
}
