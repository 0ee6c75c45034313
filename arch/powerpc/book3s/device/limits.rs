//! The registers of a unit, and the bits of each, by its capabilities.

use super::place::Place;
use crate::arch::powerpc::book3s::{Capabilities, Freeze, Model, Privilege};
use crate::event::CounterSet;

/// The registers and bits that exist. A reserved bit ignores writes and reads as 0 (Power ISA Book I,
/// "Reserved Fields, Reserved Values, and Reserved SPRs").
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    model: Model,
    says_validity: bool,
    is_own_hypervisor: bool,
    counters: CounterSet,
    apart: CounterSet,
    control: u64,
    freezes: Option<u64>,
    sources: Option<u64>,
}

/// The four PMCnSRC of MMCR3 (Power ISA 3.1 Book III, "Monitor Mode Control Register 3").
const SOURCES: u64 = u64::MAX >> 4;

/// The version of POWER7+, which reports in MMCRA whether SIAR and SDAR are valid.
const POWER7_PLUS: u16 = 0x004A;

impl Limits {
    pub(super) fn of(capabilities: &Capabilities) -> Self {
        let limited = matches!(capabilities.model, Model::Power5 | Model::Power5Plus | Model::Power6);
        let freezes = capabilities.counters.into_iter().fold(0, |bits, counter| bits | Freeze::all().of(counter));
        Self {
            model: capabilities.model,
            says_validity: capabilities.pvr.version() == POWER7_PLUS,
            is_own_hypervisor: matches!(capabilities.privilege, Privilege::Hypervisor),
            counters: capabilities.counters,
            apart: if limited { capabilities.counters.without(CounterSet::first(4)) } else { CounterSet::EMPTY },
            control: capabilities.control.bits(),
            freezes: capabilities.has_freezes().then_some(freezes),
            sources: capabilities.has_sources().then_some(SOURCES),
        }
    }

    /// Returns the model that it counts like.
    #[inline(always)]
    pub(super) const fn model(&self) -> Model {
        self.model
    }

    /// Returns true if MMCRA reports whether what was captured is valid.
    #[inline(always)]
    pub(super) const fn says_validity(&self) -> bool {
        self.says_validity
    }

    /// Returns true if MSR\[HV\] is set in problem state, as it is if the kernel is its own hypervisor.
    #[inline(always)]
    pub(super) const fn is_own_hypervisor(&self) -> bool {
        self.is_own_hypervisor
    }

    /// Returns all counters.
    #[inline(always)]
    pub(super) const fn counters(&self) -> CounterSet {
        self.counters
    }

    /// Returns true if problem state can be given rights (MMCR0\[PMCC\]) and each counter has freezes of its own: from
    /// 2.07 on.
    #[inline(always)]
    pub(super) const fn is_207(&self) -> bool {
        self.freezes.is_some()
    }

    /// Returns the bits of a counter's freezes that MMCR2 keeps and that freeze nothing: Microwatt's pmu.vhdl tests FCnM1
    /// a second time in place of FCnM0, and FCnWAIT nowhere (`pmu_2`).
    #[inline(always)]
    pub(super) const fn idle_freezes(&self) -> Freeze {
        match self.model {
            Model::Microwatt => Freeze::UNMARKED.union(Freeze::WAITING),
            _ => Freeze::empty(),
        }
    }

    /// Returns the counters that have no freezes and no alerts, whatever the registers contain: PMC5 and PMC6 of
    /// POWER5 to POWER6.
    #[inline(always)]
    pub(super) const fn apart(&self) -> CounterSet {
        self.apart
    }

    /// Returns the bits of a register, or `None` if there is no such register.
    #[inline(always)]
    pub(super) fn bits(&self, place: Place) -> Option<u64> {
        match place {
            Place::Counter(number) => (self.counters.bits() >> (number & 63) & 1 == 1).then_some(u32::MAX.into()),
            Place::Control => Some(self.control),
            // It does not sample at random: it has no SAMPLE_ENABLE.
            Place::Marks if self.model == Model::Microwatt => Some(!1),
            Place::Selects | Place::Marks | Place::Instruction | Place::Datum => Some(u64::MAX),
            Place::Freezes => self.freezes,
            Place::Sources => self.sources,
            Place::Sampled(0) => self.freezes.map(|_| u64::MAX),
            Place::Sampled(_) => self.sources.map(|_| u64::MAX),
        }
    }
}
