//! What a driver of this unit should not do although hardware permits it.

use super::Device;
use super::place::Place;
use crate::arch::x86::Msr;
use crate::arch::x86::p5::{Cesr, Select};
use crate::event::{CounterId, CounterSet};
use crate::virt::{Discipline, forbid};

impl Discipline for Device {
    fn check_write(&self, at: Msr, value: u64) -> Result<(), &'static str> {
        match Place::of(at) {
            Some(Place::Counter(id)) => {
                forbid(value & !Place::Counter(id).bits() != 0, "bits are set that a counter does not have")?;
                forbid(self.control().counting().contains(id), "a counter that counts is written")
            }
            Some(Place::Control) => {
                forbid(value & !Place::Control.bits() != 0, "bits are set that CESR does not have")?;
                let new = Cesr::from_bits(value);
                CounterSet::first(2).into_iter().try_for_each(|id| self.check_select(id, new.select(id)))
            }
            None => Ok(()),
        }
    }
}

impl Device {
    /// Checks what shall be a counter's new selection. "It must be stopped and cleared or preset before switching to a new
    /// event" (SDM vol. 3, "Control and Event Select Register (CESR)").
    fn check_select(&self, id: CounterId, new: Select) -> Result<(), &'static str> {
        let old = self.control().select(id);
        let changes = (old ^ new).intersects(Select::CODE);
        forbid(old.counts() && new.counts() && changes, "the event of a counter that counts is changed")?;
        forbid(new.contains(Select::CLOCKS) && !new.counts(), "a counter counts clocks in no mode")
    }
}
