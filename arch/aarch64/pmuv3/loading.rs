//! Loads a placement into the image and the unit, and removes it again.

use super::driver::Pmuv3;
use super::events::CHAIN;
use super::program::{Image, lower};
use super::registers::{CYCLE_COUNTER, Select};
use crate::arch::aarch64::{SystemRegister, SystemRegisters};
use crate::contract::Slot;
use crate::event::{CounterId, CounterSet};

/// Returns the value for a counter's selection register. Those of cycles and instructions have no event.
#[inline(always)]
const fn select_of(counter: CounterId, bits: u64) -> u64 {
    if counter.number() >= CYCLE_COUNTER { bits & !Select::EVENT.bits() } else { bits }
}

impl<R: SystemRegisters> Pmuv3<R> {
    /// Records one slot of a placement in the image, and writes its selections.
    #[inline(always)]
    pub(super) fn load_slot(&self, image: &Image, slot: &Slot) {
        image.occupied.set(image.occupied.counters().or(slot.occupies()).bits());
        if let Some(lower) = slot.partner {
            self.chain(image, slot.counter, lower);
        }
        self.select(image, slot.partner.unwrap_or(slot.counter), slot.bits);
    }

    /// Makes a counter the upper half of the one before it, whose overflows then do not interrupt.
    ///
    /// It counts at every level, because it counts the overflows of the lower half, which has the filter
    /// (D14.3, CHAIN).
    #[cold]
    fn chain(&self, image: &Image, upper: CounterId, lower: CounterId) {
        image.pairs.set(image.pairs.counters().or(upper.only()).bits());
        self.registers.write(SystemRegister::INTERRUPT_CLEAR, lower.only().bits());
        let everywhere = if self.capabilities.has_hypervisor { Select::HYPERVISOR } else { Select::empty() };
        self.select(image, upper, everywhere.bits() | u64::from(CHAIN));
    }

    /// Writes a counter's selection if it differs from the image.
    #[inline(always)]
    fn select(&self, image: &Image, counter: CounterId, bits: u64) {
        let bits = select_of(counter, bits);
        let Some(recorded) = image.selects.get(counter.index()) else { return };
        if recorded.get() != bits {
            self.registers.write(SystemRegister::any_select(counter), bits);
            recorded.set(bits);
        }
    }

    /// Removes counters from the image. Their selections stay.
    #[inline(always)]
    pub(super) fn free(&self, image: &Image, counters: CounterSet) {
        image.occupied.set(image.occupied.counters().without(image.both(counters)).bits());
        let pairs = counters.and(image.pairs.counters());
        if !pairs.is_empty() {
            self.split(image, pairs);
        }
    }

    /// Splits each of these pairs into two counters. The lower one has no overflow left, and may interrupt again.
    #[cold]
    fn split(&self, image: &Image, pairs: CounterSet) {
        self.registers.write(SystemRegister::OVERFLOW_CLEAR, lower(pairs).bits());
        self.registers.write(SystemRegister::INTERRUPT_SET, lower(pairs).bits());
        image.pairs.set(image.pairs.counters().without(pairs).bits());
    }
}
