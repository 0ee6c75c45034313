//! The formats of records, and what the words of one mean.
//!
//! Sources: SDM vol. 3, tables "PEBS Record Format for 6th Generation Intel Core Processor Family" (format 3), "Basic Info Group",
//! "Memory Access Info Group" and "GPRs Group" (format 4), "Data Source Encoding for Load Latency Record"; for sources that those
//! leave out, what Linux' arch/x86/events/intel/ds.c makes of them from Skylake on.

use crate::arch::x86::intel::PerfCapabilities;
use crate::contract::bit_set;
use crate::event::{DataSource, Operation, Translation};

/// A format of records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// Format 3: 25 words, always the same.
    Third,
    /// Format 4: groups of words.
    Fourth {
        /// Which ones can be chosen (PEBS_BASELINE).
        has_groups: bool,
    },
}

/// IA32_PERF_CAPABILITIES: the format, and whether groups can be chosen (PEBS_BASELINE).
const FORMAT_SHIFT: u32 = 8;
const BASELINE: u64 = 1 << 14;

/// The words of a record of format 3.
pub(super) const THIRD: usize = 25;
/// The words of the basic group, the one of memory and the one of registers; of a branch; of the vector registers.
pub(super) const BASIC: usize = 4;
pub(super) const MEMORY: usize = 4;
pub(super) const REGISTERS: usize = 18;
pub(super) const BRANCH: usize = 3;
pub(super) const VECTORS: usize = 32;

impl Format {
    /// Returns the format that a processor announces, if it is one of these.
    pub(super) fn of(capabilities: PerfCapabilities) -> Option<Self> {
        match capabilities.bits() >> FORMAT_SHIFT & 0xF {
            3 => Some(Self::Third),
            4 => Some(Self::Fourth { has_groups: capabilities.bits() & BASELINE != 0 }),
            _ => None,
        }
    }

    /// Returns the number of words of the records that the driver asks for.
    pub(super) const fn words(self) -> usize {
        match self {
            Self::Third => THIRD,
            Self::Fourth { has_groups: true } => BASIC + MEMORY,
            Self::Fourth { has_groups: false } => BASIC,
        }
    }

    /// Returns where a record has the address, the counters, the time, the data's address, their source and the latency.
    pub(super) const fn places(self) -> [usize; 6] {
        match self {
            Self::Third => [22, 18, 24, 19, 20, 21],
            Self::Fourth { .. } => [1, 2, 3, 4, 5, 6],
        }
    }
}

bit_set! {
    /// Where the data came from (the data source of format 3, the auxiliary info of format 4).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct Source: u64 {
        /// The number of the source.
        const NUMBER as "Data Source" = 0xF;
        /// It missed the second-level TLB.
        const TLB_MISS as "STLB_MISS" = 1 << 4;
        /// It was locked.
        const LOCKED as "Lock" = 1 << 5;
        /// Further bits of later processors.
        const _ = !0;
    }
}

impl Source {
    /// Returns what the number means. 8 and 9 are persistent memory, where there is any, or else a fourth-level cache.
    pub(super) const fn named(self, has_persistent_memory: bool) -> Option<DataSource> {
        Some(match self.intersection(Self::NUMBER).bits() {
            1 => DataSource::Level1,
            2 => DataSource::Pending,
            3 => DataSource::Level2,
            4 | 5 => DataSource::Level3,
            6 | 7 => DataSource::NearCache,
            8 | 9 if has_persistent_memory => DataSource::PersistentMemory,
            10 => DataSource::Memory,
            11 => DataSource::FarMemory,
            12 | 13 => DataSource::FarCache,
            14 => DataSource::Device,
            15 => DataSource::Uncached,
            _ => return None,
        })
    }

    /// Returns the bits that say so.
    pub(super) fn of(source: Option<DataSource>, translation: Option<Translation>, is_locked: bool) -> Self {
        let number = match source {
            Some(DataSource::Level1) => 1,
            Some(DataSource::Pending) => 2,
            Some(DataSource::Level2) => 3,
            Some(DataSource::Level3) => 4,
            Some(DataSource::NearCache) => 7,
            Some(DataSource::PersistentMemory) => 8,
            Some(DataSource::Memory) => 10,
            Some(DataSource::FarMemory) => 11,
            Some(DataSource::FarCache) => 13,
            Some(DataSource::Device) => 14,
            Some(DataSource::Uncached) => 15,
            _ => 0,
        };
        let mut bits = Self::from_bits_retain(number);
        bits.set(Self::TLB_MISS, translation == Some(Translation::Missed));
        bits.set(Self::LOCKED, is_locked);
        bits
    }
}

/// MEM_TRANS_RETIRED.LOAD_LATENCY, and MEM_UOPS_RETIRED.LOAD_LATENCY_GT_* of Gracemont and later small cores.
pub(super) const LOAD_LATENCY: u64 = 0x01CD;
pub(super) const SMALL_LOAD_LATENCY: u64 = 0x05D0;

/// Returns what the event with this code says of an instruction's access, or `None` if it is none of loads or stores. Of
/// MEM_INST_RETIRED (D0H) bit 0 of the unit mask is for loads, and bit 1 for stores.
pub(super) const fn operation(code: u64) -> Option<Operation> {
    match (code & 0xFF, code >> 8 & 0b11) {
        (0xCD, 1) | (0xD0, 1) | (0xD1..=0xD4, _) => Some(Operation::Load),
        // MEM_TRANS_RETIRED.STORE_SAMPLE.
        (0xCD | 0xD0, 2) => Some(Operation::Store),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_comes_back_from_its_number() {
        for source in (0..16).filter_map(|number| Source::from_bits_retain(number).named(true)) {
            assert_eq!(Source::of(Some(source), None, false).named(true), Some(source));
        }
        assert_eq!(Source::from_bits_retain(8).named(false), None);
    }

    #[test]
    fn loads_and_stores_are_told_apart_by_their_codes() {
        let loads = [0x01CD, 0x81D0, 0x21D0, 0x41D0, 0x11D0, 0x20D1, 0x04D2];
        assert!(loads.into_iter().all(|code| operation(code) == Some(Operation::Load)));
        assert!([0x82D0, 0x42D0, 0x12D0, 0x02CD].into_iter().all(|code| operation(code) == Some(Operation::Store)));
        assert!([0x00C0, 0x00C4, 0x83D0].into_iter().all(|code| operation(code).is_none()));
    }
}
