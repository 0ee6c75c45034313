//! What a driver of this unit should not do although hardware permits it.

use super::limits::Place;
use super::{Device, Select};
use crate::arch::x86::Msr;
use crate::arch::x86::discipline::check_selector;
use crate::event::CounterId;
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Msr, value: u64) -> Result<(), &'static str> {
        match Place::of(at) {
            Some(Place::Counter(number)) => forbid(self.counts(number), "a counter that counts is written"),
            Some(Place::Select(number)) => self.check_select(number, Select::from_bits_retain(value)),
            None => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    /// A counter that counts may be parked, and otherwise keeps its selector. A parked one may be given any. What both
    /// counters do when they are started is checked at the enable bit, which is written last.
    fn check_select(&self, number: usize, new: Select) -> Result<(), &'static str> {
        let counts = self.counts(number) && !is_parked(new);
        check_selector(self.select(number).bits(), new.bits(), counts)?;
        forbid(number == 0 && new.contains(Select::ENABLE) && self.starts_none(new), "counters are enabled in no mode")
    }

    /// Returns true if no counter counts in any mode once counter 0 has this selector.
    fn starts_none(&self, first: Select) -> bool {
        let modes = Select::USER | Select::KERNEL;
        !first.intersects(modes) && !self.select(1).intersects(modes)
    }

    fn counts(&self, number: usize) -> bool {
        u8::try_from(number).ok().and_then(CounterId::new).is_some_and(|id| self.running().contains(id))
    }
}

/// Returns true if a counter with this selector counts nothing, whether or not the other one counts.
fn is_parked(select: Select) -> bool {
    select - Select::ENABLE == Select::PARKED
}
