//! How wide the counters are, and how far they can be preset.
//!
//! Source: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section D13.3, "Behavior
//! on overflow". Overflow is always the wrap to zero.

use super::capabilities::Capabilities;
use crate::event::{CounterId, CounterSet, Width};

/// Which counters overflow from 32 bits; the others do from 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    narrow: CounterSet,
}

const NARROW: Width = wrapping(32);
pub(super) const WIDE: Width = wrapping(64);

/// No counter has another width than these two.
const fn wrapping(bits: u32) -> Width {
    match Width::wrapping(bits) {
        Some(width) => width,
        None => panic!("a counter has 1 to 64 bits"),
    }
}

impl Widths {
    pub(super) const fn of(capabilities: &Capabilities) -> Self {
        let narrow = if capabilities.has_long_events() { 0 } else { capabilities.event_counters };
        Self { narrow: CounterSet::first(narrow) }
    }

    /// The counters of 32 bits.
    #[inline(always)]
    pub(super) const fn narrow(&self) -> CounterSet {
        self.narrow
    }

    /// How wide a counter is by itself.
    #[inline(always)]
    pub(super) const fn width(&self, counter: CounterId) -> Width {
        if self.narrow.contains(counter) { NARROW } else { WIDE }
    }

    /// The longest period that every counter reaches.
    #[inline(always)]
    pub(super) const fn longest_on_every(&self) -> u64 {
        if self.narrow.is_empty() { WIDE.longest() } else { NARROW.longest() }
    }

    /// The longest period that any counter reaches, or pair.
    pub(super) const fn longest_on_any(&self) -> u64 {
        WIDE.longest()
    }
}
