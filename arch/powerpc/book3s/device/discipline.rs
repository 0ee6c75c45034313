//! What a driver must not do to this unit, though hardware lets it.

use super::place::Place;
use super::{Device, SIGN};
use crate::arch::powerpc::Spr;
use crate::arch::powerpc::book3s::Control;
use crate::counter::CounterId;
use crate::virt::{Breach, Discipline, Trigger};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Spr, value: u64) -> Result<(), Breach> {
        let place = Place::of(at).ok_or(Breach("the register is no part of this unit"))?;
        unless(self.limits.bits(place).is_none_or(|bits| value & !bits != 0), "bits are set that are reserved")?;
        match place {
            Place::Counter(number) => self.check_preset(number, value),
            Place::Selects | Place::Freezes | Place::Sources | Place::Marks => self.check_selection(place, value),
            Place::Control | Place::Instruction | Place::Datum | Place::Sampled(_) => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_preset(&self, number: usize, value: u64) -> Result<(), Breach> {
        let counts = u8::try_from(number).ok().and_then(CounterId::new).is_some_and(|id| self.running().contains(id));
        unless(counts && !self.is_on_its_own(number), "a counter that counts is written")?;
        let alerts = self.control().contains(Control::ALERT) && value & SIGN != 0;
        unless(alerts, "a counter is made negative while alerts are on: it alerts at once")
    }

    fn is_on_its_own(&self, number: usize) -> bool {
        u8::try_from(number).ok().and_then(CounterId::new).is_some_and(|id| self.limits.is_on_its_own(id))
    }

    fn check_selection(&self, place: Place, value: u64) -> Result<(), Breach> {
        let changes = self.read_place(place) != Some(value);
        let counts = self.running().into_iter().any(|id| !self.limits.is_on_its_own(id));
        unless(changes && counts, "what counters count is changed while they count")
    }
}

/// This rule of use, if it is broken.
fn unless(broken: bool, rule: &'static str) -> Result<(), Breach> {
    if broken { Err(Breach(rule)) } else { Ok(()) }
}
