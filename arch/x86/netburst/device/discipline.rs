//! What a driver of this unit should not do although hardware permits it.

use super::limits::Place;
use super::{Cccr, Device, Escr, index};
use crate::arch::x86::Msr;
use crate::event::CounterId;
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Msr, value: u64) -> Result<(), &'static str> {
        match Place::of(at) {
            Some(Place::Counter(number)) => forbid(self.counts(number), "a counter that counts is written"),
            Some(Place::Cccr(number)) => self.check_cccr(number, Cccr::from_bits_retain(value)),
            Some(Place::Escr(number)) => self.check_escr(number, value),
            Some(Place::Replay(_) | Place::Misc) | None => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_cccr(&self, number: usize, new: Cccr) -> Result<(), &'static str> {
        let Some(id) = u8::try_from(number).ok().and_then(CounterId::new) else { return Ok(()) };
        let changes = (self.cccr(id) ^ new) - Cccr::ENABLE - Cccr::OVERFLOW;
        forbid(self.counts(number) && !changes.is_empty(), "the CCCR of a counter that counts is changed")?;
        forbid(new.contains(Cccr::CASCADE), "a counter is started by another's overflow")?;
        if !new.contains(Cccr::ENABLE) {
            return Ok(());
        }
        forbid(new.contains(Cccr::OVERFLOW), "a counter is started with its overflow set, which interrupts at once")?;
        let is_alone = !self.limits.has_second_thread();
        forbid(is_alone && new.active_thread() != 3, "ACTIVE_THREAD is not 3 without hyper-threading")?;
        let escr = super::EscrId::of(id, new.escr_select()).and_then(|escr| self.escrs.get(escr as usize));
        let modes = Escr::T0_USER | Escr::T0_KERNEL | Escr::T1_USER | Escr::T1_KERNEL;
        let counts_nothing = escr.is_none_or(|cell| !Escr::from_bits_retain(cell.get()).intersects(modes));
        forbid(counts_nothing, "a counter is enabled whose ESCR counts in no mode")
    }

    fn check_escr(&self, number: usize, value: u64) -> Result<(), &'static str> {
        let uses = |id: CounterId| self.escr(id).is_some_and(|(used, old)| used == number && old.bits() != value);
        forbid(self.running().into_iter().any(uses), "the ESCR of a counter that counts is changed")
    }

    fn counts(&self, number: usize) -> bool {
        self.running().into_iter().any(|id| index(id) == number)
    }
}
