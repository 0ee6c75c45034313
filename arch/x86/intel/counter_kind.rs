//! General and fixed counters: how wide they are, where they are written, and what they can be preset to.
//!
//! Source: SDM vol. 3, "Performance Monitoring", section "Full-Width Writes to Performance Counter
//! Registers".

use super::capabilities::Capabilities;
use crate::arch::x86::{Msr, Window};
use crate::event::{CounterId, Remaining, Width};

/// How wide the general counters are, or the fixed ones, and what they can be preset to.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterKind {
    width: Width,
    /// The most events that a counter can wait for: half of what a write reaches. So many events before it wraps, a
    /// counter is continuous; the bits that a write does not reach follow the highest that it does.
    longest: Remaining,
    /// The bits that a write reaches.
    written: u64,
    /// The address of counter 0, if it were of this kind.
    base: u32,
}

impl CounterKind {
    pub(super) const fn general(width: Width, window: Window) -> Self {
        let written = match window {
            Window::Narrow => u32::MAX as u64,
            Window::Full => width.mask(),
        };
        Self::new(width, written, window as u32)
    }

    /// Fixed counter 0 is counter 32.
    pub(super) const fn fixed(width: Width) -> Self {
        Self::new(width, width.mask(), Msr::FIRST_FIXED - 32)
    }

    const fn new(width: Width, written: u64, base: u32) -> Self {
        Self { width, longest: Remaining::events(written / 2 + 1), written, base }
    }

    /// Returns the value from which so many events overflow a counter.
    #[inline(always)]
    const fn start(&self, events: Remaining) -> u64 {
        events.count().wrapping_neg() & self.written
    }
}

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
