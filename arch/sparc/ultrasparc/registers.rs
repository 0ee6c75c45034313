//! The bits of %pcr.
//!
//! Sources: "UltraSPARC-IIi User's Manual", appendix B, "Performance Instrumentation", table "PCR fields", for I and
//! II, and "UltraSPARC III Cu User's Manual", chapter 14, "Performance Instrumentation", table "PCR Bit Description",
//! from III on. The manuals themselves were not available: the fields are those that illumos-gate,
//! usr/src/uts/sun4u/pcbe/us234_pcbe.c, and torvalds/linux arch/sparc/include/asm/pcr.h and
//! arch/sparc/kernel/perf_event.c (`ultra3_pmu`) agree on.

use crate::contract::bit_set;

use crate::arch::sparc::Half;

bit_set! {
    /// The control of both counters. The selectors of I and II are 4 bits wide: the lower bits of these fields.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Pcr: u64 {
        /// User programs cannot read %pic (PRIV).
        const PRIVILEGED as "PRIV" = 1 << 0;
        /// Count in the kernel (ST).
        const KERNEL as "ST" = 1 << 1;
        /// Count in user programs (UT).
        const USER as "UT" = 1 << 2;
        /// The event of pic0 (S0; SL).
        const SELECT_0 as "SL" = 0x3F << 4;
        /// The event of pic1 (S1; SU).
        const SELECT_1 as "SU" = 0x3F << 11;
    }
}

impl Pcr {
    /// The modes of both counters.
    pub const MODES: Self = Self::KERNEL.union(Self::USER);

    const fn shift(half: Half) -> u32 {
        match half {
            Half::Pic0 => 4,
            Half::Pic1 => 11,
        }
    }

    /// Returns the event of a counter.
    #[inline(always)]
    #[must_use]
    pub const fn select(self, half: Half) -> u8 {
        (self.bits() >> Self::shift(half)) as u8 & 0x3F
    }

    /// Returns the register's value with only this event of a counter in it.
    #[inline(always)]
    #[must_use]
    pub const fn selecting(half: Half, select: u8) -> Self {
        Self::from_bits_retain((select as u64 & 0x3F) << Self::shift(half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_fills_its_field_and_no_other() {
        assert_eq!(Pcr::selecting(Half::Pic0, 0xFF), Pcr::SELECT_0);
        assert_eq!(Pcr::selecting(Half::Pic1, 0xFF), Pcr::SELECT_1);
        let both = Pcr::selecting(Half::Pic0, 0x14) | Pcr::selecting(Half::Pic1, 0x29);
        assert_eq!(Half::ALL.map(|half| both.select(half)), [0x14, 0x29]);
    }
}
