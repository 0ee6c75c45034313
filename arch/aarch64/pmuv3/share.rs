//! The counters that the driver uses: all that it sees, or those that guests do not have.
//!
//! A hypervisor divides the event counters by MDCR_EL2.HPMN: guests have those below it, with PMCR_EL0, the cycle
//! counter and the instruction counter. The others belong to EL2 alone, and MDCR_EL2.HPME enables them. Source: Arm
//! Architecture Reference Manual for A-profile (DDI 0487 M.a), section D13.1.1, "Event counter ranges".

use super::capabilities::{Capabilities, Privilege};
use super::registers::{HypervisorControl, Pmcr};
use crate::event::CounterSet;

/// The counters that the driver uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The number of event counters of guests, or `None` if guests have no share of the unit.
    lent: Option<u8>,
}

impl Share {
    /// All counters: for a kernel at EL1, or at EL2 without guests that use the unit.
    pub const WHOLE: Self = Self { lent: None };

    /// The event counters from `lent` on. Those below it, and the cycle and instruction counters, belong to
    /// guests.
    ///
    /// Returns `None` if the driver does not run at EL2, if no event counter is left, or if none is lent and
    /// the processor does not allow that (FEAT_HPMN0).
    #[must_use]
    pub const fn beside_guests(capabilities: &Capabilities, lent: u8) -> Option<Self> {
        let is_possible = matches!(capabilities.privilege, Privilege::El2) && (lent > 0 || capabilities.may_lend_none);
        if is_possible && lent < capabilities.event_counters { Some(Self { lent: Some(lent) }) } else { None }
    }

    /// Returns true if the driver uses all counters.
    #[inline(always)]
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.lent.is_none()
    }

    /// Returns the number of event counters of guests, or `None` if guests have no share of the unit.
    pub(super) const fn lent(self) -> Option<u8> {
        self.lent
    }

    /// Returns the driver's counters.
    #[must_use]
    pub const fn counters(self, capabilities: &Capabilities) -> CounterSet {
        match self.lent {
            None => capabilities.counters(),
            Some(lent) => CounterSet::first(capabilities.event_counters).without(CounterSet::first(lent)),
        }
    }

    /// Returns PMCR_EL0 for a claimed unit, or `None` if the register belongs to guests.
    pub(super) fn control(self, capabilities: &Capabilities) -> Option<Pmcr> {
        if !self.is_whole() {
            return None;
        }
        let mut control = Pmcr::ENABLE | Pmcr::LONG_CYCLES;
        control.set(Pmcr::LONG_EVENTS, capabilities.has_long_events());
        control.set(Pmcr::CYCLES_AS_EVENTS, capabilities.can_prohibit());
        Some(control)
    }

    /// Returns the fields of MDCR_EL2 that the driver takes over. The others belong to debugging, profiling and tracing,
    /// or limit guests, and the hypervisor may write them at any time.
    const fn hypervisor_fields(self) -> HypervisorControl {
        let divided = HypervisorControl::LENT.union(HypervisorControl::ENABLE).union(HypervisorControl::LONG_EVENTS);
        if self.is_whole() {
            divided.union(HypervisorControl::NOT_HYPERVISOR).union(HypervisorControl::CYCLES_NOT_HYPERVISOR)
        } else {
            divided.union(HypervisorControl::FREEZE_ON_OVERFLOW)
        }
    }

    /// Returns MDCR_EL2 for a claimed unit, given its old value.
    pub(super) fn hypervisor_control(self, capabilities: &Capabilities, found: HypervisorControl) -> HypervisorControl {
        let mut wanted = HypervisorControl::empty().with_lent(self.lent.unwrap_or(capabilities.event_counters));
        wanted.set(HypervisorControl::ENABLE, !self.is_whole());
        wanted.set(HypervisorControl::LONG_EVENTS, capabilities.has_long_events() && !self.is_whole());
        self.with_fields_of(found, wanted)
    }

    /// Returns MDCR_EL2 with the driver's fields as in `from`, and the others as they are in `found`.
    pub(super) const fn with_fields_of(self, found: HypervisorControl, from: HypervisorControl) -> HypervisorControl {
        let fields = self.hypervisor_fields();
        found.difference(fields).union(from.intersection(fields))
    }
}
