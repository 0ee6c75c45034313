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
    /// The address of counter 0, if it were of this kind.
    base: u32,
}

impl CounterKind {
    /// Half of what a narrow write reaches.
    const NARROW: Remaining = Remaining::events(1 << 31);

    pub(super) const fn general(width: Width, window: Window) -> Self {
        let longest = match window {
            Window::Narrow => Self::NARROW,
            Window::Full => Remaining::events(width.longest()),
        };
        Self { width, longest, base: window as u32 }
    }

    /// Fixed counter 0 is counter 32.
    pub(super) const fn fixed(width: Width) -> Self {
        Self { width, longest: Remaining::events(width.longest()), base: Msr::FIRST_FIXED - 32 }
    }

    /// Returns the value from which so many events overflow a counter.
    #[inline(always)]
    const fn start(&self, events: Remaining) -> u64 {
        events.count().wrapping_neg() & (self.longest.count() << 1).wrapping_sub(1)
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

    /// Returns how many events a counter waits for, if it should wait for `remaining`; and the register and the value
    /// that make it do so. `code` says which event it counts.
    #[inline(always)]
    pub(super) fn preset(
        &self,
        counter: CounterId,
        code: impl Fn() -> u64,
        remaining: Remaining,
    ) -> (Remaining, Msr, u64) {
        let kind = self.kind_of(counter);
        let events = self.least.lengthen(code, remaining.min(kind.longest));
        let register = Msr::at(kind.base + u32::from(counter.number()));
        (events, register, kind.start(events))
    }
}
