//! What a driver of this unit should not do although hardware permits it.

use super::place::Place;
use super::{Device, Select};
use crate::arch::x86::Msr;
use crate::arch::x86::discipline::{check_acknowledged, check_modes, check_selector};
use crate::event::CounterId;
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Msr, value: u64) -> Result<(), &'static str> {
        match self.place(at) {
            Some(Place::Counter(number)) => self.check_preset(number),
            Some(Place::Select(number)) => self.check_select(number, value),
            Some(Place::Control) => self.check_control(value),
            Some(Place::Reset) => check_acknowledged(self, value, self.status.get()),
            Some(Place::Status) => forbid(true, "the status is read-only, and what is written to it lost"),
            Some(Place::Set) | None => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_preset(&self, number: usize) -> Result<(), &'static str> {
        forbid(self.counts(number), "a counter that counts is written")
    }

    fn check_select(&self, number: usize, value: u64) -> Result<(), &'static str> {
        forbid(self.drops(Place::Select(number), value), "bits are set that this selector does not have")?;
        check_selector(self.select(number).bits(), value, self.counts(number))?;
        let merges = Select::from_bits_retain(value).is_merge();
        if merges { self.check_merge(number) } else { check_modes(value) }
    }

    fn check_merge(&self, number: usize) -> Result<(), &'static str> {
        forbid(!self.limits.merges() || number.is_multiple_of(2), "a counter merges that has none before it")?;
        forbid(self.counts(number.wrapping_sub(1)), "a counter that counts is merged")
    }

    fn check_control(&self, value: u64) -> Result<(), &'static str> {
        forbid(self.drops(Place::Control, value), "counters are enabled that are not there")
    }

    fn drops(&self, place: Place, value: u64) -> bool {
        self.limits.bits(place).is_some_and(|bits| value & !bits != 0)
    }

    /// Returns true if a counter counts. The upper half of a pair counts when the lower one does.
    fn counts(&self, number: usize) -> bool {
        let number = self.lower_half(number).unwrap_or(number);
        u8::try_from(number).ok().and_then(CounterId::new).is_some_and(|id| self.running().contains(id))
    }
}
