//! The widths of the counters, and the longest periods that they can be preset to.
//!
//! Source: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section D13.3, "Behavior
//! on overflow". Overflow is always the wrap to zero.

use super::capabilities::Capabilities;
use crate::event::{CounterId, CounterSet, Width};

/// The counters that overflow from 32 bits. The others overflow from 64.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    narrow: CounterSet,
}

const NARROW: Width = wrapping(32);
pub(super) const WIDE: Width = wrapping(64);

/// Returns a width of 32 or 64 bits; counters have no others.
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

    /// Returns the counters of 32 bits.
    #[inline(always)]
    pub(super) const fn narrow(&self) -> CounterSet {
        self.narrow
    }

    /// Returns the width of a counter that is not a pair.
    #[inline(always)]
    pub(super) const fn width(&self, counter: CounterId) -> Width {
        if self.narrow.contains(counter) { NARROW } else { WIDE }
    }

    /// Returns the longest period that every counter can be preset to.
    #[inline(always)]
    pub(super) const fn longest_on_every(&self) -> u64 {
        if self.narrow.is_empty() { WIDE.longest() } else { NARROW.longest() }
    }

    /// Returns the longest period that some counter or pair can be preset to.
    pub(super) const fn longest_on_any(&self) -> u64 {
        WIDE.longest()
    }
}
