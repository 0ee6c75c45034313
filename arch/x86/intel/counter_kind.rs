//! The two kinds of counters, general and fixed: how wide they are, where they are written, and what they can be preset
//! to.
//!
//! Source: SDM vol. 3, "Performance Monitoring", section "Full-Width Writes to Performance Counter
//! Registers".

use crate::arch::x86::{Msr, Window};
use crate::event::{Remaining, Width};

/// How wide the general counters are, or the fixed ones, and what they can be preset to.
#[derive(Clone, Copy, Debug)]
pub(super) struct CounterKind {
    pub(super) width: Width,
    /// The most events that a counter can wait for: half of what a write reaches. So many events before it wraps, a
    /// counter is continuous; the bits that a write does not reach follow the highest that it does.
    pub(super) longest: Remaining,
    /// The bits that a write reaches.
    written: u64,
    /// The address of counter 0, if it were of this kind.
    pub(super) base: u32,
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
    pub(super) const fn start(&self, events: Remaining) -> u64 {
        events.count().wrapping_neg() & self.written
    }
}
