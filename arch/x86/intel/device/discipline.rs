//! What a driver of this unit should not do although hardware permits it.

use core::cell::Cell;

use super::place::Place;
use super::{Device, FixedControl, Select};
use crate::arch::x86::Msr;
use crate::arch::x86::discipline::{check_acknowledged, check_modes, check_selector};
use crate::event::CounterId;
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Msr, value: u64) -> Result<(), &'static str> {
        match self.place(at) {
            Some(Place::General(_, number)) => self.check_preset(number),
            Some(Place::Fixed(number)) => self.check_preset(number + 32),
            Some(Place::Select(number)) => self.check_select(number, Select::from_bits_retain(value)),
            Some(Place::FixedControl) => self.check_fixed_control(value),
            Some(Place::AuxiliaryRegister(number)) => self.check_beside(number, value),
            Some(Place::Reset) => check_acknowledged(self, value, self.global_status.get()),
            _ => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_preset(&self, number: usize) -> Result<(), &'static str> {
        forbid(self.counts(number), "a counter that counts is written")
    }

    fn check_select(&self, number: usize, new: Select) -> Result<(), &'static str> {
        let old = self.selects.get(number).map_or(0, Cell::get);
        check_selector(old, new.bits(), self.counts(number))?;
        forbid(new.contains(Select::EQUAL | Select::INVERT), "EQ and INV exclude each other")?;
        check_modes(new.bits())
    }

    /// Checks a write to the shared register. The controls of idle counters may change; those of running
    /// counters may only be switched off.
    fn check_fixed_control(&self, value: u64) -> Result<(), &'static str> {
        let on = FixedControl::USER | FixedControl::KERNEL;
        let changed = |id: CounterId| {
            let new = FixedControl::of(id, value);
            new.intersects(on) && new != self.fixed_control(id)
        };
        let mut running = self.running().into_iter().filter(|id| self.select(*id).is_none());
        forbid(running.any(changed), "the control of a fixed counter that counts is changed")
    }

    fn check_beside(&self, number: usize, value: u64) -> Result<(), &'static str> {
        let changes = self.beside.get(number).is_some_and(|cell| cell.get() != value);
        let users = self.running().into_iter().filter_map(|id| self.select(id));
        let depends =
            |select: Select| self.limits.auxiliary(select.code()).is_some_and(|beside| beside as usize == number);
        forbid(changes && users.into_iter().any(depends), "a counter that counts depends on this register")
    }

    fn counts(&self, number: usize) -> bool {
        CounterId::new(number as u8).is_some_and(|id| self.running().contains(id))
    }
}
