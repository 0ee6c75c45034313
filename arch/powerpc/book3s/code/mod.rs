//! What an event code means on each processor: which counters count it, what it puts into the
//! counter's own fields, and what it needs in those that all counters share.
//!
//! A code is laid out as the processor's event lists publish it; each file says how.

mod bus;
mod isa207;
mod lanes;
mod needs;
mod power7;

use super::facts::Facts;
use super::generation::Generation;
use super::words::Own;
use crate::assign::{Takes, Way};
use crate::counter::CounterSet;
use crate::error::{Refusal, Result};

pub(super) use needs::{FIELDS, Needs, WORDS};

/// How many ways a demand can have.
pub(super) const WAYS: usize = 2;

/// The ways to count an event; those that there are not have no counters.
pub(super) type Ways = [Selection; WAYS];

/// None yet.
pub(super) const NO_WAYS: Ways = [Selection::NEVER; WAYS];

/// One way to count an event. It is copied often, and short.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Selection {
    pub(super) needs: Needs,
    pub(super) own: Own,
    /// The counters, one bit each.
    reached: u8,
}

impl Selection {
    pub(super) const NEVER: Self = Self::new(CounterSet::EMPTY, Own::from_bits(0));

    /// On any of these counters, with nothing that it needs.
    #[inline(always)]
    pub(super) const fn new(counters: CounterSet, own: Own) -> Self {
        Self { needs: Needs::NOTHING, own, reached: counters.bits() as u8 }
    }

    /// Any of these would do.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        CounterSet::from_bits(self.reached as u64)
    }

    /// The same, on these counters.
    pub(super) const fn on(self, counters: CounterSet) -> Self {
        Self { reached: counters.bits() as u8, ..self }
    }

    /// The same, with something more that it needs.
    #[inline(always)]
    pub(super) const fn with(mut self, needs: Needs) -> Self {
        self.needs = self.needs.and(needs);
        self
    }

    /// The same without PMC4, which selects a bank of the caches' events; if there is no other, it is in their way.
    #[cold]
    pub(super) fn leave_fourth(&mut self) {
        let others = self.counters().without(FOURTH);
        if others.is_empty() && !self.counters().is_empty() {
            self.needs = self.needs.and(Needs::no_bank());
        } else {
            *self = self.on(others);
        }
    }

    /// As a search takes it.
    pub(super) const fn way(&self) -> Way<FIELDS> {
        Way { counters: self.counters(), takes: Takes::One, bits: self.own.to_bits(), fields: self.needs.fields() }
    }
}

/// PMC1 to PMC4.
pub(super) const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// PMC4.
pub(super) const FOURTH: CounterSet = CounterSet::from_bits(0b1000);

/// The counter that a code names from 1, as a set; those of `any` if it names none.
fn named(number: u64, any: CounterSet) -> CounterSet {
    if number == 0 { any } else { CounterSet::from_bits(1 << (number - 1)) }
}

/// The ways to count this code.
pub(super) fn find_ways(facts: &Facts, code: u64, auxiliary: u64, ways: &mut Ways) -> Result<(), Refusal> {
    match facts.generation {
        Generation::Power4 => *ways = lanes::power4(code, auxiliary)?,
        Generation::Ppc970 => *ways = lanes::ppc970(code, auxiliary)?,
        Generation::Power5 | Generation::Power5Plus => *ways = bus::power5(code, auxiliary)?,
        Generation::Power6 => *ways = alone(bus::power6(code, auxiliary)?),
        Generation::Power7 => *ways = alone(power7::power7(code, auxiliary)?),
        generation => ways[0] = isa207::selection(generation, code, auxiliary)?,
    }
    Ok(())
}

/// PMC5 or PMC6, which count one thing each, whatever CTRL\[RUN\] says; from POWER8 on.
pub(super) fn always(number: u8) -> Selection {
    isa207::fixed(number, true)
}

pub(super) use isa207::{is_of_cache, is_plain, plain};

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
fn sampling(auxiliary: u64) -> Result<Needs, Refusal> {
    match auxiliary {
        0 => Ok(Needs::NOTHING),
        1 => Ok(Needs::marks(1, 1)),
        other => Err(Refusal::Auxiliary(other & !1)),
    }
}
