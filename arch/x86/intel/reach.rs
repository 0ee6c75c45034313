//! How wide the counters are, where they are written, and how far a write reaches.
//!
//! Source: SDM vol. 3, "Performance Monitoring", section "Full-Width Writes to Performance Counter
//! Registers".

use super::facts::Facts;
use crate::arch::x86::{Msr, Window};
use crate::event::{CounterId, CounterSet, Refusal, Remaining, Result, Width};

/// Of the general counters, 0 to 31, and then of the fixed ones, 32 to 63.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach([Kind; 2]);

/// Counters of one kind, in a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Kind {
    width: Width,
    /// The bits that a write reaches, of which there are more than one; the others follow the
    /// highest of them.
    written: u64,
    /// The address of counter 0, if it were of this kind.
    base: u32,
}

impl Kind {
    /// Half of what a write reaches: so many events before it wraps, a counter is continuous.
    #[inline(always)]
    const fn longest(&self) -> u64 {
        (self.written >> 1) + 1
    }
}

impl Reach {
    /// Fixed counter 0 is counter 32.
    const FIXED: u32 = Msr::FIRST_FIXED - 32;

    /// What a narrow write reaches.
    const NARROW: u64 = 0xFFFF_FFFF;

    pub(super) fn of(facts: &Facts) -> Self {
        let written = match facts.window {
            Window::Narrow => Self::NARROW,
            Window::Full => facts.general_width.mask(),
        };
        let general = Kind { width: facts.general_width, written, base: facts.window as u32 };
        Self([general, Kind { width: facts.fixed_width, written: facts.fixed_width.mask(), base: Self::FIXED }])
    }

    #[inline(always)]
    const fn kind(&self, counter: CounterId) -> &Kind {
        &self.0[(counter.number() >> 5) as usize]
    }

    /// How wide a counter is.
    #[inline(always)]
    pub(super) fn width(&self, counter: CounterId) -> Width {
        self.kind(counter).width
    }

    /// The most events that a counter can be preset to wait for.
    #[inline(always)]
    pub(super) fn longest(&self, counter: CounterId) -> Remaining {
        Remaining::events(self.kind(counter).longest())
    }

    /// What makes a counter overflow after so many events: a register, and its value.
    #[inline(always)]
    pub(super) fn preset(&self, counter: CounterId, remaining: Remaining) -> (Msr, u64) {
        let kind = self.kind(counter);
        (Msr::at(kind.base + u32::from(counter.number())), remaining.count().wrapping_neg() & kind.written)
    }

    /// What puts back the value of a counter that has not overflowed: a register, and what is written
    /// to it. The bits that a write does not reach follow the highest that it does, as they did before.
    #[inline(always)]
    pub(super) fn bring_back(&self, counter: CounterId, raw: u64) -> (Msr, u64) {
        let kind = self.kind(counter);
        (Msr::at(kind.base + u32::from(counter.number())), raw & kind.written)
    }

    /// Where a counter is written, and the bits that a write reaches.
    pub(super) fn register(&self, counter: CounterId) -> (Msr, u64) {
        let kind = self.kind(counter);
        (Msr::at(kind.base + u32::from(counter.number())), kind.written)
    }

    /// Those of `counters` that can wait for as many events.
    #[inline(always)]
    pub(super) fn reaching(&self, counters: CounterSet, period: u64) -> Result<CounterSet, Refusal> {
        let [general, fixed] = &self.0;
        let general = if period <= general.longest() { 0xFFFF_FFFF } else { 0 };
        let fixed = if period <= fixed.longest() { 0xFFFF_FFFF << 32 } else { 0 };
        let able = counters.and(CounterSet::from_bits(general | fixed));
        if able.is_empty() { Err(self.too_long(counters)) } else { Ok(able) }
    }

    #[cold]
    fn too_long(&self, counters: CounterSet) -> Refusal {
        let furthest = |counter: Option<CounterId>| counter.map_or(0, |counter| self.longest(counter).count());
        Refusal::PeriodTooLong { longest: furthest(counters.lowest()).max(furthest(counters.highest())) }
    }
}
