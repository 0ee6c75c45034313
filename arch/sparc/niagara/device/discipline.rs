//! What a driver must not do to this unit although hardware permits it.

use super::Device;
use crate::arch::sparc::niagara::{Pcr, PcrT1, Privilege};
use crate::arch::sparc::{Asr, Half};
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Asr, value: u64) -> Result<(), &'static str> {
        match at {
            Asr::Pic => forbid(!self.running().is_empty(), "%pic is written while a counter counts"),
            Asr::Pcr if self.is_t1() => forbid(value & !PcrT1::all().bits() != 0, "bits are set that are reserved"),
            Asr::Pcr => self.check_control(value),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_control(&self, value: u64) -> Result<(), &'static str> {
        forbid(value & !Pcr::all().bits() != 0, "bits are set that are reserved")?;
        let value = Pcr::from_bits_retain(value);
        let has_right = self.capabilities.privilege == Privilege::Hypervisor;
        forbid(value.contains(Pcr::HYPERVISOR) && !has_right, "HT is set without the right to it")?;
        Half::ALL.into_iter().filter(|half| self.running().contains(half.counter())).try_for_each(|half| {
            forbid(!value.contains(Pcr::hold(half)), "the overflow of a counter that counts may be lost")?;
            let goes_on = value.intersects(Pcr::MODES) && value.select(half) & 0xFF != 0;
            let changes = value.select(half) != self.control().select(half);
            forbid(goes_on && changes, "the event of a counter that counts is changed")
        })
    }
}
