//! Which registers a unit has, and which bits each of them has, by its version and its facts.

use super::Place;
use crate::arch::x86::Window;
use crate::arch::x86::intel::{Auxiliary, Beside, Facts, GlobalStatus};
use crate::counter::{CounterId, CounterSet};
use crate::virt::Fault;

/// What there is; the rest faults.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    version: u8,
    window: Window,
    counters: CounterSet,
    general_mask: u64,
    fixed_mask: u64,
    select: u64,
    fixed_control: u64,
    reset: u64,
    set: u64,
    beside: [Option<u64>; Beside::COUNT],
    auxiliaries: &'static [Auxiliary],
    capabilities: Option<u64>,
}

impl Limits {
    pub(super) fn of(facts: &Facts) -> Self {
        let counters = facts.counters_of_all_kinds();
        Self {
            version: facts.version,
            window: facts.window,
            counters,
            general_mask: facts.general_width.mask(),
            fixed_mask: facts.fixed_width.mask(),
            select: facts.selectable.bits(),
            fixed_control: facts.fixed.into_iter().fold(0, |all, id| facts.fixed_control.within(id, all)),
            reset: counters.bits() | resettable(facts.version).bits(),
            set: counters.bits() | SETTABLE.bits(),
            auxiliaries: facts.auxiliaries,
            beside: Beside::ALL.map(|register| bits_beside(facts, register)),
            capabilities: facts.capabilities.map(|capabilities| capabilities.bits()),
        }
    }

    /// Every counter that there is.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        self.counters
    }

    /// The general counters, as bits of the global registers.
    pub(super) const fn general(&self) -> u64 {
        self.counters.bits() & 0xFFFF_FFFF
    }

    /// Are there registers for the unit as a whole? Not in version 1.
    #[inline(always)]
    pub(super) const fn has_global(&self) -> bool {
        self.version >= 2
    }

    #[inline(always)]
    pub(super) const fn general_mask(&self) -> u64 {
        self.general_mask
    }

    /// The bits that a counter has.
    #[inline(always)]
    pub(super) const fn mask(&self, id: CounterId) -> u64 {
        if id.number() < 32 { self.general_mask } else { self.fixed_mask }
    }

    #[inline(always)]
    pub(super) fn capabilities(&self) -> u64 {
        self.capabilities.unwrap_or_default()
    }

    /// Is this register there?
    #[inline(always)]
    pub(super) fn has(&self, place: Place) -> bool {
        match place {
            Place::General(Window::Narrow, number) | Place::Select(number) => self.has_counter(number),
            Place::General(Window::Full, number) => self.window == Window::Full && self.has_counter(number),
            Place::Fixed(number) => self.has_counter(number + 32),
            Place::FixedControl | Place::Status | Place::Control | Place::Reset => self.has_global(),
            Place::Set | Place::InUse => self.version >= 4,
            Place::Beside(number) => self.bits_beside(number).is_some(),
            Place::Capabilities => self.capabilities.is_some(),
        }
    }

    /// The bits that can be written; `None` if the register is read-only.
    #[inline(always)]
    pub(super) fn writable(&self, place: Place) -> Option<u64> {
        match place {
            Place::General(Window::Narrow, _) => Some(u64::MAX),
            Place::Status | Place::InUse | Place::Capabilities => None,
            _ => Some(self.holds(place)),
        }
    }

    /// The bits that can be set in a register.
    #[inline(always)]
    pub(super) fn holds(&self, place: Place) -> u64 {
        match place {
            Place::General(..) => self.general_mask,
            Place::Fixed(_) => self.fixed_mask,
            Place::Select(_) => self.select,
            Place::FixedControl => self.fixed_control,
            Place::Control => self.counters.bits(),
            Place::Reset => self.reset,
            Place::Set => self.set,
            Place::Status if self.version >= 4 => self.set,
            Place::Status => self.counters.bits(),
            Place::Beside(number) => self.bits_beside(number).unwrap_or_default(),
            Place::InUse | Place::Capabilities => 0,
        }
    }

    /// Does this event take its meaning from that register beside the counters?
    pub(super) fn needs(&self, code: u64, beside: usize) -> bool {
        self.auxiliaries.iter().any(|event| event.code == code && event.beside as usize == beside)
    }

    /// Can this register, there or not, hold this value?
    pub(super) fn check(&self, place: Place, value: u64) -> Result<(), Fault> {
        match (value, self.has(place)) {
            (0, _) => Ok(()),
            (_, false) => Err(Fault::Absent),
            (_, true) if value & !self.holds(place) == 0 => Ok(()),
            (_, true) => Err(Fault::Reserved),
        }
    }

    #[inline(always)]
    fn has_counter(&self, number: usize) -> bool {
        self.counters.bits() >> (number & 63) & 1 == 1
    }

    #[inline(always)]
    fn bits_beside(&self, number: usize) -> Option<u64> {
        self.beside.get(number).copied().flatten()
    }
}

/// What IA32_PERF_GLOBAL_STATUS_SET can set besides overflows, of the facilities that are there
/// (SDM vol. 4, table "IA-32 Architectural MSRs", 391H: CondChgd is not among them).
const SETTABLE: GlobalStatus = GlobalStatus::BRANCHES_FROZEN
    .union(GlobalStatus::COUNTERS_FROZEN)
    .union(GlobalStatus::UNCORE)
    .union(GlobalStatus::BUFFER);

/// What can be acknowledged besides overflows (the same table, 390H).
fn resettable(version: u8) -> GlobalStatus {
    let always = GlobalStatus::BUFFER | GlobalStatus::CHANGED;
    match version {
        0..=2 => always,
        3 => always | GlobalStatus::UNCORE,
        _ => always | SETTABLE,
    }
}

/// The bits of a register beside the counters: all that any of its events may set.
fn bits_beside(facts: &Facts, register: Beside) -> Option<u64> {
    let events = facts.auxiliaries.iter().filter(|event| event.beside == register);
    events.map(|event| event.mask).reduce(|all, mask| all | mask)
}
