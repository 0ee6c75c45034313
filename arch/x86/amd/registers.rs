//! The bits of AMD's registers.
//!
//! Sources: APM vol. 2, "Performance Monitoring Counters", PERF_CTLn and PerfCntrGlobalStatus; for
//! K7 the "AMD Athlon Processor x86 Code Optimization Guide" (22007), appendix
//! "Performance-Monitoring Counters"; for K8 the BKDG 26094, "Performance Event-Select Registers";
//! for family 10h the BKDG 31116, MSRC001_00[03:00]; for family 17h its PPR, "Large Increment per
//! Cycle Events"; for bit 43 the sources of `errata`.

use crate::contract::bit_set;

use crate::arch::x86::selector::selector;
use crate::event::CounterSet;

selector! {
    /// The event of a counter (PerfEvtSeln, PERF_CTLn).
    pub struct Select {
        EVENT as "EventSelect[7:0]", UNIT_MASK as "UnitMask", USER as "Usr", KERNEL as "Os", EDGE as "Edge",
        PIN_CONTROL as "PC", INTERRUPT as "Int", ENABLE as "En", INVERT as "Inv", THRESHOLD as "CntMask",
        /// The event's high four bits; family 10h and later.
        const EVENT_HIGH as "EventSelect[11:8]" = 0xF << 32;
        /// Count only in guests, if SVM is enabled; family 10h and later. With this and
        /// [`Select::HOST_ONLY`] it counts in both, as with neither.
        const GUEST_ONLY as "GuestOnly" = 1 << 40;
        /// Count only outside guests, if SVM is enabled; family 10h and later.
        const HOST_ONLY as "HostOnly" = 1 << 41;
        /// Count events at retirement exactly; counter 2 of family 19h, models 0 to 0FH
        /// ([`Capabilities::exact`](super::Capabilities::exact)). Reserved elsewhere. It need not read back.
        const EXACT as "PERF_CTL2[43]" = 1 << 43;
    }
}

impl Select {
    /// The bits that select the event: an event code, as in [`crate::Event::Raw`].
    pub const CODE: Self = Self::EVENT.union(Self::UNIT_MASK).union(Self::EVENT_HIGH).union(Self::EXACT);

    /// The event FFFH of an odd counter: it becomes the high half of the even counter before it, so that more than
    /// 15 events in a cycle can be counted; family 17h and later.
    pub const MERGE: Self = Self::EVENT.union(Self::EVENT_HIGH);

    /// Returns the event's twelve bits, without its unit mask.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u16 {
        (self.bits() & 0xFF | self.bits() >> 24 & 0xF00) as u16
    }

    /// Returns the event's unit mask.
    #[inline(always)]
    #[must_use]
    pub const fn unit_mask(self) -> u8 {
        (self.bits() >> 8) as u8
    }

    /// Returns true if it makes an odd counter the high half of the one before it.
    #[inline(always)]
    #[must_use]
    pub const fn is_merge(self) -> bool {
        self.bits() & Self::MERGE.bits() == Self::MERGE.bits()
    }
}

bit_set! {
    /// The status of the unit (PerfCntrGlobalStatus; version 2). Bit n is the overflow of counter n.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Status: u64 {
        /// The overflows of the counters.
        const OVERFLOWS = 0xFFFF;
        /// The branch records are frozen (LBRS_FROZEN).
        const BRANCHES_FROZEN as "LBRS_FROZEN" = 1 << 58;
        /// The counters are frozen (PMC_FROZEN).
        const COUNTERS_FROZEN as "PMC_FROZEN" = 1 << 59;
    }
}

impl Status {
    /// Returns the counters that have overflowed, whether or not this processor has them.
    #[inline(always)]
    #[must_use]
    pub const fn counters(self) -> CounterSet {
        CounterSet::from_bits(self.bits() & Self::OVERFLOWS.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_twelve_bits_in_two_places() {
        let select = Select::from_bits_retain(0x0001_0053_0120);
        assert_eq!((select.event(), select.unit_mask(), select.code()), (0x120, 0x01, 0x0001_0000_0120));
    }

    #[test]
    fn only_the_event_fff_merges() {
        assert!((Select::MERGE | Select::ENABLE).is_merge());
        assert!(!Select::EVENT.is_merge() && !Select::EVENT_HIGH.is_merge());
    }
}
