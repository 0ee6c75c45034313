//! The registers of a unit, and the bits of each, by its capabilities.

use super::Place;
use super::place::within;
use crate::arch::x86::amd::{Capabilities, Select};
use crate::arch::x86::{Block, Msr};
use crate::contract::Description;
use crate::event::CounterSet;

/// The registers and bits that exist. All others fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    counters: CounterSet,
    mask: u64,
    select: u64,
    block: Block,
    has_global: bool,
    merges: bool,
}

impl Limits {
    pub(super) fn of(capabilities: &Capabilities) -> Self {
        Self {
            counters: capabilities.counters,
            mask: Capabilities::WIDTH.mask(),
            select: capabilities.selectable.bits(),
            block: capabilities.block,
            has_global: capabilities.has_global(),
            merges: capabilities.microarchitecture.merges(),
        }
    }

    /// Checks that a unit of this description can count for the guest.
    pub(super) fn fits(&self, real: &Description) -> Result<(), &'static str> {
        if real.name != Capabilities::UNIT {
            Err("the guest's unit is AMD's, and the real one is not")
        } else if !self.has_global || real.version < 2 {
            Err("one of the units has no control of all counters at once (PerfMonV2)")
        } else if !self.counters.without(real.general).is_empty() {
            Err("the guest's unit has more counters than the real one")
        } else {
            Ok(())
        }
    }

    /// Returns all counters.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        self.counters
    }

    /// Returns the bits of a counter that is not merged.
    #[inline(always)]
    pub(super) const fn mask(&self) -> u64 {
        self.mask
    }

    /// Returns true if there are registers for the whole unit.
    #[inline(always)]
    pub(super) const fn has_global(&self) -> bool {
        self.has_global
    }

    /// Returns true if two counters can be merged.
    #[inline(always)]
    pub(super) const fn merges(&self) -> bool {
        self.merges
    }

    /// Returns true if there are addresses in the block of this one. All processors have those of the first block,
    /// as other names of their first four counters.
    #[inline(always)]
    pub(super) fn has_block_of(&self, at: Msr) -> bool {
        self.block == Block::Core || within(Block::Core, at).is_none()
    }

    /// Returns the bits of a register, or `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        match place {
            Place::Select(number) => self.counter(number, self.select(number)),
            Place::Counter(number) => self.counter(number, self.mask),
            Place::Status | Place::Control | Place::Reset | Place::Set => {
                self.has_global.then_some(self.counters.bits())
            }
        }
    }

    /// Returns the bits of a selector: one counter alone counts exactly.
    #[inline(always)]
    const fn select(&self, number: usize) -> u64 {
        if number == 2 { self.select } else { self.select & !Select::EXACT.bits() }
    }

    #[inline(always)]
    fn counter(&self, number: usize, bits: u64) -> Option<u64> {
        (self.counters.bits() >> (number & 63) & 1 == 1).then_some(bits)
    }
}
