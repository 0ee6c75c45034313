//! Which of a unit's counters the driver has: all that it sees, or those that guests have not.
//!
//! A hypervisor divides the event counters by MDCR_EL2.HPMN: guests have those below it, and PMCR_EL0
//! for them with the cycle counter and the instruction counter; those from it on are EL2's alone,
//! and MDCR_EL2.HPME starts them. Source: Arm Architecture Reference Manual for A-profile (DDI 0487
//! M.a), section D13.1.1, "Event counter ranges".

use super::facts::{Facts, Level};
use super::registers::{Control, HypervisorControl};
use crate::counter::CounterSet;

/// Which counters the driver has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// How many event counters guests have beside it; `None` if they have none at all.
    lent: Option<u8>,
}

impl Share {
    /// All counters: for a kernel at EL1, and for whoever runs at EL2 and lends nothing.
    pub const WHOLE: Self = Self { lent: None };

    /// The event counters from `lent` on; those below it, and the cycle and instruction counters, are
    /// the guests'.
    ///
    /// `None` if the driver does not run at EL2, if no event counter is left, or if none is lent and
    /// the processor does not allow that (FEAT_HPMN0).
    #[must_use]
    pub const fn beside_guests(facts: &Facts, lent: u8) -> Option<Self> {
        let is_possible = matches!(facts.level, Level::Two) && (lent > 0 || facts.may_lend_none);
        if is_possible && lent < facts.event_counters { Some(Self { lent: Some(lent) }) } else { None }
    }

    /// Are all counters the driver's?
    #[inline(always)]
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.lent.is_none()
    }

    /// The driver's counters.
    #[must_use]
    pub const fn counters(self, facts: &Facts) -> CounterSet {
        match self.lent {
            None => facts.counters(),
            Some(lent) => CounterSet::first(facts.event_counters).without(CounterSet::first(lent)),
        }
    }

    /// PMCR_EL0 while the unit is claimed; `None` if that is the guests'.
    pub(super) fn control(self, facts: &Facts) -> Option<Control> {
        if !self.is_whole() {
            return None;
        }
        let mut control = Control::ENABLE | Control::LONG_CYCLES;
        control.set(Control::LONG_EVENTS, facts.has_long_events());
        control.set(Control::CYCLES_AS_EVENTS, facts.can_prohibit());
        Some(control)
    }

    /// MDCR_EL2 while the unit is claimed, of what it was before. Others' bits and what is trapped
    /// stay as they are.
    pub(super) fn hypervisor_control(self, facts: &Facts, before: HypervisorControl) -> HypervisorControl {
        let mut control = before.with_lent(self.lent.unwrap_or(facts.event_counters));
        control.set(HypervisorControl::ENABLE, !self.is_whole());
        control.set(HypervisorControl::LONG_EVENTS, facts.has_long_events() && !self.is_whole());
        if self.is_whole() {
            control.remove(HypervisorControl::NOT_HYPERVISOR | HypervisorControl::CYCLES_NOT_HYPERVISOR);
        } else {
            control.remove(HypervisorControl::FREEZE_ON_OVERFLOW);
        }
        control
    }
}
