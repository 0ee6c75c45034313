//! Which register an address is, and which part of it.

use super::{Device, id};
use crate::arch::riscv::Csr;
use crate::arch::riscv::hpm::extensions::Extensions;
use crate::arch::riscv::hpm::registers::MASKS;
use crate::arch::riscv::hpm::{Interrupt, Model, Privilege, Select};
use crate::virt::{Fault, Trigger};

/// A register of the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    Fixed(u64),
    Counter(u8, Half),
    Select(u8, Half),
    Inhibit,
    Overflows,
    Pending,
    Enable,
    Overflowed,
    Interrupting,
    /// The counters that do not count in a mode, by the mode's bit in a selection.
    Mask(Select),
    Readable,
    ReadableInUser,
    Selected,
}

/// The part of a register of 64 bits that an address has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Half {
    Both,
    Low,
    High,
}

impl Half {
    /// Returns this part of a value.
    pub(super) const fn of(self, value: u64) -> u64 {
        match self {
            Self::Both => value,
            Self::Low => value & 0xFFFF_FFFF,
            Self::High => value >> 32,
        }
    }

    /// Returns a value of which this part is another.
    pub(super) const fn replaced(self, value: u64, part: u64) -> u64 {
        match self {
            Self::Both => part,
            Self::Low => value >> 32 << 32 | part & 0xFFFF_FFFF,
            Self::High => value & 0xFFFF_FFFF | part << 32,
        }
    }
}

impl<T: Trigger> Device<T> {
    /// Returns the register at an address.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if the guest's mode has none there.
    pub(super) fn place(&self, at: Csr) -> Result<Place, Fault> {
        match at.register() {
            Some(register) => self.indirect(register, at.number().into()),
            None => self.direct(at.number()),
        }
    }

    fn direct(&self, number: u16) -> Result<Place, Fault> {
        if number >> 8 & 0b11 == 0b11 && self.privilege() == Privilege::Supervisor {
            return Err(Fault::Absent);
        }
        let (index, low) = ((number & 0x1F) as u8, if self.is_narrow() { Half::Low } else { Half::Both });
        match number {
            0xB00..=0xB1F => self.counter_at(index, low, self.all),
            0xB80..=0xB9F => self.counter_at(index, self.high()?, self.all),
            0xC00..=0xC1F => self.counter_at(index, low, self.delegated()),
            0xC80..=0xC9F => self.counter_at(index, self.high()?, self.delegated()),
            0x320 if self.capabilities.extensions.contains(Extensions::INHIBIT) => Ok(Place::Inhibit),
            0x321 => self.select_at(0, low),
            0x322..=0x33F => self.select_at(index, low),
            0x721 => self.upper_select_at(0),
            0x722..=0x73F => self.upper_select_at(index),
            0x306 if self.capabilities.extensions.contains(Extensions::USER) => Ok(Place::Readable),
            0x344 => Ok(Place::Pending),
            0x304 => Ok(Place::Enable),
            0xF11 => Ok(Place::Fixed(self.capabilities.part.vendor.into())),
            0xF12 => Ok(Place::Fixed(low.of(self.capabilities.part.architecture))),
            0xF13 => Ok(Place::Fixed(low.of(self.capabilities.part.implementation))),
            0x7CA if self.capabilities.interrupt() == Interrupt::Thead => Ok(Place::Interrupting),
            0x7CB if self.capabilities.interrupt() == Interrupt::Thead => Ok(Place::Overflowed),
            0x7CF if self.capabilities.interrupt() == Interrupt::Andes => Ok(Place::Interrupting),
            0x7D1..=0x7D3 if self.capabilities.masks() => {
                let (_, mode) = MASKS[usize::from(number - 0x7D1)];
                Ok(Place::Mask(mode))
            }
            0x7D4 if self.capabilities.interrupt() == Interrupt::Andes => Ok(Place::Overflowed),
            0xDA0 if self.capabilities.interrupt() == Interrupt::Sscofpmf => Ok(Place::Overflows),
            0x144 if self.is_delegated() => Ok(Place::Pending),
            0x104 if self.is_delegated() => Ok(Place::Enable),
            0x106 if self.is_delegated() => Ok(Place::ReadableInUser),
            0x120 if self.is_delegated() => Ok(Place::Inhibit),
            0x150 if self.is_delegated() => Ok(Place::Selected),
            0x151..=0x153 => self.indirect((number - 0x150) as u8, self.selected.get()),
            0x155..=0x157 => self.indirect((number - 0x151) as u8, self.selected.get()),
            _ => Err(Fault::Absent),
        }
    }

    /// The registers of a supervisor are those of an identity whose counters are delegated.
    fn is_delegated(&self) -> bool {
        self.capabilities.extensions.contains(Extensions::SSCCFG)
    }

    /// The register that sireg or another of its kind shows (Smcdeleg, "Supervisor-level Indirect CSR access").
    fn indirect(&self, register: u8, select: u64) -> Result<Place, Fault> {
        if !self.is_delegated() || !(0x40..0x60).contains(&select) {
            return Err(Fault::Absent);
        }
        let (index, low) = ((select - 0x40) as u8, if self.is_narrow() { Half::Low } else { Half::Both });
        if !has(self.delegated(), index) {
            return Err(Fault::Absent);
        }
        match register {
            1 => self.counter_at(index, low, self.all),
            2 => self.select_at(index, low),
            4 => self.counter_at(index, self.high()?, self.all),
            5 => self.upper_select_at(index),
            _ => Err(Fault::Absent),
        }
    }

    fn high(&self) -> Result<Half, Fault> {
        if self.is_narrow() { Ok(Half::High) } else { Err(Fault::Absent) }
    }

    /// A counter that the processor does not have is 0, as the manual has it; QEMU raises an exception.
    fn counter_at(&self, counter: u8, half: Half, among: u32) -> Result<Place, Fault> {
        let is_zero = self.privilege() == Privilege::Machine && self.capabilities.model != Model::Qemu;
        match has(among, counter) {
            true => Ok(Place::Counter(counter, half)),
            false if is_zero && counter != 1 => Ok(Place::Fixed(0)),
            false => Err(Fault::Absent),
        }
    }

    fn select_at(&self, counter: u8, half: Half) -> Result<Place, Fault> {
        let filters = self.capabilities.extensions.contains(Extensions::SMCNTRPMF);
        match counter < 3 {
            true if !filters => Err(Fault::Absent),
            _ if has(self.all, counter) => Ok(Place::Select(counter, half)),
            _ => Ok(Place::Fixed(0)),
        }
    }

    /// The upper halves came with the extensions that have bits there, for every counter at once.
    fn upper_select_at(&self, counter: u8) -> Result<Place, Fault> {
        match self.capabilities.has_upper_select(id(counter)) {
            true => self.select_at(counter, Half::High),
            false => Err(Fault::Absent),
        }
    }
}

fn has(counters: u32, number: u8) -> bool {
    counters >> number & 1 == 1
}
