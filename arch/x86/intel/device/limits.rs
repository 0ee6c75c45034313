//! Which registers a unit has, and which bits each of them has, by its version and its facts.

use super::Place;
use crate::arch::x86::Window;
use crate::arch::x86::device::check_fit;
use crate::arch::x86::intel::{Auxiliary, Beside, DebugControl, Facts, GlobalStatus};
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
    status: u64,
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
            status: counters.bits() | settable(facts.version).bits(),
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

    /// The bits of IA32_DEBUGCTL that the unit minds.
    pub(super) const fn debug_control(&self) -> u64 {
        if self.has_global() { DebugControl::FREEZE_COUNTERS.bits() } else { 0 }
    }

    /// Is it the status that holds frozen counters, and not the global control?
    pub(super) const fn freezes_by_status(&self) -> bool {
        self.version >= 4
    }

    /// The bits that a counter has.
    #[inline(always)]
    pub(super) const fn mask(&self, id: CounterId) -> u64 {
        if id.number() < 32 { self.general_mask } else { self.fixed_mask }
    }

    /// Do counters and selectors have second addresses?
    pub(super) const fn has_second(&self) -> bool {
        self.version >= 6
    }

    #[inline(always)]
    pub(super) fn capabilities(&self) -> u64 {
        self.capabilities.unwrap_or_default()
    }

    /// The bits that a register has; `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        let global = |bits: u64| self.has_global().then_some(bits);
        let since_4 = |bits: u64| (self.version >= 4).then_some(bits);
        match place {
            Place::General(window, number) if self.has_window(window) => self.counter(number, self.general_mask),
            Place::General(..) => None,
            Place::Select(number) => self.counter(number, self.select),
            Place::Fixed(number) => self.counter(number + 32, self.fixed_mask),
            Place::FixedControl => global(self.fixed_control),
            Place::Control => global(self.counters.bits()),
            Place::Status => global(self.status),
            Place::Reset => global(self.reset),
            Place::Set => since_4(self.status),
            Place::InUse => since_4(0),
            Place::Beside(number) => self.beside.get(number).copied().flatten(),
            Place::Capabilities => self.capabilities.map(|_| 0),
        }
    }

    /// Does this event take its meaning from that register beside the counters?
    pub(super) fn needs(&self, code: u64, beside: usize) -> bool {
        self.auxiliaries.iter().any(|event| event.code == code && event.beside as usize == beside)
    }

    /// Can this register hold this value? One that is not there holds 0.
    pub(super) fn check(&self, place: Place, value: u64) -> Result<(), Fault> {
        check_fit(self.bits(place), value)
    }

    #[inline(always)]
    fn counter(&self, number: usize, bits: u64) -> Option<u64> {
        (self.counters.bits() >> (number & 63) & 1 == 1).then_some(bits)
    }

    #[inline(always)]
    fn has_window(&self, window: Window) -> bool {
        window == Window::Narrow || self.window == Window::Full
    }
}

/// What can be set in the status besides overflows, of the facilities that are there (SDM vol. 4,
/// table "IA-32 Architectural MSRs", 391H: CondChgd is not among them).
fn settable(version: u8) -> GlobalStatus {
    let frozen = GlobalStatus::BRANCHES_FROZEN | GlobalStatus::COUNTERS_FROZEN;
    if version >= 4 { frozen | GlobalStatus::UNCORE | GlobalStatus::BUFFER } else { GlobalStatus::empty() }
}

/// What can be acknowledged besides overflows (the same table, 390H).
fn resettable(version: u8) -> GlobalStatus {
    let uncore = if version >= 3 { GlobalStatus::UNCORE } else { GlobalStatus::empty() };
    settable(version) | uncore | GlobalStatus::BUFFER | GlobalStatus::CHANGED
}

/// The bits of a register beside the counters: all that any of its events may set.
fn bits_beside(facts: &Facts, register: Beside) -> Option<u64> {
    let events = facts.auxiliaries.iter().filter(|event| event.beside == register);
    events.map(|event| event.mask).reduce(|all, mask| all | mask)
}
