//! Which events a host lets its guest count.

use crate::event::{CounterId, CounterSet};

/// Counters, by what they select: those of these numbers whose selection has certain bits.
///
/// The bits are those of [`Selection::raw`](super::Selection::raw). On x86 and Arm an event and its unit mask are at the
/// bottom: `Rule::selecting(0xFFFF, 0x412E)` is Intel's LONGEST_LAT_CACHE.MISS in any modes.
///
/// A rule that allows an event must match all of its bits; otherwise events with further bits set are allowed too. AMD's
/// mask is `0xF_0000_FFFF`, because an event has four more bits from bit 32 on. Intel's mask from version 6 on is
/// `0xFF00_0000_FFFF`, because a unit mask has eight more bits from bit 40 on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rule {
    counters: CounterSet,
    mask: u64,
    value: u64,
}

impl Rule {
    /// A rule for every counter whose selection is `value` in the bits of `mask`. Unless `mask` is 0, it does not cover a
    /// counter whose event is fixed: such a counter's control bits select no event.
    #[must_use]
    pub const fn selecting(mask: u64, value: u64) -> Self {
        Self { counters: CounterSet::ALL, mask, value }
    }

    /// A rule for these counters, whatever they select: Intel's fixed counters have one event each.
    #[must_use]
    pub const fn counters(counters: CounterSet) -> Self {
        Self { counters, mask: 0, value: 0 }
    }

    /// Restricts the rule to these counters, where a number means another event on another counter.
    #[must_use]
    pub const fn on(self, counters: CounterSet) -> Self {
        Self { counters, ..self }
    }

    fn covers(&self, counter: CounterId, selection: Option<u64>) -> bool {
        let selects = selection.map_or(self.mask == 0, |selection| selection & self.mask == self.value);
        self.counters.contains(counter) && selects
    }
}

/// Which of its events a guest may count. A counter of another one keeps its value and does not interrupt, whatever the
/// guest writes to its selector, and [`withheld`](super::Device::withheld) returns it.
///
/// The rules outlive the device: they are in a constant, as here; those that are made at run time are in a static, or leaked.
///
/// ```
/// use pmu::virt::{Filter, Kinds, Rule};
///
/// /// Intel's LONGEST_LAT_CACHE, misses and references.
/// const DENIED: &[Rule] = &[Rule::selecting(0xFFFF, 0x412E), Rule::selecting(0xFFFF, 0x4F2E)];
/// let observed = Kinds::CLOCK.filtered(Filter::deny(DENIED)); // what a device is created with
/// # let _ = observed;
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    rules: &'static [Rule],
    /// Whether the rules say what counts, or what does not.
    allows: bool,
}

impl Filter {
    /// Everything counts.
    pub const NONE: Self = Self::deny(&[]);

    /// Only what one of the rules covers counts. An event that has several codes, or a fixed counter, needs a rule for each:
    /// drivers prefer fixed counters, so without a rule for it the fixed counter is denied and the guest counts nothing. A host
    /// may also show no fixed counter
    /// ([`with_fixed_counters`](crate::arch::x86::intel::Identity::with_fixed_counters)).
    #[must_use]
    pub const fn allow(rules: &'static [Rule]) -> Self {
        Self { rules, allows: true }
    }

    /// Everything counts but what one of the rules covers. An event that has several codes, or a fixed counter, needs a
    /// rule for each.
    #[must_use]
    pub const fn deny(rules: &'static [Rule]) -> Self {
        Self { rules, allows: false }
    }

    /// Returns true if a counter that selects this may count. One whose event is fixed selects nothing.
    pub(super) fn lets(self, counter: CounterId, selection: Option<u64>) -> bool {
        self.rules.iter().any(|rule| rule.covers(counter, selection)) == self.allows
    }
}
