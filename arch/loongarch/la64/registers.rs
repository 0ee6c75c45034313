//! The bits of a counter's configuration, and of the word that describes the unit.
//!
//! Sources: "LoongArch Reference Manual, volume 1", "Performance Monitor Configuration n" and the table of CPUCFG's words.
//! Positions were compared with torvalds/linux arch/loongarch/include/asm/loongarch.h (CSR_PERFCTRL_*, CPUCFG6_*) and QEMU's
//! target/loongarch/cpu.h (CPUCFG6).

use crate::contract::bit_set;

bit_set! {
    /// What a counter counts, and where (PMCFG).
    #[doc(alias = "PERFCTRL")]
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Pmcfg: u64 {
        /// The event.
        const EVENT as "EvCode" = 0x3FF;
        /// Count at PLV0, the kernel's level.
        const PLV0 named "PLV0" = 1 << 16;
        /// Count at PLV1.
        const PLV1 named "PLV1" = 1 << 17;
        /// Count at PLV2.
        const PLV2 named "PLV2" = 1 << 18;
        /// Count at PLV3, the user programs' level.
        const PLV3 named "PLV3" = 1 << 19;
        /// Interrupt while the counter's top bit is set.
        const INTERRUPT as "PMIEn" = 1 << 20;
    }
}

impl Pmcfg {
    /// The levels. A counter with none of them does not count.
    pub const LEVELS: Self = Self::PLV0.union(Self::PLV1).union(Self::PLV2).union(Self::PLV3);

    /// Returns the event's number.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u16 {
        (self.bits() & Self::EVENT.bits()) as u16
    }

    /// Returns a configuration with only this event in it.
    #[inline(always)]
    #[must_use]
    pub const fn of_event(event: u16) -> Self {
        Self::from_bits_truncate(event as u64 & Self::EVENT.bits())
    }
}

bit_set! {
    /// What the unit has (word 6 of CPUCFG).
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Cpucfg6: u32 {
        /// There is a unit (PMP).
        const PRESENT = 1;
        /// The version of the events that the architecture defines (PMVER; in Linux PAMVER).
        const VERSION = 7 << 1;
        /// The number of counters, less one (PMNUM).
        const NUMBER = 0xF << 4;
        /// The width of a counter, less one (PMBITS).
        const WIDTH = 0x3F << 8;
        /// User programs can be given the counters to read (UPM).
        const USER = 1 << 14;
    }
}

impl Cpucfg6 {
    /// Returns the version of the events.
    pub(super) const fn version(self) -> u8 {
        (self.bits() >> 1 & 7) as u8
    }

    /// Returns the number of counters, from 1 to 16.
    pub(super) const fn counters(self) -> u8 {
        (self.bits() >> 4 & 0xF) as u8 + 1
    }

    /// Returns the width of a counter, from 1 to 64.
    pub(super) const fn width(self) -> u32 {
        (self.bits() >> 8 & 0x3F) + 1
    }

    /// Returns the same unit with so many counters, from 1 to 16.
    pub(super) const fn with_counters(self, counters: u8) -> Self {
        let number = Self::from_bits_retain(((counters as u32 - 1) & 0xF) << 4);
        self.difference(Self::NUMBER).union(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_comes_back_and_disturbs_nothing() {
        assert_eq!((Pmcfg::of_event(0xAA).event(), Pmcfg::of_event(0xAA).bits()), (0xAA, 0xAA));
        assert_eq!(Pmcfg::of_event(u16::MAX), Pmcfg::EVENT);
    }

    /// A 3A6000's and a 3C6000's word: loongson-community/areweloongyet, "typical configurations".
    #[test]
    fn the_word_of_a_3a6000_says_four_counters_of_64_bits() {
        let word = Cpucfg6::from_bits_retain(0x7F33);
        assert!(word.contains(Cpucfg6::PRESENT | Cpucfg6::USER));
        assert_eq!((word.version(), word.counters(), word.width()), (1, 4, 64));
        assert_eq!(word.with_counters(2).bits(), 0x7F13);
    }
}
