//! The bits of the classic units' control registers.
//!
//! The layout is the same from the 604 to the 7448. The names are the 7400's; other names of the 604 and
//! the 750 are in brackets. Manuals count bits from the top: bit 0 is 8000_0000H.
//!
//! Sources: "MPC7400 RISC Microprocessor User's Manual", chapter 11, "Performance Monitor", tables
//! "MMCR0 Field Descriptions", "MMCR1 Field Descriptions" and "MMCR2 Field Descriptions"; "MPC7450
//! RISC Microprocessor Family Reference Manual", chapter 11, for PMC5 and PMC6, read through Apple's xnu,
//! osfmk/ppc/hw_perfmon_mmcr.h; "IBM PowerPC 750GX
//! and 750GL RISC Microprocessor User's Manual", section 2.1.2.5, and "MPC750 RISC Microprocessor
//! Family User's Manual", chapter 11, for the 750; "PowerPC 604e RISC Microprocessor User's Manual",
//! chapter 9, for the 604 and 604e.

use crate::contract::bit_set;

bit_set! {
    /// The control of all counters, and the selectors of the first two (MMCR0).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Mmcr0: u32 {
        /// No counter counts (FC; DIS).
        const FREEZE as "FC" = 1 << 31;
        /// No counter counts in supervisor state (FCS; DP).
        const FREEZE_SUPERVISOR as "FCS" = 1 << 30;
        /// No counter counts in problem state (FCP; DU).
        const FREEZE_PROBLEM as "FCP" = 1 << 29;
        /// No counter counts while MSR\[PMM\] is set (FCM1; DMS).
        const FREEZE_MARKED as "FCM1" = 1 << 28;
        /// No counter counts while MSR\[PMM\] is clear (FCM0; DMR).
        const FREEZE_UNMARKED as "FCM0" = 1 << 27;
        /// Overflows interrupt (PMXE; ENINT). The interrupt clears this bit, except on the 604.
        const EXCEPTION as "PMXE" = 1 << 26;
        /// An enabled overflow freezes the counters (FCECE; DISCOUNT).
        const FREEZE_ON_CONDITION as "FCECE" = 1 << 25;
        /// The bit of the time base that is watched (TBSEL; RTCSELECT).
        const TIME_BASE_BIT as "TBSEL" = 0b11 << 23;
        /// A change of that bit is a condition like an overflow (TBEE; INTONBITTRANS).
        const TIME_BASE as "TBEE" = 1 << 22;
        /// The number of cycles, or pairs of cycles, that an event with a threshold must exceed (THRESHOLD).
        const THRESHOLD named "THRESHOLD" = 0x3F << 16;
        /// The overflow of PMC1 is enabled (PMC1CE; PMC1INTCONTROL).
        const FIRST as "PMC1CE" = 1 << 15;
        /// The overflows of the other counters are enabled (PMCjCE; PMC2INTCONTROL, PMCINTCONTROL).
        const OTHERS as "PMCjCE" = 1 << 14;
        /// The other counters wait until PMC1 overflows (TRIGGER; PMCTRIGGER).
        const TRIGGER named "TRIGGER" = 1 << 13;
        /// The selector of PMC1 (PMC1SEL).
        const SELECT_1 as "PMC1SEL" = 0x7F << 6;
        /// The selector of PMC2 (PMC2SEL).
        const SELECT_2 as "PMC2SEL" = 0x3F;
    }
}

impl Mmcr0 {
    /// The freezes of all counters by mode.
    pub const MODES: Self = Self::FREEZE_SUPERVISOR.union(Self::FREEZE_PROBLEM);
}

bit_set! {
    /// The selectors of the third and further counters (MMCR1).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Mmcr1: u32 {
        /// The selector of PMC3 (PMC3SEL).
        const SELECT_3 as "PMC3SEL" = 0x1F << 27;
        /// The selector of PMC4 (PMC4SEL).
        const SELECT_4 as "PMC4SEL" = 0x1F << 22;
        /// The selector of PMC5 (PMC5SEL; 745x).
        const SELECT_5 as "PMC5SEL" = 0x1F << 17;
        /// The selector of PMC6 (PMC6SEL; 745x).
        const SELECT_6 as "PMC6SEL" = 0x3F << 11;
    }
}

bit_set! {
    /// The bits that the 7400 added (MMCR2).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Mmcr2: u32 {
        /// The unit of the threshold is 32 cycles instead of 2 (THRESHMULT).
        const MULTIPLIER as "THRESHMULT" = 1 << 31;
        /// Count only while the system enables it (SMCNTENABLE; 7400 and 7410).
        const SYSTEM_COUNT as "SMCNTENABLE" = 1 << 30;
        /// The system may interrupt through the unit (SMINTENABLE; 7400 and 7410).
        const SYSTEM_INTERRUPT as "SMINTENABLE" = 1 << 29;
    }
}

/// The register of a counter's selector.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SelectRegister {
    /// MMCR0.
    Mmcr0,
    /// MMCR1.
    Mmcr1,
}

/// The position of a counter's selector: its register, its lowest bit, and its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SelectField {
    /// The register.
    pub register: SelectRegister,
    /// The lowest bit, counted from the bottom of the register.
    pub shift: u32,
    /// The number of bits.
    pub width: u32,
}

impl SelectField {
    const fn new(register: SelectRegister, shift: u32, width: u32) -> Self {
        Self { register, shift, width }
    }

    /// The selectors of PMC1 to PMC6.
    pub(super) const ALL: [Self; 6] = [
        Self::new(SelectRegister::Mmcr0, 6, 7),
        Self::new(SelectRegister::Mmcr0, 0, 6),
        Self::new(SelectRegister::Mmcr1, 27, 5),
        Self::new(SelectRegister::Mmcr1, 22, 5),
        Self::new(SelectRegister::Mmcr1, 17, 5),
        Self::new(SelectRegister::Mmcr1, 11, 6),
    ];

    /// Returns the largest selector that fits.
    #[must_use]
    pub(super) const fn largest(self) -> u8 {
        (1 << self.width) - 1
    }

    /// Returns the selector in the register's value.
    #[inline(always)]
    #[must_use]
    pub(super) const fn of(self, register: u32) -> u8 {
        (register >> self.shift) as u8 & self.largest()
    }

    /// Returns the register's value with only this selector in it.
    #[inline(always)]
    #[must_use]
    pub(super) const fn with(self, select: u8) -> u32 {
        ((select & self.largest()) as u32) << self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_fills_its_field_and_no_other() {
        let fields = [
            Mmcr0::SELECT_1.bits(),
            Mmcr0::SELECT_2.bits(),
            Mmcr1::SELECT_3.bits(),
            Mmcr1::SELECT_4.bits(),
            Mmcr1::SELECT_5.bits(),
            Mmcr1::SELECT_6.bits(),
        ];
        assert_eq!(SelectField::ALL.map(|field| field.with(field.largest())), fields);
        assert!(SelectField::ALL.iter().all(|field| field.of(field.with(0x15)) == 0x15));
    }
}
