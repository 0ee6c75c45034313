//! What a driver must not do to this unit although hardware permits it.

use super::place::Place;
use super::{Device, SIGN};
use crate::arch::powerpc::Spr;
use crate::arch::powerpc::book3s::Mmcr0;
use crate::event::CounterSet;
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Spr, value: u64) -> Result<(), &'static str> {
        let place = Place::of(at).ok_or("the register is no part of this unit")?;
        forbid(self.limits.bits(place).is_none_or(|bits| value & !bits != 0), "bits are set that are reserved")?;
        match place {
            Place::Counter(number) => self.check_preset(number, value),
            Place::Selects | Place::Freezes | Place::Sources | Place::Marks => self.check_selection(place, value),
            Place::Control | Place::Instruction | Place::Datum | Place::Sampled(_) => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    /// Returns the counters that count and could be stopped.
    fn stoppable(&self) -> CounterSet {
        self.running().without(self.excluded())
    }

    fn check_preset(&self, number: usize, value: u64) -> Result<(), &'static str> {
        let counts = self.stoppable().bits() >> (number & 63) & 1 == 1;
        forbid(counts, "a counter that counts is written")?;
        let alerts = self.control().contains(Mmcr0::ALERT) && value & SIGN != 0;
        forbid(alerts, "a counter is made negative while alerts are on: it alerts at once")
    }

    fn check_selection(&self, place: Place, value: u64) -> Result<(), &'static str> {
        let changes = self.read_place(place) != Some(value);
        forbid(changes && !self.stoppable().is_empty(), "what counters count is changed while they count")
    }
}
