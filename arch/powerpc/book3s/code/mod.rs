//! Decodes event codes: the counters that can count an event, the contents of the counter's own fields, and
//! what the event needs in fields that all counters share.
//!
//! A code has the layout of the processor's event lists. Each file describes one.

mod bus;
mod isa207;
mod lanes;
mod needs;
mod power7;

use super::facts::Facts;
use super::generation::Generation;
use super::own::Own;
use crate::event::{CounterSet, Refusal, Result};

pub(super) use needs::{Needs, WORDS};

/// The most ways that a demand can have.
pub(super) const WAYS: usize = 2;

/// The ways to count an event. Unused places have no counters.
pub(super) type Ways = [Selection; WAYS];

/// No ways.
pub(super) const NO_WAYS: Ways = [Selection::NEVER; WAYS];

/// One way to count an event. It is copied often, and therefore small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Selection {
    pub(super) needs: Needs,
    pub(super) own: Own,
    /// The counters, one bit for each.
    reached: u8,
}

impl Selection {
    pub(super) const NEVER: Self = Self::new(CounterSet::EMPTY, Own::from_bits(0));

    /// Creates a way that any of these counters can use and that needs nothing.
    #[inline(always)]
    pub(super) const fn new(counters: CounterSet, own: Own) -> Self {
        Self { needs: Needs::NOTHING, own, reached: counters.bits() as u8 }
    }

    /// Returns the counters, any of which can be used.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        CounterSet::from_bits(self.reached as u64)
    }

    /// Returns the way with these counters.
    pub(super) const fn on(self, counters: CounterSet) -> Self {
        Self { reached: counters.bits() as u8, ..self }
    }

    /// Adds needs to the way.
    #[inline(always)]
    pub(super) const fn with(mut self, needs: Needs) -> Self {
        self.needs = self.needs.and(needs);
        self
    }

    /// Removes PMC4, which selects a bank of the caches' events, unless there is no other counter.
    #[cold]
    pub(super) fn leave_fourth(&mut self) {
        let others = self.counters().without(FOURTH);
        if others.is_empty() && !self.counters().is_empty() {
            self.needs = self.needs.and(Needs::no_bank());
        } else {
            *self = self.on(others);
        }
    }
}

/// PMC1 to PMC4.
pub(super) const FIRST_FOUR: CounterSet = CounterSet::first(4);

/// PMC4.
pub(super) const FOURTH: CounterSet = CounterSet::from_bits(0b1000);

/// Returns the counter that a code contains, from 1, as a set, or `any` if it contains none.
fn named(number: u64, any: CounterSet) -> CounterSet {
    if number == 0 { any } else { CounterSet::from_bits(1 << (number - 1)) }
}

/// Finds the ways to count this code.
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

/// Returns the way of PMC5 or PMC6, which have one event each, counted whatever CTRL\[RUN\] is; from POWER8 on.
pub(super) fn always(number: u8) -> Selection {
    isa207::fixed(number, true)
}

pub(super) use isa207::is_of_cache;

/// Returns ways of which there is only one.
fn alone(selection: Selection) -> [Selection; WAYS] {
    [selection, Selection::NEVER]
}

/// Checks that the code sets no bits outside its layout.
fn check_layout(code: u64, layout: u64) -> Result<(), Refusal> {
    match code & !layout {
        0 => Ok(()),
        beyond => Err(Refusal::ReservedBits(beyond)),
    }
}

/// Returns what an event before POWER8 needs in MMCRA. Its auxiliary value is SAMPLE_ENABLE, bit 0, for events of
/// marked instructions, as in the tables of event groups.
fn sampling(auxiliary: u64) -> Result<Needs, Refusal> {
    match auxiliary {
        0 => Ok(Needs::NOTHING),
        1 => Ok(Needs::marks(1, 1)),
        other => Err(Refusal::Auxiliary(other & !1)),
    }
}
