//! The bits of PMUv3's registers.
//!
//! Source: Arm Architecture Reference Manual for A-profile (DDI 0487 M.a), section D24.5,
//! "Performance Monitors registers", by register; MDCR_EL2 in D24.3, the ID registers in D24.2.

use crate::contract::bit_set;

use crate::event::CounterSet;

/// The cycle counter's bit in registers with one bit a counter (C).
pub(super) const CYCLE_COUNTER: u8 = 31;
/// The instruction counter's bit in them (F0; FEAT_PMUv3_ICNTR).
pub(super) const INSTRUCTION_COUNTER: u8 = 32;
/// The number of counters that have numbers: 31 event counters, cycles, instructions.
pub(super) const COUNTERS: usize = INSTRUCTION_COUNTER as usize + 1;

bit_set! {
    /// The control of the whole unit (PMCR_EL0).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Pmcr: u64 {
        /// Counters that are enabled one by one count (E).
        const ENABLE as "E" = 1 << 0;
        /// Set the event counters to zero; reads as 0 (P).
        const RESET_EVENTS as "P" = 1 << 1;
        /// Set the cycle counter to zero; reads as 0 (C).
        const RESET_CYCLES as "C" = 1 << 2;
        /// The cycle counter counts every 64th cycle; ignored if LC is set (D).
        const DIVIDE as "D" = 1 << 3;
        /// Export events to other components (X).
        const EXPORT as "X" = 1 << 4;
        /// The cycle counter does not count where events are prohibited (DP).
        const CYCLES_AS_EVENTS as "DP" = 1 << 5;
        /// The cycle counter overflows from 64 bits instead of 32 (LC).
        const LONG_CYCLES as "LC" = 1 << 6;
        /// Event counters overflow from 64 bits instead of 32 (LP; PMUv3p5).
        const LONG_EVENTS as "LP" = 1 << 7;
        /// An overflow stops the event counters (FZO; PMUv3p7).
        const FREEZE_ON_OVERFLOW as "FZO" = 1 << 9;
        /// The number of event counters at the level that reads it (N).
        const COUNTERS as "N" = 0x1F << 11;
        /// The implementer's code for the unit (IDCODE).
        const IDENTITY as "IDCODE" = 0xFF << 16;
        /// The implementer (IMP).
        const IMPLEMENTER as "IMP" = 0xFF << 24;
        /// A statistical profiling event stops the counters (FZS; FEAT_SPEv1p2).
        const FREEZE_ON_PROFILING as "FZS" = 1 << 32;
    }
}

impl Pmcr {
    /// The read-only bits.
    pub const READ_ONLY: Self = Self::COUNTERS.union(Self::IDENTITY).union(Self::IMPLEMENTER);

    /// Returns the number of event counters at the level that reads it: 0 to 31.
    #[inline(always)]
    #[must_use]
    pub const fn counters(self) -> u8 {
        (self.bits() >> 11) as u8 & 0x1F
    }

    /// Returns the control with another number of event counters, of which it has five bits.
    #[must_use]
    pub const fn with_counters(self, count: u8) -> Self {
        self.difference(Self::COUNTERS).union(Self::from_bits_retain((count as u64 & 0x1F) << 11))
    }
}

bit_set! {
    /// The event of a counter, and where it counts (PMEVTYPER`n`_EL0). The filters of the cycle counter and the
    /// instruction counter have the same bits (PMCCFILTR_EL0, PMICFILTR_EL0).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Select: u64 {
        /// The event: ten bits, 16 from PMUv3p1 on (evtCount).
        const EVENT as "evtCount" = 0xFFFF;
        /// Count in Realm EL2 if this differs from NSH (RLH; FEAT_RME).
        const REALM_HYPERVISOR as "RLH" = 1 << 20;
        /// Count in Realm EL0 only if this is equal to U (RLU; FEAT_RME).
        const REALM_USER as "RLU" = 1 << 21;
        /// Count in Realm EL1 only if this is equal to P (RLK; FEAT_RME).
        const REALM_KERNEL as "RLK" = 1 << 22;
        /// Do not count outside transactions (T; FEAT_TME).
        const NOT_OUTSIDE_TRANSACTIONS as "T" = 1 << 23;
        /// Count in Secure EL2 if this differs from NSH (SH; FEAT_SEL2).
        const SECURE_HYPERVISOR as "SH" = 1 << 24;
        /// Count for all threads of the core (MT; FEAT_MTPMU).
        const ALL_THREADS as "MT" = 1 << 25;
        /// Count in EL3 only if this is equal to P (M).
        const MONITOR as "M" = 1 << 26;
        /// Count in EL2 (NSH).
        const HYPERVISOR as "NSH" = 1 << 27;
        /// Count in Non-secure EL0 only if this is equal to U; exists if EL3 does (NSU).
        const NON_SECURE_USER as "NSU" = 1 << 28;
        /// Count in Non-secure EL1 only if this is equal to P; exists if EL3 does (NSK).
        const NON_SECURE_KERNEL as "NSK" = 1 << 29;
        /// Do not count in EL0 (U).
        const NOT_USER as "U" = 1 << 30;
        /// Do not count in EL1 (P).
        const NOT_KERNEL as "P" = 1 << 31;
        /// The threshold for the events of a cycle (TH; FEAT_PMUv3_TH).
        const THRESHOLD as "TH" = 0xFFF << 32;
        /// The SVE modes that are counted (VS; FEAT_PMUv3_SME).
        const SVE_MODES as "VS" = 0b11 << 56;
        /// The exception of a profile is synchronous (SYNC; FEAT_SEBEP).
        const SYNCHRONOUS as "SYNC" = 1 << 58;
        /// Compare with the previous cycle (TE; FEAT_PMUv3_EDGE).
        const EDGE as "TE" = 1 << 60;
        /// The comparison, and whether events or cycles are counted (TC; FEAT_PMUv3_TH).
        const COMPARISON as "TC" = 0b111 << 61;
    }
}

impl Select {
    /// Returns the event.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u16 {
        self.bits() as u16
    }

    /// Returns the threshold for the events of a cycle.
    #[inline(always)]
    #[must_use]
    pub const fn threshold(self) -> u16 {
        (self.bits() >> 32) as u16 & 0xFFF
    }

    /// Returns the selection with another threshold, of which it has twelve bits.
    #[inline(always)]
    #[must_use]
    pub const fn with_threshold(self, events: u16) -> Self {
        self.difference(Self::THRESHOLD).union(Self::from_bits_retain((events as u64 & 0xFFF) << 32))
    }

    /// Returns the comparison: TC's value.
    #[inline(always)]
    #[must_use]
    pub const fn comparison(self) -> u8 {
        (self.bits() >> 61) as u8
    }

    /// Returns the selection with another comparison.
    #[inline(always)]
    #[must_use]
    pub const fn with_comparison(self, comparison: Comparison) -> Self {
        self.difference(Self::COMPARISON).union(Self::from_bits_retain((comparison as u64) << 61))
    }
}

/// What is counted, depending on the number of events in a cycle (PMEVTYPER`n`_EL0, table of TC where TE is 0).
///
/// The value 000 with a threshold of 0 counts events without a threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Comparison {
    /// The events of cycles with a different number of events.
    EventsUnlessEqual = 0b000,
    /// The cycles with a different number of events.
    CyclesUnlessEqual = 0b001,
    /// The events of cycles with exactly this number of events.
    EventsIfEqual = 0b010,
    /// The cycles with exactly this number of events.
    CyclesIfEqual = 0b011,
    /// The events of cycles with at least this number of events.
    EventsFrom = 0b100,
    /// The cycles with at least this number of events.
    CyclesFrom = 0b101,
    /// The events of cycles with fewer events.
    EventsBelow = 0b110,
    /// The cycles with fewer events.
    CyclesBelow = 0b111,
}

bit_set! {
    /// The rights of user programs (PMUSERENR_EL0).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct UserEnable: u64 {
        /// Read and write the unit; if UEN is set, it limits this (EN).
        const ALL as "EN" = 1 << 0;
        /// Write PMSWINC_EL0 (SW).
        const SOFTWARE_INCREMENT as "SW" = 1 << 1;
        /// Read the cycle counter; with UEN, do not write it (CR).
        const READ_CYCLES as "CR" = 1 << 2;
        /// Read and select event counters; with UEN, do not write them (ER).
        const READ_EVENTS as "ER" = 1 << 3;
        /// Use the counters that are set in PMUACR_EL1 (UEN; PMUv3p9).
        const NAMED as "UEN" = 1 << 4;
        /// With UEN, do not write the instruction counter (IR; FEAT_PMUv3_ICNTR).
        const READ_INSTRUCTIONS as "IR" = 1 << 5;
        /// Trap reads of PMCEID0_EL0 and PMCEID1_EL0 (TID; PMUv3p9).
        const TRAP_EVENTS as "TID" = 1 << 6;
    }
}

bit_set! {
    /// What a hypervisor lends to guests and traps (MDCR_EL2). The bits of debugging, profiling and tracing are
    /// preserved.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct HypervisorControl: u64 {
        /// The number of event counters of guests, from counter 0 (HPMN).
        const LENT = 0x1F;
        /// Trap PMCR_EL0 (TPMCR).
        const TRAP_CONTROL = 1 << 5;
        /// Trap every register of the unit (TPM).
        const TRAP = 1 << 6;
        /// The event counters that guests do not have count if they are enabled one by one (HPME).
        const ENABLE = 1 << 7;
        /// The event counters of guests do not count in EL2, nor the cycle counter if DP is set
        /// (HPMD; PMUv3p1).
        const NOT_HYPERVISOR = 1 << 17;
        /// The cycle counter does not count in EL2 (HCCD; PMUv3p5).
        const CYCLES_NOT_HYPERVISOR = 1 << 23;
        /// The event counters that guests do not have overflow from 64 bits instead of 32 (HLP; PMUv3p5).
        const LONG_EVENTS = 1 << 26;
        /// All threads may be counted (MTPME; FEAT_MTPMU).
        const THREADS = 1 << 28;
        /// An overflow stops the event counters that guests do not have (HPMFZO; PMUv3p7).
        const FREEZE_ON_OVERFLOW = 1 << 29;
        /// Bits that do not belong to the unit.
        const _ = !0;
    }
}

impl HypervisorControl {
    /// Returns the number of event counters of guests. They are those below this number.
    #[inline(always)]
    #[must_use]
    pub const fn lent(self) -> u8 {
        self.bits() as u8 & 0x1F
    }

    /// Returns the control with another number of event counters for guests, of which it has five bits.
    #[inline(always)]
    #[must_use]
    pub const fn with_lent(self, count: u8) -> Self {
        self.difference(Self::LENT).union(Self::from_bits_retain(count as u64 & 0x1F))
    }
}

/// Parameters of the implementation (PMMIR_EL1); 0 if there is no such register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Machine(pub u64);

impl Machine {
    /// Returns the greatest number of issue slots in a cycle; 0 if it is not known (SLOTS).
    #[must_use]
    pub const fn slots(self) -> u8 {
        self.0 as u8
    }

    /// Returns the number of bits of a threshold, at most 12; 0 if there are no thresholds (THWIDTH).
    #[must_use]
    pub const fn threshold_bits(self) -> u8 {
        let bits = (self.0 >> 20) as u8 & 0xF;
        if bits > 12 { 12 } else { bits }
    }

    /// Returns true if a cycle can be compared with the previous one (EDGE).
    #[must_use]
    pub const fn has_edges(self) -> bool {
        self.0 >> 24 & 0xF != 0
    }
}

/// The common events that exist (PMCEID0_EL0 and PMCEID1_EL0): of events 0 to 3FH, and from PMUv3p1 on of
/// 4000H to 403FH.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Announced {
    /// Events 0 to 3FH, a bit each.
    pub low: u64,
    /// Events 4000H to 403FH, a bit each.
    pub high: u64,
}

impl Announced {
    /// Converts the two registers. Each has 32 events of either range.
    #[must_use]
    pub const fn of(events_0: u64, events_1: u64) -> Self {
        const HALF: u64 = 0xFFFF_FFFF;
        Self { low: events_0 & HALF | events_1 << 32, high: events_0 >> 32 | events_1 & !HALF }
    }

    /// Returns the two registers.
    #[must_use]
    pub const fn registers(self) -> [u64; 2] {
        const HALF: u64 = 0xFFFF_FFFF;
        [self.low & HALF | self.high << 32, self.low >> 32 | self.high & !HALF]
    }

    /// Returns the events that both have.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }

    /// Returns the events with this one, if the registers have a bit for it.
    #[must_use]
    pub const fn with(self, event: u16) -> Self {
        match event {
            0x0000..=0x003F => Self { low: self.low | 1 << event, ..self },
            0x4000..=0x403F => Self { high: self.high | 1 << (event & 0x3F), ..self },
            _ => self,
        }
    }

    /// Returns whether this event exists, or `None` if the registers have no bit for it.
    #[inline]
    #[must_use]
    pub const fn says(self, event: u16) -> Option<bool> {
        match event {
            0x0000..=0x003F => Some(self.low >> event & 1 != 0),
            0x4000..=0x403F => Some(self.high >> (event & 0x3F) & 1 != 0),
            _ => None,
        }
    }
}

/// Returns the bits of the counters in registers with one bit a counter: event counters from bit 0, cycles,
/// instructions.
pub(super) const fn counters(events: u8, has_instructions: bool) -> CounterSet {
    let instructions = (has_instructions as u64) << INSTRUCTION_COUNTER;
    CounterSet::first(events).or(CounterSet::from_bits(1 << CYCLE_COUNTER | instructions))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_announced_comes_back_in_two_registers_and_disturbs_nothing() {
        let announced = Announced::of(0x1111_2222_3333_4444, 0x5555_6666_7777_8888);
        assert_eq!(announced, Announced { low: 0x7777_8888_3333_4444, high: 0x5555_6666_1111_2222 });
        assert_eq!(announced.registers(), [0x1111_2222_3333_4444, 0x5555_6666_7777_8888]);
    }

    #[test]
    fn each_common_event_has_its_bit_and_the_others_have_none() {
        for event in 0..=u16::MAX {
            let common = matches!(event, 0..=0x3F | 0x4000..=0x403F);
            assert_eq!(Announced { low: u64::MAX, high: u64::MAX }.says(event), common.then_some(true), "{event:#x}");
            assert_eq!(Announced::default().says(event), common.then_some(false), "{event:#x}");
        }
    }

    #[test]
    fn a_threshold_and_its_comparison_come_back_and_disturb_nothing() {
        let select = Select::all().with_threshold(7).with_comparison(Comparison::CyclesIfEqual);
        assert_eq!((select.threshold(), select.comparison()), (7, 0b011));
        assert_eq!(select | Select::THRESHOLD | Select::COMPARISON, Select::all());
    }

    #[test]
    fn a_number_of_counters_comes_back_and_disturbs_nothing() {
        assert_eq!((Pmcr::all().with_counters(6).counters(), Pmcr::empty().with_counters(31).bits()), (6, 0xF800));
        assert_eq!(HypervisorControl::ENABLE.with_lent(4), HypervisorControl::from_bits_retain(0x84));
    }

    #[test]
    fn the_fixed_counters_are_behind_the_event_counters() {
        assert_eq!(counters(2, false).bits(), 0x8000_0003);
        assert_eq!(counters(31, true).bits(), 0x1_FFFF_FFFF);
    }
}
