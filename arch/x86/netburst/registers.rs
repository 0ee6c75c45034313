//! The bits of the Pentium 4's registers, and which ESCRs a counter can be joined to.
//!
//! An ESCR says what happens in one part of the processor and in which modes; a CCCR joins its counter to one of
//! that counter's ESCRs, compares the events of a cycle with a threshold, and has the counter's overflow.
//!
//! Sources: SDM vol. 3, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)": figures "Event
//! Selection Control Register (ESCR) for Pentium 4 and Intel Xeon Processors without Intel HT Technology Support" and
//! "... Supporting Hyper-Threading Technology", the same of the "Counter Configuration Control Register (CCCR)", and
//! table "Performance Counter MSRs and Associated CCCR and ESCR MSRs". Checked against torvalds/linux,
//! arch/x86/include/asm/perf_event_p4.h, libpfm4, lib/pfmlib_intel_netburst_priv.h, and illumos-gate,
//! usr/src/uts/intel/pcbe/p4_pcbe.c.

use crate::contract::bit_set;

use crate::arch::x86::Msr;
use crate::event::{CounterId, CounterSet};

bit_set! {
    /// What is counted, and in which modes (ESCR).
    ///
    /// Without hyper-threading, bits 0 and 1 are reserved, and the bits of thread 0 are the processor's.
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Escr: u64 {
        /// Count thread 1 outside ring 0 (T1_USR).
        const T1_USER as "T1_USR" = 1 << 0;
        /// Count thread 1 in ring 0 (T1_OS).
        const T1_KERNEL as "T1_OS" = 1 << 1;
        /// Count thread 0 outside ring 0 (USR, T0_USR).
        const T0_USER as "T0_USR" = 1 << 2;
        /// Count thread 0 in ring 0 (OS, T0_OS).
        const T0_KERNEL as "T0_OS" = 1 << 3;
        /// Tag the micro-operations that are counted, for an event at retirement.
        const TAG_ENABLE as "TagEnable" = 1 << 4;
        /// The tag.
        const TAG as "TagValue" = 0xF << 5;
        /// The event's mask.
        const EVENT_MASK as "EventMask" = 0xFFFF << 9;
        /// The event.
        const EVENT as "EventSelect" = 0x3F << 25;
    }
}

impl Escr {
    /// The bits that select the event.
    pub const SELECTION: Self = Self::TAG_ENABLE.union(Self::TAG).union(Self::EVENT_MASK).union(Self::EVENT);

    /// Returns an event with its mask: six bits, and sixteen.
    #[inline(always)]
    #[must_use]
    pub const fn of(event: u8, mask: u16) -> Self {
        Self::from_bits_truncate((event as u64 & 0x3F) << 25 | (mask as u64) << 9)
    }

    /// Returns the same, tagging with this tag, of four bits.
    #[inline(always)]
    #[must_use]
    pub const fn tagging(self, tag: u8) -> Self {
        let tag = Self::from_bits_retain((tag as u64 & 0xF) << 5);
        self.difference(Self::TAG).union(tag).union(Self::TAG_ENABLE)
    }

    /// Returns the event.
    #[inline(always)]
    #[must_use]
    pub const fn event(self) -> u8 {
        (self.bits() >> 25 & 0x3F) as u8
    }

    /// Returns the event's mask.
    #[inline(always)]
    #[must_use]
    pub const fn event_mask(self) -> u16 {
        (self.bits() >> 9) as u16
    }

    /// Returns the tag, whether or not it is enabled.
    #[inline(always)]
    #[must_use]
    pub const fn tag(self) -> u8 {
        (self.bits() >> 5 & 0xF) as u8
    }
}

bit_set! {
    /// How a counter counts (CCCR).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct Cccr: u64 {
        /// Count.
        const ENABLE as "Enable" = 1 << 12;
        /// Which of the counter's ESCRs it counts.
        const ESCR_SELECT as "EscrSelect" = 7 << 13;
        /// In which states of the two threads it counts: 3 in any, and always 3 without hyper-threading.
        const ACTIVE_THREAD as "ActiveThread" = 3 << 16;
        /// Count the cycles in which a comparison with the threshold holds.
        const COMPARE as "Compare" = 1 << 18;
        /// The comparison is "at most" the threshold, not "more than" it.
        const COMPLEMENT as "Complement" = 1 << 19;
        /// The threshold of events in a cycle.
        const THRESHOLD as "Threshold" = 0xF << 20;
        /// Count the cycles in which the comparison begins to hold.
        const EDGE as "Edge" = 1 << 24;
        /// Overflow on every increment.
        const FORCE_OVERFLOW as "FORCE_OVF" = 1 << 25;
        /// Interrupt thread 0 on overflow (OVF_PMI, OVF_PMI_T0).
        const INTERRUPT_T0 as "OVF_PMI_T0" = 1 << 26;
        /// Interrupt thread 1 on overflow (OVF_PMI_T1).
        const INTERRUPT_T1 as "OVF_PMI_T1" = 1 << 27;
        /// Start when the counter of the same pair overflows.
        const CASCADE as "Cascade" = 1 << 30;
        /// The counter has overflowed. Only software clears it.
        const OVERFLOW as "OVF" = 1 << 31;
    }
}

impl Cccr {
    /// Returns the CCCR of a counter.
    #[inline(always)]
    #[must_use]
    pub const fn msr(counter: CounterId) -> Msr {
        match Msr::cccr(counter.number()) {
            Some(msr) => msr,
            None => Msr::PEBS_ENABLE,
        }
    }

    /// Returns the register of the counter that a CCCR belongs to.
    #[inline(always)]
    #[must_use]
    pub const fn counter_msr(counter: CounterId) -> Msr {
        match Msr::netburst_counter(counter.number()) {
            Some(msr) => msr,
            None => Msr::PEBS_ENABLE,
        }
    }

    /// Returns a counter joined to its ESCR with this number.
    #[inline(always)]
    #[must_use]
    pub const fn select(escr: u8) -> Self {
        Self::from_bits_retain((escr as u64 & 7) << 13)
    }

    /// Returns a threshold of four bits.
    #[inline(always)]
    #[must_use]
    pub const fn than(threshold: u8) -> Self {
        Self::from_bits_retain((threshold as u64 & 0xF) << 20)
    }

    /// Returns the states of the threads in which it counts.
    #[inline(always)]
    #[must_use]
    pub const fn active(threads: u8) -> Self {
        Self::from_bits_retain((threads as u64 & 3) << 16)
    }

    /// Returns which of its ESCRs the counter counts.
    #[inline(always)]
    #[must_use]
    pub const fn escr_select(self) -> u8 {
        (self.bits() >> 13 & 7) as u8
    }

    /// Returns the states of the threads in which it counts.
    #[inline(always)]
    #[must_use]
    pub const fn active_thread(self) -> u8 {
        (self.bits() >> 16 & 3) as u8
    }

    /// Returns the threshold.
    #[inline(always)]
    #[must_use]
    pub const fn threshold(self) -> u8 {
        (self.bits() >> 20 & 0xF) as u8
    }
}

bit_set! {
    /// What the processor says of its unit (IA32_MISC_ENABLE; SDM vol. 4, table "IA-32 Architectural MSRs").
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Misc: u64 {
        /// There is a unit (Performance Monitoring Available).
        const MONITORING = 1 << 7;
        /// There is no precise sampling, and no replay tagging (Processor Event Based Sampling Unavailable).
        const NO_PEBS = 1 << 12;
    }
}

bit_set! {
    /// Enables replay tagging (IA32_PEBS_ENABLE; SDM vol. 3, table "List of Metrics Available for Replay Tagging").
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct PebsEnable: u64 {
        /// What is tagged: one bit for each metric.
        const METRICS as "Metrics" = 0x1FFF;
        /// Tag mispredicted branches: two bits, together.
        const BRANCHES as "Branches" = 3 << 15;
        /// Tag micro-operations (ENABLE_PEBS_UOP_TAG, bit 24).
        const UOP_TAG as "ENABLE_PEBS_UOP_TAG" = 1 << 24;
        /// Sample precisely, of this thread (ENABLE_PEBS_MY_THR).
        const MY_THREAD as "ENABLE_PEBS_MY_THR" = 1 << 25;
        /// Sample precisely, of the other thread (ENABLE_PEBS_OTH_THR).
        const OTHER_THREAD as "ENABLE_PEBS_OTH_THR" = 1 << 26;
    }
}

/// An ESCR: its place in the order of their addresses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "each is named as the manual's MSR_*_ESCRn")]
pub enum EscrId {
    Bsu0,
    Bsu1,
    Fsb0,
    Fsb1,
    Firm0,
    Firm1,
    Flame0,
    Flame1,
    Dac0,
    Dac1,
    Mob0,
    Mob1,
    Pmh0,
    Pmh1,
    Saat0,
    Saat1,
    U2l0,
    U2l1,
    Bpu0,
    Bpu1,
    Is0,
    Is1,
    Itlb0,
    Itlb1,
    Cru0,
    Cru1,
    Iq0,
    Iq1,
    Rat0,
    Rat1,
    Ssu0,
    Ms0,
    Ms1,
    Tbpu0,
    Tbpu1,
    Tc0,
    Tc1,
    Ix0,
    Ix1,
    Alf0,
    Alf1,
    Cru2,
    Cru3,
    Cru4,
    Cru5,
}

/// The counters of one half of a group: those that are joined to the same ESCRs.
#[derive(Clone, Copy, Debug)]
pub struct Half {
    /// The counters.
    pub counters: CounterSet,
    /// Their ESCRs, each at its number in [`Cccr::ESCR_SELECT`].
    pub escrs: [Option<EscrId>; 8],
}

impl Half {
    /// All counters with their ESCRs (SDM vol. 3, table "Performance Counter MSRs and Associated CCCR and ESCR MSRs"):
    /// of BPU, MS, FLAME and IQ the first half and the second.
    pub const ALL: [Self; 8] = {
        use EscrId::*;
        [
            Self::joined(
                0b11,
                [Some(Bpu0), Some(Is0), Some(Mob0), Some(Itlb0), Some(Pmh0), Some(Ix0), Some(Fsb0), Some(Bsu0)],
            ),
            Self::joined(
                0b11 << 2,
                [Some(Bpu1), Some(Is1), Some(Mob1), Some(Itlb1), Some(Pmh1), Some(Ix1), Some(Fsb1), Some(Bsu1)],
            ),
            Self::joined(0b11 << 4, [Some(Ms0), Some(Tc0), Some(Tbpu0), None, None, None, None, None]),
            Self::joined(0b11 << 6, [Some(Ms1), Some(Tc1), Some(Tbpu1), None, None, None, None, None]),
            Self::joined(0b11 << 8, [Some(Flame0), Some(Firm0), Some(Saat0), Some(U2l0), None, Some(Dac0), None, None]),
            Self::joined(
                0b11 << 10,
                [Some(Flame1), Some(Firm1), Some(Saat1), Some(U2l1), None, Some(Dac1), None, None],
            ),
            Self::joined(
                0b01_0011 << 12,
                [Some(Iq0), Some(Alf0), Some(Rat0), Some(Ssu0), Some(Cru0), Some(Cru2), Some(Cru4), None],
            ),
            Self::joined(
                0b10_1100 << 12,
                [Some(Iq1), Some(Alf1), Some(Rat1), None, Some(Cru1), Some(Cru3), Some(Cru5), None],
            ),
        ]
    };

    const fn joined(counters: u64, escrs: [Option<EscrId>; 8]) -> Self {
        Self { counters: CounterSet::from_bits(counters), escrs }
    }

    /// Returns the half that a counter belongs to.
    #[inline(always)]
    #[must_use]
    pub const fn of(counter: CounterId) -> &'static Self {
        const OF: [usize; 18] = [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 6, 7];
        let number = counter.number() as usize;
        &Self::ALL[if number < 18 { OF[number] & 7 } else { 0 }]
    }
}

/// The number of counters.
pub(super) const COUNTERS: u8 = Msr::CCCRS;

/// The counters of the independent bank: BPU0, MS0, FLAME0, IQ4, BPU2, MS2, FLAME2 and IQ5, as OProfile numbers
/// them from 0 to 7. No two of them are joined to the same ESCR.
pub(super) const BANK: [u8; 8] = [0, 4, 8, 16, 2, 6, 10, 17];

impl EscrId {
    /// Returns the ESCR that a counter counts with this number in its CCCR.
    #[inline(always)]
    #[must_use]
    pub const fn of(counter: CounterId, select: u8) -> Option<Self> {
        Half::of(counter).escrs[(select & 7) as usize]
    }

    /// Returns the register.
    #[inline(always)]
    #[must_use]
    pub const fn msr(self) -> Msr {
        match Msr::escr(self as u8) {
            Some(msr) => msr,
            None => Msr::PEBS_ENABLE,
        }
    }

    /// Returns true if only models 0 to 2 have it (SDM vol. 4: MSR_IQ_ESCR0 and MSR_IQ_ESCR1 "are available only on
    /// early processor builds (family 0FH, models 01H-02H)").
    #[must_use]
    pub const fn is_early(self) -> bool {
        matches!(self, Self::Iq0 | Self::Iq1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_counter_belongs_to_one_half_and_that_is_found() {
        for counter in CounterSet::first(COUNTERS) {
            let halves: Vec<_> = Half::ALL.iter().filter(|half| half.counters.contains(counter)).collect();
            assert_eq!(halves.len(), 1, "{counter:?}");
            assert_eq!(halves[0].counters, Half::of(counter).counters);
        }
    }

    #[test]
    fn every_escr_is_joined_to_one_half() {
        let joined: Vec<_> = Half::ALL.iter().flat_map(|half| half.escrs).flatten().map(|escr| escr as u8).collect();
        assert_eq!(joined.len(), 45);
        assert!((0..45).all(|escr| joined.contains(&escr)));
    }

    #[test]
    fn the_bank_has_one_counter_of_each_half() {
        let bank: CounterSet = BANK.into_iter().filter_map(CounterId::new).collect();
        assert!(Half::ALL.iter().all(|half| half.counters.and(bank).len() == 1));
    }

    #[test]
    fn an_escr_is_at_the_address_of_its_name() {
        let escrs = [EscrId::Bsu0, EscrId::Fsb1, EscrId::Ssu0, EscrId::Ms0, EscrId::Ix0, EscrId::Cru2, EscrId::Cru5];
        let addresses = [0x3A0, 0x3A3, 0x3BE, 0x3C0, 0x3C8, 0x3CC, 0x3E1];
        assert_eq!(escrs.map(|escr| escr.msr().address()), addresses);
    }

    #[test]
    fn fields_read_as_they_were_made() {
        let escr = Escr::of(0x13, 0x8001).tagging(5);
        assert_eq!(
            (escr.event(), escr.event_mask(), escr.tag(), escr.bits()),
            (0x13, 0x8001, 5, 0x2700_02B0 | 1 << 24)
        );
        let cccr = Cccr::select(6) | Cccr::active(3) | Cccr::than(9);
        assert_eq!((cccr.escr_select(), cccr.active_thread(), cccr.threshold()), (6, 3, 9));
    }
}
