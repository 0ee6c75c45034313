//! Which bits the classic units' control registers have, for the driver that writes them and the
//! device that reads them.
//!
//! The layout is one from the 604 to the 7448; the names are the 7400's, and those of the 604 and
//! the 750, where they differ, stand in brackets. Manuals count bits from the top: bit 0 is
//! 8000_0000H.
//!
//! Sources: "MPC7400 RISC Microprocessor User's Manual", chapter 11, "Performance Monitor", tables
//! "MMCR0 Field Descriptions", "MMCR1 Field Descriptions" and "MMCR2 Field Descriptions"; "MPC7450
//! RISC Microprocessor Family Reference Manual", chapter 11, for PMC5 and PMC6, read through Apple's xnu,
//! osfmk/ppc/hw_perfmon_mmcr.h; "IBM PowerPC 750GX
//! and 750GL RISC Microprocessor User's Manual", section 2.1.2.5, and "MPC750 RISC Microprocessor
//! Family User's Manual", chapter 11, for the 750; "PowerPC 604e RISC Microprocessor User's Manual",
//! chapter 9, for the 604 and 604e.

use bitflags::bitflags;

bitflags! {
    /// What controls all counters, and what the first two count (MMCR0).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Control: u32 {
        /// No counter counts (FC; DIS).
        const FREEZE = 1 << 31;
        /// None counts in supervisor state (FCS; DP).
        const FREEZE_SUPERVISOR = 1 << 30;
        /// None counts in problem state (FCP; DU).
        const FREEZE_PROBLEM = 1 << 29;
        /// None counts while MSR\[PMM\] is set (FCM1; DMS).
        const FREEZE_MARKED = 1 << 28;
        /// None counts while MSR\[PMM\] is clear (FCM0; DMR).
        const FREEZE_UNMARKED = 1 << 27;
        /// Overflows interrupt (PMXE; ENINT). The interrupt clears it, but on the 604.
        const EXCEPTION = 1 << 26;
        /// An overflow that is let through freezes the counters (FCECE; DISCOUNT).
        const FREEZE_ON_CONDITION = 1 << 25;
        /// Which bit of the time base is watched (TBSEL; RTCSELECT).
        const TIME_BASE_BIT = 0b11 << 23;
        /// A transition of that bit is a condition like an overflow (TBEE; INTONBITTRANS).
        const TIME_BASE = 1 << 22;
        /// How many cycles, or pairs of them, an event that has a threshold must exceed (THRESHOLD).
        const THRESHOLD = 0x3F << 16;
        /// PMC1's overflow is let through (PMC1CE; PMC1INTCONTROL).
        const FIRST = 1 << 15;
        /// The other counters' overflows are let through (PMCjCE; PMC2INTCONTROL, PMCINTCONTROL).
        const OTHERS = 1 << 14;
        /// The other counters wait for PMC1 to overflow (TRIGGER; PMCTRIGGER).
        const TRIGGER = 1 << 13;
        /// What PMC1 counts (PMC1SEL).
        const SELECT_1 = 0x7F << 6;
        /// What PMC2 counts (PMC2SEL).
        const SELECT_2 = 0x3F;
    }
}

impl Control {
    /// The freezes that say in which modes all counters count.
    pub const MODES: Self = Self::FREEZE_SUPERVISOR.union(Self::FREEZE_PROBLEM);
}

bitflags! {
    /// What the third counter and those after it count (MMCR1).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Selects: u32 {
        /// What PMC3 counts (PMC3SEL).
        const SELECT_3 = 0x1F << 27;
        /// What PMC4 counts (PMC4SEL).
        const SELECT_4 = 0x1F << 22;
        /// What PMC5 counts (PMC5SEL; 745x).
        const SELECT_5 = 0x1F << 17;
        /// What PMC6 counts (PMC6SEL; 745x).
        const SELECT_6 = 0x3F << 11;
    }
}

bitflags! {
    /// What was added to the 7400 (MMCR2).
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Extension: u32 {
        /// The threshold counts in units of 32 cycles, and not of 2 (THRESHMULT).
        const MULTIPLIER = 1 << 31;
        /// Count only while the system asks for it (SMCNTENABLE; 7400 and 7410).
        const SYSTEM_COUNT = 1 << 30;
        /// The system may interrupt through the unit (SMINTENABLE; 7400 and 7410).
        const SYSTEM_INTERRUPT = 1 << 29;
    }
}

/// Where a counter's selector is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// In MMCR0.
    Control,
    /// In MMCR1.
    Selects,
}

/// One counter's selector: its register, its lowest bit, and its width in bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SelectField {
    /// Its register.
    pub place: Place,
    /// Its lowest bit, counted from the bottom of the register.
    pub shift: u32,
    /// How many bits it has.
    pub width: u32,
}

impl SelectField {
    const fn new(place: Place, shift: u32, width: u32) -> Self {
        Self { place, shift, width }
    }

    /// The selectors of PMC1 to PMC6.
    pub const ALL: [Self; 6] = [
        Self::new(Place::Control, 6, 7),
        Self::new(Place::Control, 0, 6),
        Self::new(Place::Selects, 27, 5),
        Self::new(Place::Selects, 22, 5),
        Self::new(Place::Selects, 17, 5),
        Self::new(Place::Selects, 11, 6),
    ];

    /// The largest selector that fits.
    #[must_use]
    pub const fn largest(self) -> u8 {
        (1 << self.width) - 1
    }

    /// The selector in the register's value.
    #[inline(always)]
    #[must_use]
    pub const fn of(self, register: u32) -> u8 {
        (register >> self.shift) as u8 & self.largest()
    }

    /// The register's value with this selector and nothing else in it.
    #[inline(always)]
    #[must_use]
    pub const fn with(self, select: u8) -> u32 {
        ((select & self.largest()) as u32) << self.shift
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_selector_fills_its_field_and_no_other() {
        let fields = [
            Control::SELECT_1.bits(),
            Control::SELECT_2.bits(),
            Selects::SELECT_3.bits(),
            Selects::SELECT_4.bits(),
            Selects::SELECT_5.bits(),
            Selects::SELECT_6.bits(),
        ];
        assert_eq!(SelectField::ALL.map(|field| field.with(field.largest())), fields);
        assert!(SelectField::ALL.iter().all(|field| field.of(field.with(0x15)) == 0x15));
    }
}
