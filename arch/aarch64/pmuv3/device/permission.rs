//! The rights of each exception level, by PMUSERENR_EL0, PMUACR_EL1 and MDCR_EL2.
//!
//! Source: DDI 0487, the pseudocode beside each register ("Accesses to this register use the following
//! encodings"), GetPMUAccessMask(), GetPMUWriteMask() and GetNumEventCountersAccessible().

use super::Device;
use super::place::Place;
use crate::arch::aarch64::Direction;
use crate::arch::aarch64::pmuv3::{CYCLE_COUNTER, HypervisorControl, INSTRUCTION_COUNTER, Select, UserEnable};
use crate::event::{CounterSet, Mode};
use crate::virt::Fault;

const CYCLES: CounterSet = CounterSet::from_bits(1 << CYCLE_COUNTER);
const INSTRUCTIONS: CounterSet = CounterSet::from_bits(1 << INSTRUCTION_COUNTER);

impl<T> Device<T> {
    /// Returns the number of event counters of the levels below the hypervisor (MDCR_EL2.HPMN). If it is larger than
    /// the number of counters it means all of them, and 0 means none, even without FEAT_HPMN0, where the
    /// architecture leaves both open.
    #[inline(always)]
    pub(super) fn lent(&self) -> u8 {
        match self.limits.has_hypervisor {
            true => self.limits.events().min(self.hypervisor_control().lent()),
            false => self.limits.events(),
        }
    }

    /// Returns the number of event counters that a level sees.
    #[inline(always)]
    pub(super) fn events_for(&self, mode: Mode) -> u8 {
        if mode == Mode::Hypervisor { self.limits.events() } else { self.lent() }
    }

    /// Returns the counters whose bits a level can read.
    #[inline(always)]
    pub(super) fn readable(&self, mode: Mode) -> CounterSet {
        let all = match self.limits.has_hypervisor && mode != Mode::Hypervisor {
            true => self.limits.counters().without(self.reserved()),
            false => self.limits.counters(),
        };
        if mode == Mode::User { self.readable_by_users(all) } else { all }
    }

    /// Returns the event counters that a hypervisor keeps for itself.
    #[inline(always)]
    fn reserved(&self) -> CounterSet {
        CounterSet::first(CYCLE_COUNTER).without(CounterSet::first(self.lent()))
    }

    fn readable_by_users(&self, all: CounterSet) -> CounterSet {
        let is_named = self.user_enable().contains(UserEnable::NAMED);
        if is_named { all.and(self.user_access()) } else { all.without(INSTRUCTIONS) }
    }

    /// Returns the counters whose bits a level can change.
    #[inline(always)]
    pub(super) fn writable(&self, mode: Mode) -> CounterSet {
        let readable = self.readable(mode);
        if mode == Mode::User { readable.without(self.only_read()) } else { readable }
    }

    /// Returns the counters that user programs can only read.
    fn only_read(&self) -> CounterSet {
        let user = self.user_enable();
        let only_read = [
            (UserEnable::READ_EVENTS, CounterSet::first(CYCLE_COUNTER)),
            (UserEnable::READ_CYCLES, CYCLES),
            (UserEnable::READ_INSTRUCTIONS, INSTRUCTIONS),
        ];
        let set = only_read.into_iter().filter(|&(bit, _)| user.contains(bit | UserEnable::NAMED));
        set.fold(CounterSet::EMPTY, |all, (_, counters)| all.or(counters))
    }

    /// Returns the counters that a level can increment by PMSWINC_EL0.
    pub(super) fn incrementable(&self, mode: Mode) -> CounterSet {
        let events = CounterSet::first(self.events_for(mode));
        let user = self.user_enable();
        let is_named = user.contains(UserEnable::NAMED) && !user.contains(UserEnable::SOFTWARE_INCREMENT);
        if mode == Mode::User && is_named { events.and(self.user_access()) } else { events }
    }

    /// Checks that a level may make this access to a register that exists.
    #[inline(always)]
    pub(super) fn check(&self, mode: Mode, place: Place, direction: Direction) -> Result<(), Fault> {
        match direction {
            Direction::Write if place.is_read_only() => return Err(Fault::ReadOnly),
            Direction::Read if place.is_write_only() => return Err(Fault::WriteOnly),
            _ => {}
        }
        if mode == Mode::User {
            self.check_user(place, direction)?;
        }
        if mode != Mode::Hypervisor && self.limits.has_hypervisor { self.check_guest(place) } else { Ok(()) }
    }

    #[inline(never)]
    fn check_user(&self, place: Place, direction: Direction) -> Result<(), Fault> {
        match place {
            _ if place.is_privileged() => Err(Fault::Absent),
            Place::UserEnable if direction == Direction::Write => Err(Fault::ReadOnly),
            _ if self.lets_users(place, direction) => Ok(()),
            _ => Err(Fault::Trapped(Mode::Kernel)),
        }
    }

    /// Returns true if PMUSERENR_EL0 permits an access from EL0.
    fn lets_users(&self, place: Place, direction: Direction) -> bool {
        let user = self.user_enable();
        let is_read = direction == Direction::Read;
        let is_open = user.intersects(UserEnable::ALL.union(UserEnable::NAMED));
        match place {
            Place::Control => user.contains(UserEnable::ALL) && !user.contains(UserEnable::NAMED),
            Place::Counter(INSTRUCTION_COUNTER) | Place::Select(INSTRUCTION_COUNTER) => {
                user.contains(UserEnable::NAMED)
            }
            Place::Counter(CYCLE_COUNTER) if is_read => is_open || user.contains(UserEnable::READ_CYCLES),
            Place::Counter(_) if is_read => is_open || user.contains(UserEnable::READ_EVENTS),
            Place::Selector => is_open || user.contains(UserEnable::READ_EVENTS),
            Place::SoftwareIncrement => is_open || user.contains(UserEnable::SOFTWARE_INCREMENT),
            Place::Events(_) => is_open && !user.contains(UserEnable::TRAP_EVENTS),
            Place::UserEnable => true,
            _ => is_open,
        }
    }

    /// Checks that MDCR_EL2 permits an access from EL0 or EL1. A counter that it reserves is trapped, as FEAT_FGT
    /// requires; without it the architecture leaves this open.
    #[inline(always)]
    fn check_guest(&self, place: Place) -> Result<(), Fault> {
        let control = self.hypervisor_control();
        let is_reserved = place.counter().is_some_and(|number| number < CYCLE_COUNTER && number >= self.lent());
        let is_trapped = match place {
            Place::HypervisorControl => return Err(Fault::Absent),
            Place::Identity(_) => false,
            Place::Control => control.intersects(HypervisorControl::TRAP_CONTROL.union(HypervisorControl::TRAP)),
            _ => is_reserved || control.contains(HypervisorControl::TRAP),
        };
        if is_trapped { Err(Fault::Trapped(Mode::Hypervisor)) } else { Ok(()) }
    }

    /// Returns true if a user program's access reads 0 or writes nothing, because the counter is not its own.
    #[inline(always)]
    pub(super) fn is_hidden(&self, mode: Mode, place: Place, direction: Direction) -> bool {
        let own = match direction {
            _ if mode != Mode::User => return false,
            Direction::Read => self.readable(mode),
            Direction::Write => self.writable(mode),
        };
        place.counter().is_some_and(|number| own.bits() >> (number & 63) & 1 == 0)
    }

    #[inline(always)]
    pub(super) fn user_enable(&self) -> UserEnable {
        UserEnable::from_bits_retain(self.user_enable.get())
    }

    #[inline(always)]
    pub(super) fn user_access(&self) -> CounterSet {
        CounterSet::from_bits(self.user_access.get())
    }

    #[inline(always)]
    pub(super) fn hypervisor_control(&self) -> HypervisorControl {
        HypervisorControl::from_bits_retain(self.hypervisor_control.get())
    }

    /// Returns the selection or filter of a counter of any kind.
    #[inline(always)]
    pub(super) fn select(&self, number: u8) -> Select {
        Select::from_bits_retain(self.selects.get(usize::from(number)).map_or(0, core::cell::Cell::get))
    }
}
