//! What a guest's accesses to the registers do.

use core::cell::Cell;

use super::super::registers::{ADAPTIVE, Data, Register};
use super::{Device, GuestMemory};
use crate::arch::x86::{Index, Msr};
use crate::contract::{Masked, OneCpu, Registers};
use crate::event::{CounterId, CounterSet};
use crate::virt::{Device as _, Fault, Trigger, check_fit};

/// The registers.
impl<T: Trigger, M: GuestMemory> Device<T, M> {
    /// Returns the bits of a register of its own, or `None` if there is no such register.
    fn bits(&self, at: Register) -> Option<u64> {
        let (general, fixed) = (self.capabilities.general().bits(), self.capabilities.fixed().bits());
        match at {
            Register::Enable if self.capabilities.enables_loads() => Some(general | general << 32 | fixed),
            Register::Enable => Some(general | fixed),
            Register::Data => self.capabilities.has_groups().then_some(Data::all().bits()),
            Register::Latency => Some(0xFFFF),
            Register::Area => Some(u64::MAX),
            Register::Unit(_) => None,
        }
    }

    fn cell(&self, at: Register) -> Option<&Cell<u64>> {
        match at {
            Register::Enable => Some(&self.enable),
            Register::Data => Some(&self.data),
            Register::Latency => Some(&self.latency),
            Register::Area => Some(&self.area),
            Register::Unit(_) => None,
        }
    }

    /// Reads a register. IA32_MISC_ENABLE, which belongs to the host, says that counters and precise sampling are available and the
    /// branch trace store is not (SDM vol. 4, bits 7, 12 and 11).
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if the processor does not announce it.
    pub fn try_read(&self, at: Register) -> Result<u64, Fault> {
        match at {
            Register::Unit(Msr::MISC_ENABLE) => Ok(1 << 7 | 1 << 11),
            Register::Unit(Msr::FIXED_CONTROL) => {
                Ok(self.unit.try_read(Msr::FIXED_CONTROL)? | self.adaptive_fixed.get())
            }
            Register::Unit(msr) => {
                let is_adaptive = selected(msr).is_some_and(|id| self.adaptive.get().contains(id));
                Ok(self.unit.try_read(msr)? | if is_adaptive { ADAPTIVE } else { 0 })
            }
            at if self.bits(at).is_some() => Ok(self.cell(at).map_or(0, Cell::get)),
            _ => Err(Fault::Absent),
        }
    }

    /// Writes a register. A counter that is no more enabled for sampling is no more armed.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`], [`Fault::ReadOnly`], or [`Fault::Reserved`] if bits are set that the processor does not have, or
    /// the address of the area is not canonical. Nothing has changed then.
    pub fn try_write(&self, at: Register, value: u64) -> Result<(), Fault> {
        match at {
            Register::Unit(msr) => return self.write_unit(msr, value),
            Register::Area if !is_canonical(value) => return Err(Fault::Reserved),
            at => check_fit(Some(self.bits(at).ok_or(Fault::Absent)?), value)?,
        }
        self.cell(at).into_iter().for_each(|cell| cell.set(value));
        self.armed.set(self.armed.get().and(self.sampled()));
        Ok(())
    }

    /// Writes a register of the unit, without the bits that only sampling has.
    fn write_unit(&self, msr: Msr, value: u64) -> Result<(), Fault> {
        match selected(msr) {
            Some(id) if self.capabilities.has_groups() => {
                self.unit.try_write(msr, value & !ADAPTIVE)?;
                let others = self.adaptive.get().without(id.only());
                self.adaptive.set(if value & ADAPTIVE == 0 { others } else { others.or(id.only()) });
                Ok(())
            }
            None if msr == Msr::FIXED_CONTROL && self.capabilities.has_groups() => {
                let chosen = value & adaptive_of(self.capabilities.fixed());
                self.unit.try_write(msr, value & !chosen)?;
                self.adaptive_fixed.set(chosen);
                let is_chosen = |id: &CounterId| adaptive_of(id.only()) & chosen != 0;
                let fixed = self.capabilities.fixed().into_iter().filter(is_chosen).collect();
                self.adaptive.set(self.adaptive.get().and(self.capabilities.general()).or(fixed));
                Ok(())
            }
            _ => self.unit.try_write(msr, value),
        }
    }

    /// Reads a counter by RDPMC.
    ///
    /// # Errors
    /// Returns [`Fault::Absent`] if there is no such counter.
    pub fn try_read_counter(&self, index: Index) -> Result<u64, Fault> {
        self.unit.try_read_counter(index)
    }
}

/// The general counter whose selector this is.
fn selected(msr: Msr) -> Option<CounterId> {
    let number = msr.address().checked_sub(Msr::FIRST_SELECT)?;
    CounterId::new(number.try_into().ok()?).filter(|id| id.number() < Msr::GENERAL)
}

/// The bits of IA32_FIXED_CTR_CTRL that make records of these fixed counters adaptive: 32 + 4 times the number.
fn adaptive_of(fixed: CounterSet) -> u64 {
    fixed.into_iter().fold(0, |bits, id| bits | 1_u64.checked_shl(32 + 4 * (u32::from(id.number()) & 31)).unwrap_or(0))
}

/// With 48 bits, as processors have them whose linear addresses are not extended.
const fn is_canonical(address: u64) -> bool {
    let high = address.cast_signed() >> 47;
    high == 0 || high == -1
}

/// For drivers under test. Their accesses must not fault: if one does, the driver is wrong.
impl<T: Trigger, M: GuestMemory> Registers for Device<T, M> {
    type Address = Register;
    type Index = Index;
    type Kernel = OneCpu;

    fn kernel(&self) -> OneCpu {
        OneCpu
    }

    fn read(&self, at: Register) -> u64 {
        self.try_read(at).unwrap_or_else(|fault| panic!("reading {at:?}: {fault}"))
    }

    fn write(&self, at: Register, value: u64) {
        self.try_write(at, value).unwrap_or_else(|fault| panic!("writing {value:#x} to {at:?}: {fault}"));
    }

    fn read_counter(&self, index: Index) -> u64 {
        self.unit.read_counter(index)
    }

    fn ticks(&self) -> u64 {
        self.time.get()
    }

    fn mask(&self) -> Masked {
        self.unit.mask()
    }

    fn unmask(&self, before: Masked) {
        self.unit.unmask(before);
    }
}
