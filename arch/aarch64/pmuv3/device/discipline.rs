//! What a driver of this unit should not do although hardware permits it.

use super::Device;
use super::feed::{counts_in, is_chain};
use super::place::{Half, Place};
use crate::arch::aarch64::SystemRegister;
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, HypervisorControl, Pmcr, Select};
use crate::event::{CounterSet, Mode};
use crate::virt::{Decode, Discipline, Trigger, forbid};

impl<T: Trigger> Discipline for Device<T> {
    fn check_write(&self, at: SystemRegister, value: u64) -> Result<(), &'static str> {
        match self.resolve(Place::of(at)) {
            Some(Place::Counter(number)) => self.check_preset(1 << number),
            Some(Place::Zero) => self.check_preset(value),
            Some(Place::Select(number)) => self.check_select(number, Select::from_bits_retain(value)),
            Some(Place::Control) => self.check_control(Pmcr::from_bits_retain(value)),
            Some(Place::Enable(Half::Set)) => self.check_enabled(CounterSet::from_bits(value)),
            Some(Place::Overflow(Half::Clear)) => self.check_acknowledged(value),
            Some(Place::HypervisorControl) => self.check_lent(HypervisorControl::from_bits_retain(value)),
            _ => Ok(()),
        }
    }
}

impl<T: Trigger> Device<T> {
    fn check_preset(&self, counters: u64) -> Result<(), &'static str> {
        forbid(counters & self.running().bits() != 0, "a counter that counts is written")
    }

    fn check_select(&self, number: u8, new: Select) -> Result<(), &'static str> {
        let counts = self.running().bits() >> (number & 63) & 1 == 1;
        let changes = self.select(number) != new;
        forbid(counts && changes, "the selection of a counter that counts is changed")?;
        forbid(is_chain(new) && number & 1 == 0, "an even counter counts no overflows of another")?;
        let is_filtered = [Mode::User, Mode::Kernel].into_iter().any(|mode| !counts_in(new, mode));
        forbid(number < CYCLE_COUNTER && is_chain(new) && is_filtered, "CHAIN must count at every level")
    }

    /// Checks PMCR_EL0: resets affect all counters of a kind, and a width must not change while counters count.
    fn check_control(&self, new: Pmcr) -> Result<(), &'static str> {
        let events = if new.contains(Pmcr::RESET_EVENTS) {
            CounterSet::first(self.events_for(self.home))
        } else {
            CounterSet::EMPTY
        };
        let cycles = u64::from(new.contains(Pmcr::RESET_CYCLES)) << CYCLE_COUNTER;
        self.check_preset(events.bits() | cycles)?;
        let widths = Pmcr::LONG_CYCLES.union(Pmcr::LONG_EVENTS).union(Pmcr::DIVIDE);
        let changed = (self.control() ^ new).intersection(widths);
        let stays = new.contains(Pmcr::ENABLE) && !self.running().is_empty();
        forbid(stays && !changed.is_empty(), "counters that count change their width")
    }

    /// Checks that a counter to be enabled has an event that exists, and counts at some level.
    fn check_enabled(&self, counters: CounterSet) -> Result<(), &'static str> {
        let new = counters.and(self.limits.counters());
        let mut events = new.and(CounterSet::first(self.limits.events())).into_iter();
        let is_missing = events.any(|id| self.feed.is_missing(self.select(id.number())));
        forbid(is_missing, "a counter is enabled for a common event that is not announced")?;
        let rests =
            |select| [Mode::User, Mode::Kernel, Mode::Hypervisor].into_iter().all(|mode| !counts_in(select, mode));
        forbid(new.into_iter().any(|id| rests(self.select(id.number()))), "a counter is enabled at no level")
    }

    /// Checks an acknowledgement. While counters count, an overflow may come after the driver has read the status. If
    /// it is cleared without having been read, it is lost.
    fn check_acknowledged(&self, value: u64) -> Result<(), &'static str> {
        let unread = value & self.running().bits() & !self.overflowed.get();
        forbid(unread != 0, "the overflow of a counter that counts is acknowledged before it happens")
    }

    fn check_lent(&self, new: HypervisorControl) -> Result<(), &'static str> {
        let is_open = new.lent() > self.limits.events() || new.lent() == 0 && !self.limits.may_lend_none();
        forbid(is_open, "the architecture does not say what such a number of lent counters means")
    }
}
