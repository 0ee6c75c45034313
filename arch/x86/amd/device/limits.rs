//! Which registers a unit has, and which bits each of them has, by its facts.

use super::Place;
use super::place::within;
use crate::arch::x86::amd::Facts;
use crate::arch::x86::{Block, Msr};
use crate::counter::CounterSet;

/// What there is; the rest faults.
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
    pub(super) fn of(facts: &Facts) -> Self {
        Self {
            counters: facts.counters,
            mask: Facts::WIDTH.mask(),
            select: facts.selectable.bits(),
            block: facts.block,
            has_global: facts.has_global(),
            merges: facts.generation.merges(),
        }
    }

    /// Every counter that there is.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        self.counters
    }

    /// The bits that a counter has for itself.
    #[inline(always)]
    pub(super) const fn mask(&self) -> u64 {
        self.mask
    }

    /// Are there registers for the unit as a whole?
    #[inline(always)]
    pub(super) const fn has_global(&self) -> bool {
        self.has_global
    }

    /// Can two counters be one?
    #[inline(always)]
    pub(super) const fn merges(&self) -> bool {
        self.merges
    }

    /// Are there addresses like this one? All processors have the first block's, as other names of
    /// their first four counters.
    #[inline(always)]
    pub(super) fn has_block_of(&self, at: Msr) -> bool {
        self.block == Block::Core || within(Block::Core, at).is_none()
    }

    /// The bits that a register has; `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        match place {
            Place::Select(number) => self.counter(number, self.select),
            Place::Counter(number) => self.counter(number, self.mask),
            Place::Status | Place::Control | Place::Reset | Place::Set => {
                self.has_global.then_some(self.counters.bits())
            }
        }
    }

    #[inline(always)]
    fn counter(&self, number: usize, bits: u64) -> Option<u64> {
        (self.counters.bits() >> (number & 63) & 1 == 1).then_some(bits)
    }
}
