//! The registers of a unit, and the bits of each, by its facts.

use super::place::Place;
use crate::arch::powerpc::device::WORD;
use crate::arch::powerpc::embedded::{Core, Facts};
use crate::event::CounterSet;

/// The registers and bits that exist. Other bits are dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    core: Core,
    counters: CounterSet,
    global: u64,
    local: u64,
    threshold: Option<u64>,
}

impl Limits {
    pub(super) fn of(facts: &Facts) -> Self {
        Self {
            core: facts.core,
            counters: facts.counters,
            global: facts.global.bits().into(),
            local: facts.local.bits().into(),
            threshold: facts.has_threshold().then_some(facts.threshold.bits().into()),
        }
    }

    /// Returns the core that it counts like.
    #[inline(always)]
    pub(super) const fn core(&self) -> Core {
        self.core
    }

    /// Returns all counters.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        self.counters
    }

    /// Returns the bits of a register, or `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        let of = |number: usize, bits| (self.counters.bits() >> (number & 63) & 1 == 1).then_some(bits);
        match place {
            Place::Counter(number) => of(number, WORD),
            Place::Local(number) => of(number, self.local),
            Place::Threshold(number) => self.threshold.and_then(|bits| of(number, bits)),
            Place::Global => Some(self.global),
        }
    }
}
