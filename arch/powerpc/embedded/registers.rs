//! The bits of the embedded cores' control registers.
//!
//! Manuals count bits from 32, the top of a register of 32 bits. Sources: "PowerPC e500 Core Family
//! Reference Manual", chapter 7, tables 7-3, "PMGC0 Field Descriptions", 7-4, "PMLCa0-PMLCa3 Field
//! Descriptions", and 7-5, "PMLCb0-PMLCb3 Field Descriptions". The eighth bit of EVENT and the guest's
//! freezes are those of the "e500mc Core Reference Manual", which was not available: they are from torvalds/linux
//! arch/powerpc/include/asm/reg_fsl_emb.h.

use crate::contract::bit_set;

bit_set! {
    /// The control of all counters (PMGC0).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Pmgc0: u32 {
        /// No counter counts (FAC).
        const FREEZE as "FAC" = 1 << 31;
        /// Overflows interrupt (PMIE). The interrupt clears this bit.
        const INTERRUPT as "PMIE" = 1 << 30;
        /// An enabled overflow freezes all counters (FCECE).
        const FREEZE_ON_CONDITION as "FCECE" = 1 << 29;
        /// The bit of the time base that is watched (TBSEL; from e500v2 on).
        const TIME_BASE_BIT as "TBSEL" = 0b11 << 11;
        /// A change of that bit is a condition like an overflow (TBEE; from e500v2 on).
        const TIME_BASE as "TBEE" = 1 << 8;
    }
}

bit_set! {
    /// The event of a counter, and where it counts (PMLCan).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Pmlca: u32 {
        /// The counter does not count (FC).
        const FREEZE as "FC" = 1 << 31;
        /// The counter does not count in supervisor state (FCS).
        const FREEZE_SUPERVISOR as "FCS" = 1 << 30;
        /// The counter does not count in user state (FCU).
        const FREEZE_USER as "FCU" = 1 << 29;
        /// The counter does not count while MSR\[PMM\] is set (FCM1).
        const FREEZE_MARKED as "FCM1" = 1 << 28;
        /// The counter does not count while MSR\[PMM\] is clear (FCM0).
        const FREEZE_UNMARKED as "FCM0" = 1 << 27;
        /// The counter's overflow is enabled as a condition (CE).
        const CONDITION as "CE" = 1 << 26;
        /// The event (EVENT). Only e500mc has the top bit of it.
        const EVENT named "EVENT" = 0xFF << 16;
        /// The counter does not count in guest state (FCGS1; e500mc).
        const FREEZE_GUEST as "FCGS1" = 1 << 1;
        /// The counter does not count in hypervisor state (FCGS0; e500mc).
        const FREEZE_HYPERVISOR as "FCGS0" = 1 << 0;
    }
}

impl Pmlca {
    /// The freezes by mode.
    pub const MODES: Self = Self::FREEZE_SUPERVISOR.union(Self::FREEZE_USER);

    /// Returns the event's number.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u8 {
        (self.bits() >> 16) as u8
    }

    /// Returns a register with only this event in it.
    #[inline(always)]
    #[must_use]
    pub const fn of_event(event: u8) -> Self {
        Self::from_bits_retain((event as u32) << 16)
    }
}

bit_set! {
    /// The threshold of a counter's event (PMLCbn; e500 and e500mc).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Pmlcb: u32 {
        /// The power of two that THRESHOLD is multiplied by (THRESHMUL).
        const MULTIPLIER as "THRESHMUL" = 0b111 << 8;
        /// The threshold that an event must exceed (THRESHOLD).
        const VALUE as "THRESHOLD" = 0x3F;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_comes_back_and_disturbs_nothing() {
        assert_eq!((Pmlca::of_event(0x81).event(), Pmlca::of_event(0x81).bits()), (0x81, 0x0081_0000));
        assert_eq!(Pmlca::of_event(0xFF), Pmlca::EVENT);
    }
}
