//! What a driver must not do to this unit although hardware permits it.

use super::Device;
use crate::arch::sparc::ultrasparc::Pcr;
use crate::arch::sparc::{Asr, Half};
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Asr, value: u64) -> Result<(), &'static str> {
        match at {
            Asr::Pic => forbid(!self.running().is_empty(), "%pic is written while a counter counts"),
            Asr::Pcr => self.check_control(value),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_control(&self, value: u64) -> Result<(), &'static str> {
        forbid(value & !self.capabilities.control().bits() != 0, "bits are set that are reserved")?;
        let value = Pcr::from_bits_retain(value);
        let changes = |half: Half| value.select(half) != self.control().select(half) && !self.is_parked(value, half);
        let changed = Half::ALL.into_iter().filter(|half| self.running().contains(half.counter())).any(changes);
        let goes_on = value.intersects(Pcr::MODES);
        forbid(goes_on && changed, "the event of a counter that counts is changed")
    }
}
