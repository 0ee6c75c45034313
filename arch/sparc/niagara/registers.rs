//! The bits of %pcr.
//!
//! Sources: "OpenSPARC T1 Microarchitecture / UltraSPARC T1 Supplement to the UltraSPARC Architecture 2005", chapter
//! "Performance Instrumentation", and OpenSPARC T1's design (tlu_pib.v, "reading the PCRs and PICs"); "OpenSPARC T2
//! Programmer's Reference Manual", chapter 10, "Performance Instrumentation", table "PCR Register Format", and
//! OpenSPARC T2's design (pmu_pct_ctl.v, "PCR format is"). They were compared with illumos-gate,
//! usr/src/uts/sun4v/sys/niagararegs.h and niagara2regs.h, and with torvalds/linux arch/sparc/include/asm/pcr.h. The
//! manuals themselves were not available. illumos-gate shifts OV1 by 30 and masks bit 31; the design has it in bit 31.

use crate::contract::bit_set;

use crate::arch::sparc::Half;

bit_set! {
    /// The control of T1's counters.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct PcrT1: u64 {
        /// User programs cannot read %pic (PRIV).
        const PRIVILEGED as "PRIV" = 1 << 0;
        /// Count in the kernel (ST).
        const KERNEL as "ST" = 1 << 1;
        /// Count in user programs (UT).
        const USER as "UT" = 1 << 2;
        /// The event of pic0 (SL).
        const SELECT as "SL" = 0b111 << 4;
        /// pic0 has overflowed (OVF, lower bit).
        const OVERFLOW_0 as "OV0" = 1 << 8;
        /// pic1 has overflowed (OVF, upper bit).
        const OVERFLOW_1 as "OV1" = 1 << 9;
    }
}

bit_set! {
    /// The control of the counters of T2, T2+ and T3.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Pcr: u64 {
        /// User programs cannot read %pic (PRIV).
        const PRIVILEGED as "PRIV" = 1 << 0;
        /// Count in the kernel (ST).
        const KERNEL as "ST" = 1 << 1;
        /// Count in user programs (UT).
        const USER as "UT" = 1 << 2;
        /// Count in the hypervisor (HT). Only the hypervisor can write it.
        const HYPERVISOR as "HT" = 1 << 3;
        /// An overflow of pic0 traps (TOE, lower bit).
        const TRAP_0 as "TOE0" = 1 << 4;
        /// An overflow of pic1 traps (TOE, upper bit).
        const TRAP_1 as "TOE1" = 1 << 5;
        /// pic0 has overflowed (OV0).
        const OVERFLOW_0 as "OV0" = 1 << 18;
        /// pic1 has overflowed (OV1).
        const OVERFLOW_1 as "OV1" = 1 << 31;
        /// The mask of pic0's event (MASK0).
        const MASK_0 as "MASK0" = 0xFF << 6;
        /// The group of pic0's event (SL0).
        const GROUP_0 as "SL0" = 0xF << 14;
        /// The mask of pic1's event (MASK1).
        const MASK_1 as "MASK1" = 0xFF << 19;
        /// The group of pic1's event (SL1).
        const GROUP_1 as "SL1" = 0xF << 27;
        /// This write leaves OV0 as it is (HOLDOV0). It reads as 0.
        const HOLD_0 as "HOLD0" = 1 << 62;
        /// This write leaves OV1 as it is (HOLDOV1). It reads as 0.
        const HOLD_1 as "HOLD1" = 1 << 63;
    }
}

impl PcrT1 {
    /// The modes of both counters.
    pub(super) const MODES: Self = Self::KERNEL.union(Self::USER);

    /// Returns the event of pic0.
    #[inline(always)]
    #[must_use]
    pub(super) const fn select(self) -> u8 {
        (self.bits() >> 4) as u8 & 0b111
    }

    /// Returns the register's value with only this event of pic0 in it.
    #[must_use]
    pub(super) const fn selecting(select: u8) -> Self {
        Self::from_bits_retain((select as u64 & 0b111) << 4)
    }

    /// Returns the overflow bit of a counter.
    #[must_use]
    pub(super) const fn overflow(half: Half) -> Self {
        match half {
            Half::Pic0 => Self::OVERFLOW_0,
            Half::Pic1 => Self::OVERFLOW_1,
        }
    }
}

impl Pcr {
    /// The modes of both counters.
    pub const MODES: Self = Self::KERNEL.union(Self::USER).union(Self::HYPERVISOR);
    /// Both counters' overflow bits stay as they are.
    pub const HOLD: Self = Self::HOLD_0.union(Self::HOLD_1);

    /// Returns the event of a counter: its group above its mask.
    #[inline(always)]
    #[must_use]
    pub const fn select(self, half: Half) -> u16 {
        (self.bits() >> Self::shift(half)) as u16 & 0xFFF
    }

    /// Returns the register's value with only this event of a counter in it.
    #[inline(always)]
    #[must_use]
    pub const fn selecting(half: Half, select: u16) -> Self {
        Self::from_bits_retain((select as u64 & 0xFFF) << Self::shift(half))
    }

    const fn shift(half: Half) -> u32 {
        match half {
            Half::Pic0 => 6,
            Half::Pic1 => 19,
        }
    }

    /// Returns the bit that lets a counter's overflow trap.
    #[inline(always)]
    #[must_use]
    pub const fn trap(half: Half) -> Self {
        match half {
            Half::Pic0 => Self::TRAP_0,
            Half::Pic1 => Self::TRAP_1,
        }
    }

    /// Returns the overflow bit of a counter.
    #[inline(always)]
    #[must_use]
    pub const fn overflow(half: Half) -> Self {
        match half {
            Half::Pic0 => Self::OVERFLOW_0,
            Half::Pic1 => Self::OVERFLOW_1,
        }
    }

    /// Returns the bit by which a write leaves a counter's overflow bit as it is.
    #[inline(always)]
    #[must_use]
    pub const fn hold(half: Half) -> Self {
        match half {
            Half::Pic0 => Self::HOLD_0,
            Half::Pic1 => Self::HOLD_1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_fills_its_field_and_no_other() {
        assert_eq!(PcrT1::selecting(0xFF), PcrT1::SELECT);
        assert_eq!(Pcr::selecting(Half::Pic0, 0xFFFF), Pcr::MASK_0 | Pcr::GROUP_0);
        assert_eq!(Pcr::selecting(Half::Pic1, 0xFFFF), Pcr::MASK_1 | Pcr::GROUP_1);
        let both = Pcr::selecting(Half::Pic0, 0x2FD) | Pcr::selecting(Half::Pic1, 0xB0C);
        assert_eq!(Half::ALL.map(|half| both.select(half)), [0x2FD, 0xB0C]);
    }

    #[test]
    fn the_fields_share_no_bit() {
        let mut seen = Pcr::empty();
        for (name, field) in
            bitflags::Flags::FLAGS.iter().map(|flag: &bitflags::Flag<Pcr>| (flag.name(), *flag.value()))
        {
            assert!(!seen.intersects(field), "{name}");
            seen |= field;
        }
    }
}
