//! The registers of a unit, and the bits of each, by its capabilities.

use super::place::Place;
use crate::arch::powerpc::device::WORD;
use crate::arch::powerpc::embedded::{Capabilities, Model};
use crate::event::CounterSet;

/// The registers and bits that exist. Other bits are dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    model: Model,
    counters: CounterSet,
    global: u64,
    local: u64,
    threshold: Option<u64>,
}

impl Limits {
    pub(super) fn of(capabilities: &Capabilities) -> Self {
        Self {
            model: capabilities.model,
            counters: capabilities.counters,
            global: capabilities.global.bits().into(),
            local: capabilities.local.bits().into(),
            threshold: capabilities.has_threshold().then_some(capabilities.threshold.bits().into()),
        }
    }

    /// Returns the model that it counts like.
    #[inline(always)]
    pub(super) const fn model(&self) -> Model {
        self.model
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
