//! Which bits the embedded cores' control registers have, for the driver that writes them and the
//! device that reads them.
//!
//! Manuals count bits from 32, the top of a register of 32 bits. Sources: "PowerPC e500 Core Family
//! Reference Manual", chapter 7, tables 7-3, "PMGC0 Field Descriptions", 7-4, "PMLCa0-PMLCa3 Field
//! Descriptions", and 7-5, "PMLCb0-PMLCb3 Field Descriptions". The eighth bit of EVENT and the guest's
//! freezes are the "e500mc Core Reference Manual"'s, which was not at hand: they are as in torvalds/linux
//! arch/powerpc/include/asm/reg_fsl_emb.h.

use bitflags::bitflags;

bitflags! {
    /// What controls all counters (PMGC0).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Global: u32 {
        /// No counter counts (FAC).
        const FREEZE = 1 << 31;
        /// Overflows interrupt (PMIE); the interrupt clears it.
        const INTERRUPT = 1 << 30;
        /// An overflow that is let through freezes all counters (FCECE).
        const FREEZE_ON_CONDITION = 1 << 29;
        /// Which bit of the time base is watched (TBSEL; from e500v2 on).
        const TIME_BASE_BIT = 0b11 << 11;
        /// A transition of that bit is a condition like an overflow (TBEE; from e500v2 on).
        const TIME_BASE = 1 << 8;
    }
}

bitflags! {
    /// What one counter counts, and where (PMLCan).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Local: u32 {
        /// It does not count (FC).
        const FREEZE = 1 << 31;
        /// Not in supervisor state (FCS).
        const FREEZE_SUPERVISOR = 1 << 30;
        /// Not in user state (FCU).
        const FREEZE_USER = 1 << 29;
        /// Not while MSR\[PMM\] is set (FCM1).
        const FREEZE_MARKED = 1 << 28;
        /// Not while MSR\[PMM\] is clear (FCM0).
        const FREEZE_UNMARKED = 1 << 27;
        /// Its overflow is a condition (CE).
        const CONDITION = 1 << 26;
        /// The event (EVENT); the top bit of it is e500mc's alone.
        const EVENT = 0xFF << 16;
        /// Not in guest state (FCGS1; e500mc).
        const FREEZE_GUEST = 1 << 1;
        /// Not in hypervisor state (FCGS0; e500mc).
        const FREEZE_HYPERVISOR = 1 << 0;
    }
}

impl Local {
    /// The freezes that say in which modes the counter counts.
    pub const MODES: Self = Self::FREEZE_SUPERVISOR.union(Self::FREEZE_USER);

    /// The event's number.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u8 {
        (self.bits() >> 16) as u8
    }

    /// This event and nothing else.
    #[inline(always)]
    #[must_use]
    pub const fn of_event(event: u8) -> Self {
        Self::from_bits_retain((event as u32) << 16)
    }
}

bitflags! {
    /// The threshold of one counter's event (PMLCbn; e500 and e500mc).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Threshold: u32 {
        /// The threshold is this power of two times THRESHOLD (THRESHMUL).
        const MULTIPLIER = 0b111 << 8;
        /// What the event must exceed to be counted (THRESHOLD).
        const VALUE = 0x3F;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_comes_back_and_disturbs_nothing() {
        assert_eq!((Local::of_event(0x81).event(), Local::of_event(0x81).bits()), (0x81, 0x0081_0000));
        assert_eq!(Local::of_event(0xFF), Local::EVENT);
    }
}
