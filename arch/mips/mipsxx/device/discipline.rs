//! What a driver must not do to this unit although hardware permits it.

use super::{Device, Place};
use crate::arch::mips::Cp0;
use crate::arch::mips::mipsxx::PerfCtl;
use crate::virt::{Discipline, TopBit, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Cp0, value: u64) -> Result<(), &'static str> {
        match self.place(at).map_err(|_| "the register is no part of this unit")? {
            Place::Fixed(_) => Err("a read-only register is written"),
            Place::Counter(number) => {
                let reserved = value & !self.capabilities.width.mask();
                forbid(reserved != 0, "bits are set that are reserved")?;
                forbid(self.counts(number), "a counter that counts is written")?;
                let interrupts = self.control(number).contains(PerfCtl::INTERRUPT) && value >= self.sign();
                forbid(interrupts, "a counter is put past its overflow while that interrupts: it does at once")
            }
            Place::Control(number) => self.check_control(number, value),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn counts(&self, number: usize) -> bool {
        self.control(number).intersects(PerfCtl::MODES)
    }

    /// A running counter may be stopped; nothing else of it may change.
    fn check_control(&self, number: usize, value: u64) -> Result<(), &'static str> {
        let reserved = value & !u64::from(self.capabilities.writable().bits());
        forbid(reserved != 0, "bits are set that are reserved or read-only")?;
        let changes = self.control(number).bits() != value as u32 && value & u64::from(PerfCtl::MODES.bits()) != 0;
        forbid(self.counts(number) && changes, "what a counter counts is changed while it counts")
    }
}
