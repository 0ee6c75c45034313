//! How wide each counter of a unit is, and what it can be preset to.

use super::capabilities::Capabilities;
use super::counter_kind::CounterKind;
use crate::arch::x86::{Msr, Window};
use crate::event::{CounterId, Remaining, Width};

impl Capabilities {
    #[inline(always)]
    const fn kind_of(&self, counter: CounterId) -> &CounterKind {
        &self.kinds[(counter.number() >> 5) as usize]
    }

    /// Returns the width of the general counters.
    #[must_use]
    pub const fn general_width(&self) -> Width {
        self.kinds[0].width
    }

    /// Returns the width of the fixed counters.
    #[must_use]
    pub const fn fixed_width(&self) -> Width {
        self.kinds[1].width
    }

    /// Returns the registers through which general counters are written.
    #[must_use]
    pub const fn window(&self) -> Window {
        if self.kinds[0].base == Window::Full as u32 { Window::Full } else { Window::Narrow }
    }

    /// How wide a counter is.
    #[inline(always)]
    pub(super) const fn width(&self, counter: CounterId) -> Width {
        self.kind_of(counter).width
    }

    /// The most events that a counter can be preset to wait for.
    #[inline(always)]
    pub(super) const fn longest(&self, counter: CounterId) -> Remaining {
        self.kind_of(counter).longest
    }

    /// Returns true if a counter can wait for exactly so many events, whichever it counts.
    #[inline(always)]
    pub(super) fn can_wait_for(&self, counter: CounterId, events: Remaining) -> bool {
        events >= self.least.exact() && events <= self.longest(counter)
    }

    /// Returns how many events a counter waits for that should wait for `remaining`. `code` says which event it counts.
    pub(super) fn nearest(&self, counter: CounterId, code: u64, remaining: Remaining) -> Remaining {
        self.least.lengthen(code, remaining.min(self.longest(counter)))
    }

    /// Returns the register and the value that make a counter wait for so many events.
    #[inline(always)]
    pub(super) const fn preset(&self, counter: CounterId, events: Remaining) -> (Msr, u64) {
        let kind = self.kind_of(counter);
        (Msr::at(kind.base + counter.number() as u32), kind.start(events))
    }
}
