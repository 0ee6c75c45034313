//! What a driver must not do to this unit although hardware permits it.

use super::Device;
use super::place::Place;
use crate::arch::powerpc::Pmr;
use crate::arch::powerpc::device::SIGN;
use crate::arch::powerpc::embedded::{Pmgc0, Pmlca};
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: Pmr, value: u64) -> Result<(), &'static str> {
        let place = self.place(at).map_err(|_| "the register is no part of this unit")?;
        forbid(self.limits.bits(place).is_none_or(|bits| value & !bits != 0), "bits are set that are reserved")?;
        match place {
            Place::Counter(number) => self.check_preset(number, value),
            Place::Local(number) => self.check_local(number, value),
            Place::Threshold(number) => self.check_threshold(number, value),
            Place::Global => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn counts(&self, number: usize) -> bool {
        self.running().bits() >> (number & 63) & 1 == 1
    }

    fn check_preset(&self, number: usize, value: u64) -> Result<(), &'static str> {
        forbid(self.counts(number), "a counter that counts is written")?;
        let interrupts = self.global().contains(Pmgc0::INTERRUPT) && value & SIGN != 0;
        forbid(interrupts, "a counter is put past its overflow while that interrupts: it does at once")
    }

    /// A running counter may be frozen; nothing else of it may change.
    fn check_local(&self, number: usize, value: u64) -> Result<(), &'static str> {
        let before = self.locals.get(number).map_or(0, |local| local.get()) as u32;
        let changes = Pmlca::from_bits_retain(before ^ value as u32).difference(Pmlca::FREEZE);
        forbid(self.counts(number) && !changes.is_empty(), "what a counter counts is changed while it counts")
    }

    fn check_threshold(&self, number: usize, value: u64) -> Result<(), &'static str> {
        let changes = self.thresholds.get(number).is_some_and(|threshold| threshold.get() != value);
        forbid(self.counts(number) && changes, "what a counter compares with is changed while it counts")
    }
}
