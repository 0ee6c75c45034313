//! The bits of PerfEvtSel0 and PerfEvtSel1.
//!
//! Sources: SDM vol. 3, "Performance Monitoring (P6 Family Processor)", section "PerfEvtSel0 and PerfEvtSel1 MSRs"
//! and its figure; SDM vol. 4, table "MSRs in the P6 Family Processors", 186H and 187H.

use crate::arch::x86::Msr;
use crate::arch::x86::selector::selector;
use crate::event::CounterId;

selector! {
    /// The event of a counter (PerfEvtSel0, PerfEvtSel1).
    ///
    /// EN is only in PerfEvtSel0, and starts both counters.
    pub struct Select {
        EVENT as "EventSelect", UNIT_MASK as "UnitMask", USER as "USR", KERNEL as "OS", EDGE as "E",
        PIN_CONTROL as "PC", INTERRUPT as "INT", ENABLE as "EN", INVERT as "INV", THRESHOLD as "CMASK",
    }
}

impl Select {
    /// The bits that select the event: an event code, as in [`crate::Event::Raw`].
    pub const CODE: Self = Self::EVENT.union(Self::UNIT_MASK);

    /// What a counter selects that is stopped while the other one counts: requests to the second-level cache
    /// (L2_RQSTS, 2EH) of lines in no state, in no mode. It counts nothing (torvalds/linux
    /// arch/x86/events/intel/p6.c, `P6_NOP_EVENT`; the mask of states is SDM vol. 3's, table "Events That Can Be Counted
    /// with the P6 Family Performance-Monitoring Counters").
    pub const PARKED: Self = Self::from_bits_retain(0x2E);

    /// Returns the bits that the selector of a counter has.
    #[must_use]
    pub const fn of(counter: CounterId) -> Self {
        if counter.number() == 0 { Self::all() } else { Self::all().difference(Self::ENABLE) }
    }
}

/// PerfEvtSel0.
pub(super) const SELECT_0: Msr = Msr::at(Msr::FIRST_SELECT);
/// PerfEvtSel1.
pub(super) const SELECT_1: Msr = Msr::at(Msr::FIRST_SELECT + 1);
/// The address of PerfCtr0.
pub(super) const FIRST_COUNTER: u32 = 0xC1;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_counter_0_has_the_enable_bit() {
        let has = |number| Select::of(CounterId::new(number).unwrap()).contains(Select::ENABLE);
        assert_eq!([has(0), has(1)], [true, false]);
    }

    #[test]
    fn a_parked_counter_selects_an_event_without_a_mask_or_a_mode() {
        let others = Select::USER | Select::KERNEL | Select::INTERRUPT | Select::ENABLE;
        assert_eq!((Select::PARKED.code(), Select::PARKED & others), (0x002E, Select::empty()));
    }
}
