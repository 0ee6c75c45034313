//! How a placement gets into the image and into the unit, and out again.

use super::driver::Pmuv3;
use super::events::CHAIN;
use super::program::{Image, lower};
use super::registers::{CYCLE_COUNTER, Select};
use crate::arch::aarch64::{Index, SystemRegister};
use crate::contract::{Registers, Slot};
use crate::event::{CounterId, CounterSet};

/// What the register of a counter holds that counts this: where it counts one thing, there is no event.
#[inline(always)]
const fn select_of(counter: CounterId, bits: u64) -> u64 {
    if counter.number() >= CYCLE_COUNTER { bits & !Select::EVENT.bits() } else { bits }
}

impl<R> Pmuv3<R>
where
    R: Registers<Address = SystemRegister, Index = Index>,
{
    /// Notes one slot of a placement, and writes its selections.
    #[inline(always)]
    pub(super) fn load_slot(&self, image: &Image, slot: &Slot) {
        image.occupied.set(image.occupied.counters().or(slot.occupies()).bits());
        if let Some(lower) = slot.partner {
            self.chain(image, slot.counter, lower);
        }
        self.select(image, slot.partner.unwrap_or(slot.counter), slot.bits);
    }

    /// Makes a counter the upper half of the one before it, which interrupts no more.
    ///
    /// It counts at every level, whatever the lower half does: what it counts is that one's overflow
    /// (D14.3, CHAIN).
    #[cold]
    fn chain(&self, image: &Image, upper: CounterId, lower: CounterId) {
        image.pairs.set(image.pairs.counters().or(upper.only()).bits());
        self.registers.write(SystemRegister::INTERRUPT_CLEAR, lower.only().bits());
        let everywhere = if self.capabilities.has_hypervisor { Select::HYPERVISOR } else { Select::empty() };
        self.select(image, upper, everywhere.bits() | u64::from(CHAIN));
    }

    /// Has a counter count this, if it does not already.
    #[inline(always)]
    fn select(&self, image: &Image, counter: CounterId, bits: u64) {
        let bits = select_of(counter, bits);
        let Some(noted) = image.selects.get(counter.index()) else { return };
        if noted.get() != bits {
            self.registers.write(SystemRegister::any_select(counter), bits);
            noted.set(bits);
        }
    }

    /// Takes counters out of the image. What they select stays.
    #[inline(always)]
    pub(super) fn free(&self, image: &Image, counters: CounterSet) {
        image.occupied.set(image.occupied.counters().without(image.both(counters)).bits());
        let pairs = counters.and(image.pairs.counters());
        if !pairs.is_empty() {
            self.split(image, pairs);
        }
    }

    /// Makes two counters of each of these pairs again. The lower one has no overflow, and interrupts.
    #[cold]
    fn split(&self, image: &Image, pairs: CounterSet) {
        self.registers.write(SystemRegister::OVERFLOW_CLEAR, lower(pairs).bits());
        self.registers.write(SystemRegister::INTERRUPT_SET, lower(pairs).bits());
        image.pairs.set(image.pairs.counters().without(pairs).bits());
    }
}
