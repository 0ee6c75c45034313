//! The registers of a unit, and the bits of each, by its capabilities.

use super::place::Place;
use crate::arch::powerpc::classic::{Capabilities, Model};
use crate::arch::powerpc::device::WORD;
use crate::event::CounterSet;

/// The registers and bits that exist. Other bits are dropped.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    model: Model,
    counters: CounterSet,
    control: u64,
    selects: Option<u64>,
    extension: Option<u64>,
}

impl Limits {
    pub(super) fn of(capabilities: &Capabilities) -> Self {
        Self {
            model: capabilities.model,
            counters: capabilities.counters,
            control: capabilities.control.bits().into(),
            selects: capabilities.has_selects().then_some(capabilities.selects.bits().into()),
            extension: capabilities.has_extension().then_some(capabilities.extension.bits().into()),
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

    /// Returns true if a condition freezes the counters only if it interrupts (604 to 750: DISCOUNT).
    #[inline(always)]
    pub(super) fn freezes_by_interrupt(&self) -> bool {
        self.model <= Model::P750
    }

    /// Returns the bits of a register, or `None` if there is no such register. From the 750 on there is no
    /// SDAR, but boot code may write it ("MPC7400 RISC Microprocessor User's Manual", section 11.1).
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        match place {
            Place::Counter(number) => (self.counters.bits() >> (number & 63) & 1 == 1).then_some(WORD),
            Place::Control => Some(self.control),
            Place::Selects => self.selects,
            Place::Extension => self.extension,
            Place::Instruction => Some(WORD),
            Place::Datum => Some(if self.model < Model::P750 { WORD } else { 0 }),
        }
    }
}
