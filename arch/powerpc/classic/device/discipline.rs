//! What a driver must not do to this unit although hardware permits it.

use super::Device;
use super::place::Place;
use crate::arch::powerpc::Spr;
use crate::arch::powerpc::classic::{Mmcr0, SelectField};
use crate::arch::powerpc::device::SIGN;
use crate::virt::{Decode, Discipline, Trigger, forbid};

/// The selectors in MMCR0.
const SELECTS: u64 = SelectField::ALL[0].with(0x7F) as u64 | SelectField::ALL[1].with(0x3F) as u64;

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Spr, value: u64) -> Result<(), &'static str> {
        let place = self.place(at).map_err(|_| "the register is no part of this unit")?;
        forbid(self.limits.bits(place).is_none_or(|bits| value & !bits != 0), "bits are set that are reserved")?;
        match place {
            Place::Counter(number) => self.check_preset(number, value),
            Place::Control => self.check_control(value),
            Place::Selects | Place::Extension => self.check_selects(place, value, u64::MAX),
            Place::Instruction | Place::Datum => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_preset(&self, number: usize, value: u64) -> Result<(), &'static str> {
        let counts = self.running().bits() >> (number & 63) & 1 == 1;
        forbid(counts, "a counter that counts is written")?;
        let interrupts = self.control().contains(Mmcr0::EXCEPTION) && value & SIGN != 0;
        forbid(interrupts, "a counter is made negative while that interrupts: it does at once")
    }

    /// Freezes may be written at any time, and together with them the selectors may change.
    fn check_control(&self, value: u64) -> Result<(), &'static str> {
        let freezes = Mmcr0::from_bits_retain(value as u32).contains(Mmcr0::FREEZE);
        if freezes { Ok(()) } else { self.check_selects(Place::Control, value, SELECTS) }
    }

    fn check_selects(&self, place: Place, value: u64, bits: u64) -> Result<(), &'static str> {
        let before = self.cell(place).map_or(0, |cell| cell.get());
        let changes = (before ^ value) & bits != 0;
        forbid(changes && !self.running().is_empty(), "what counters count is changed while they count")
    }
}
