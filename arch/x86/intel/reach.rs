//! How wide the counters are, where they are written, and what they can be preset to.
//!
//! Source: SDM vol. 3, "Performance Monitoring", section "Full-Width Writes to Performance Counter
//! Registers".

use super::facts::Facts;
use super::least::Least;
use crate::arch::x86::{Msr, Window};
use crate::event::{CounterId, Remaining, Width};

/// What the counters of one unit can be preset to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// The general counters, 0 to 31, and then the fixed ones, 32 to 63.
    kinds: [Kind; 2],
    least: Least,
}

/// Counters of one kind.
#[derive(Clone, Copy, Debug)]
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
        let fixed = Kind { width: facts.fixed_width, written: facts.fixed_width.mask(), base: Self::FIXED };
        Self { kinds: [general, fixed], least: Least::of(facts) }
    }

    #[inline(always)]
    const fn kind(&self, counter: CounterId) -> &Kind {
        &self.kinds[(counter.number() >> 5) as usize]
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

    /// Returns how many events a counter that selects the event with this code waits for, if it should wait for
    /// `remaining`; and the register and the value that make it do so.
    #[inline(always)]
    pub(super) fn preset(&self, counter: CounterId, code: u64, remaining: Remaining) -> (Remaining, Msr, u64) {
        let kind = self.kind(counter);
        let events = self.least.lengthen(code, remaining.count().min(kind.longest()));
        let register = Msr::at(kind.base + u32::from(counter.number()));
        (Remaining::events(events), register, events.wrapping_neg() & kind.written)
    }

    /// Returns the shortest period of the event with this code.
    #[inline(always)]
    pub(super) const fn least(&self, code: u64) -> u64 {
        self.least.period(code)
    }
}
