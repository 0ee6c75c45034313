//! The registers of instruction-based sampling, and their bits.
//!
//! Sources: APM vol. 2, "Instruction-Based Sampling", "IBS Fetch Sampling Registers", "IBS Execution Sampling Registers" and "IBS
//! Filtering". Bits that it leaves to the manuals of processors (op data 2, cycles to retirement, misses of the second level,
//! prefetches) are as the PPR for family 19h model 01h (55898) has them, by Linux' arch/x86/include/asm/amd/ibs.h; the numbers of
//! the registers by Linux' msr-index.h and FreeBSD's hwpmc_ibs.h, which agree.

use crate::contract::bit_set;

/// A register of instruction-based sampling.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
pub enum Register {
    /// What fetches are sampled, and what the sampled one was (IBS_FETCH_CTL).
    FetchControl = 0xC001_1030,
    /// The fetched address (IBS_FETCH_LINADDR).
    FetchLinear = 0xC001_1031,
    /// The fetched physical address (IBS_FETCH_PHYSADDR).
    FetchPhysical = 0xC001_1032,
    /// What ops are sampled (IBS_OP_CTL).
    OpControl = 0xC001_1033,
    /// The address of the sampled op's instruction (IBS_OP_RIP).
    OpAddress = 0xC001_1034,
    /// Its retirement and its branch (IBS_OP_DATA).
    OpData = 0xC001_1035,
    /// Where its data came from (IBS_OP_DATA2).
    OpData2 = 0xC001_1036,
    /// Its load or store (IBS_OP_DATA3).
    OpData3 = 0xC001_1037,
    /// The address of its data (IBS_DC_LINADDR).
    DataLinear = 0xC001_1038,
    /// The physical address of its data (IBS_DC_PHYSADDR).
    DataPhysical = 0xC001_1039,
    /// The entry of the local APIC (IBS_CTL).
    Entry = 0xC001_103A,
    /// The target of its branch (BP_IBSTGT_RIP).
    BranchTarget = 0xC001_103B,
}

impl Register {
    pub(super) const ALL: [Self; 12] = [
        Self::FetchControl,
        Self::FetchLinear,
        Self::FetchPhysical,
        Self::OpControl,
        Self::OpAddress,
        Self::OpData,
        Self::OpData2,
        Self::OpData3,
        Self::DataLinear,
        Self::DataPhysical,
        Self::Entry,
        Self::BranchTarget,
    ];

    /// Returns its place among all of them.
    pub(super) const fn place(self) -> usize {
        (self as u32 - Self::FetchControl as u32) as usize
    }

    /// Returns the number for RDMSR and WRMSR.
    #[inline(always)]
    #[must_use]
    pub const fn address(self) -> u32 {
        self as u32
    }

    /// Returns the register with this number, for hypervisors.
    #[must_use]
    pub const fn from_address(address: u32) -> Option<Self> {
        match address.checked_sub(Self::FetchControl.address()) {
            Some(offset) if (offset as usize) < Self::ALL.len() => Some(Self::ALL[offset as usize]),
            _ => None,
        }
    }
}

bit_set! {
    /// What ops are sampled (IBS_OP_CTL).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct OpControl: u64 {
        /// The period, bits 19 to 4 (IbsOpMaxCnt).
        const PERIOD as "IbsOpMaxCnt[19:4]" = 0xFFFF;
        /// Only ops that missed the third-level cache (IbsOpL3MissOnly).
        const MISSES as "IbsOpL3MissOnly" = 1 << 16;
        /// Sample (IbsOpEn).
        const ENABLE as "IbsOpEn" = 1 << 17;
        /// An op was sampled (IbsOpVal).
        const VALID as "IbsOpVal" = 1 << 18;
        /// Count dispatched ops, not cycles (IbsOpCntCtl).
        const OPS as "IbsOpCntCtl" = 1 << 19;
        /// The period, bits 26 to 20.
        const PERIOD_HIGH as "IbsOpMaxCnt[26:20]" = 0x7F << 20;
        /// The count (IbsOpCurCnt).
        const COUNT as "IbsOpCurCnt" = 0x7FF_FFFF << 32;
        /// Its bits that hardware chooses at random.
        const RANDOM = 0x7F << 32;
    }
}

impl OpControl {
    /// What an event code may have.
    pub(super) const CODE: Self = Self::MISSES.union(Self::OPS);
    /// The whole period.
    pub(super) const WHOLE_PERIOD: Self = Self::PERIOD.union(Self::PERIOD_HIGH);
    const COUNT_SHIFT: u32 = 32;

    /// Returns the bits for a period. Its low 4 bits are 0.
    pub(super) const fn of_period(period: u64) -> Self {
        Self::from_bits_retain(period >> 4 & Self::PERIOD.bits() | period & Self::PERIOD_HIGH.bits())
    }

    /// Returns the period.
    pub(super) const fn period(self) -> u64 {
        (self.bits() & Self::PERIOD.bits()) << 4 | self.bits() & Self::PERIOD_HIGH.bits()
    }

    /// Returns the bits for a count.
    pub(super) const fn of_count(count: u64) -> Self {
        Self::from_bits_retain(count << Self::COUNT_SHIFT & Self::COUNT.bits())
    }

    /// Returns the count.
    pub(super) const fn count(self) -> u64 {
        (self.bits() & Self::COUNT.bits()) >> Self::COUNT_SHIFT
    }
}

bit_set! {
    /// What fetches are sampled, and what the sampled one was (IBS_FETCH_CTL).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub struct FetchControl: u64 {
        /// The period, bits 19 to 4 (IbsFetchMaxCnt).
        const PERIOD as "IbsFetchMaxCnt" = 0xFFFF;
        /// The count, bits 19 to 4 (IbsFetchCnt).
        const COUNT as "IbsFetchCnt" = 0xFFFF << 16;
        /// The cycles of the fetch (IbsFetchLat).
        const LATENCY as "IbsFetchLat" = 0xFFFF << 32;
        /// Sample (IbsFetchEn).
        const ENABLE as "IbsFetchEn" = 1 << 48;
        /// A fetch was sampled (IbsFetchVal).
        const VALID as "IbsFetchVal" = 1 << 49;
        /// It was not aborted (IbsFetchComp).
        const COMPLETE as "IbsFetchComp" = 1 << 50;
        /// It missed the instruction cache (IbsIcMiss).
        const MISS as "IbsIcMiss" = 1 << 51;
        /// The physical address is valid (IbsPhyAddrValid).
        const PHYSICAL as "IbsPhyAddrValid" = 1 << 52;
        /// The size of the page (IbsL1TlbPgSz).
        const PAGE as "IbsL1TlbPgSz" = 3 << 53;
        /// It missed the first-level TLB (IbsL1TlbMiss).
        const TLB_MISS as "IbsL1TlbMiss" = 1 << 55;
        /// It missed the second-level TLB.
        const TLB_2_MISS as "IbsL2TlbMiss" = 1 << 56;
        /// The count's low bits begin at a random number (IbsRandEn).
        const RANDOM as "IbsRandEn" = 1 << 57;
        /// It missed the second-level cache.
        const LEVEL_2_MISS as "IbsFetchL2Miss" = 1 << 58;
        /// Only fetches that missed the third-level cache (IbsL3MissOnly).
        const MISSES as "IbsL3MissOnly" = 1 << 59;
        /// It missed the op cache (IbsFetchOcMiss).
        const OP_CACHE_MISS as "IbsFetchOcMiss" = 1 << 60;
        /// It missed the third-level cache (IbsFetchL3Miss).
        const LEVEL_3_MISS as "IbsFetchL3Miss" = 1 << 61;
    }
}

impl FetchControl {
    /// What an event code may have.
    pub(super) const CODE: Self = Self::RANDOM.union(Self::MISSES);
    const COUNT_SHIFT: u32 = 16;
    const LATENCY_SHIFT: u32 = 32;

    /// Returns the bits for a period. Its low 4 bits are 0.
    pub(super) const fn of_period(period: u64) -> Self {
        Self::from_bits_retain(period >> 4 & Self::PERIOD.bits())
    }

    /// Returns the period.
    pub(super) const fn period(self) -> u64 {
        (self.bits() & Self::PERIOD.bits()) << 4
    }

    /// Returns the bits for a count, without its low 4 bits.
    pub(super) const fn of_count(count: u64) -> Self {
        Self::from_bits_retain((count >> 4) << Self::COUNT_SHIFT & Self::COUNT.bits())
    }

    /// Returns the count, whose low 4 bits are not known.
    pub(super) const fn count(self) -> u64 {
        (self.bits() & Self::COUNT.bits()) >> Self::COUNT_SHIFT << 4
    }

    /// Returns the bits for a latency.
    pub(super) fn of_latency(cycles: u32) -> Self {
        Self::from_bits_retain(u64::from(cycles).min(0xFFFF) << Self::LATENCY_SHIFT)
    }

    /// Returns the latency.
    pub(super) const fn latency(self) -> u32 {
        ((self.bits() & Self::LATENCY.bits()) >> Self::LATENCY_SHIFT) as u32
    }
}

bit_set! {
    /// An op's retirement and its branch (IBS_OP_DATA).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct OpData: u64 {
        /// The cycles from completion to retirement.
        const COMPLETION as "IbsCompToRetCtr" = 0xFFFF;
        /// The cycles from the tag to retirement.
        const RETIREMENT as "IbsTagToRetCtr" = 0xFFFF << 16;
        /// It was a return (IbsOpReturn).
        const RETURN as "IbsOpReturn" = 1 << 34;
        /// It was a branch that was taken (IbsOpBrnTaken).
        const TAKEN as "IbsOpBrnTaken" = 1 << 35;
        /// It was a branch that was mispredicted (IbsOpBrnMisp).
        const MISPREDICTED as "IbsOpBrnMisp" = 1 << 36;
        /// It was a branch (IbsOpBrnRet).
        const BRANCH as "IbsOpBrnRet" = 1 << 37;
        /// The address of the instruction is not valid (IbsRipInvalid).
        const NO_ADDRESS as "IbsRipInvalid" = 1 << 38;
        /// It was fused with another one.
        const FUSED as "IbsOpBrnFuse" = 1 << 39;
        /// It was of the microcode.
        const MICROCODE as "IbsOpMicrocode" = 1 << 40;
    }
}

impl OpData {
    const RETIREMENT_SHIFT: u32 = 16;

    /// Returns the bits for a number of cycles from the tag to retirement.
    pub(super) fn of_retirement(cycles: u32) -> Self {
        Self::from_bits_retain(u64::from(cycles).min(0xFFFF) << Self::RETIREMENT_SHIFT)
    }

    /// Returns the cycles from the tag to retirement.
    pub(super) const fn retirement(self) -> u32 {
        ((self.bits() & Self::RETIREMENT.bits()) >> Self::RETIREMENT_SHIFT) as u32
    }
}

bit_set! {
    /// Where an op's data came from (IBS_OP_DATA2).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct OpData2: u64 {
        /// The source, bits 2 to 0.
        const SOURCE as "DataSrc[2:0]" = 7;
        /// It is on another node.
        const FAR as "RmtNode" = 1 << 4;
        /// The state of the line that was hit.
        const STATE as "CacheHitSt" = 1 << 5;
        /// The source, bits 4 and 3; Zen 4 and later.
        const SOURCE_HIGH as "DataSrc[4:3]" = 3 << 6;
    }
}

impl OpData2 {
    /// Returns the bits for a source.
    pub(super) const fn of_source(source: u64) -> Self {
        Self::from_bits_retain(source & 7 | (source & 0x18) << 3)
    }

    /// Returns the source.
    pub(super) const fn source(self) -> u64 {
        self.bits() & Self::SOURCE.bits() | (self.bits() & Self::SOURCE_HIGH.bits()) >> 3
    }
}

bit_set! {
    /// An op's load or store (IBS_OP_DATA3).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct OpData3: u64 {
        /// It was a load (IbsLdOp).
        const LOAD as "IbsLdOp" = 1 << 0;
        /// It was a store (IbsStOp).
        const STORE as "IbsStOp" = 1 << 1;
        /// It missed the first-level TLB (IbsDcL1tlbMiss).
        const TLB_MISS as "IbsDcL1tlbMiss" = 1 << 2;
        /// It missed the second-level TLB.
        const TLB_2_MISS as "IbsDcL2TlbMiss" = 1 << 3;
        /// The sizes of pages.
        const PAGES = 7 << 4 | 1 << 19;
        /// It missed the data cache (IbsDcMiss).
        const MISS as "IbsDcMiss" = 1 << 7;
        /// It was slower because it was misaligned (IbsDcMisAcc).
        const MISALIGNED as "IbsDcMisAcc" = 1 << 8;
        /// The memory combines writes (IbsDcWcMemAcc).
        const COMBINING as "IbsDcWcMemAcc" = 1 << 13;
        /// The memory is not cached (IbsDcUcMemAcc).
        const UNCACHED as "IbsDcUcMemAcc" = 1 << 14;
        /// It was locked (IbsDcLockedOp).
        const LOCKED as "IbsDcLockedOp" = 1 << 15;
        /// It joined a miss that was pending.
        const PENDING as "IbsDcMissNoMabAlloc" = 1 << 16;
        /// The linear address is valid (IbsDcLinAddrValid).
        const LINEAR as "IbsDcLinAddrValid" = 1 << 17;
        /// The physical address is valid (IbsDcPhyAddrValid).
        const PHYSICAL as "IbsDcPhyAddrValid" = 1 << 18;
        /// It missed the second-level cache.
        const LEVEL_2_MISS as "IbsL2Miss" = 1 << 20;
        /// It was a prefetch by software.
        const PREFETCH as "IbsSwPf" = 1 << 21;
        /// The width, and the misses that were pending.
        const OTHERS = 0x3FF << 22;
        /// The cycles from the miss to the data (IbsDcMissLat).
        const LATENCY as "IbsDcMissLat" = 0xFFFF << 32;
        /// The cycles for the translation.
        const TRANSLATION as "IbsTlbRefillLat" = 0xFFFF << 48;
    }
}

impl OpData3 {
    const LATENCY_SHIFT: u32 = 32;

    /// Returns the bits for a latency.
    pub(super) fn of_latency(cycles: u32) -> Self {
        Self::from_bits_retain(u64::from(cycles).min(0xFFFF) << Self::LATENCY_SHIFT)
    }

    /// Returns the latency.
    pub(super) const fn latency(self) -> u32 {
        ((self.bits() & Self::LATENCY.bits()) >> Self::LATENCY_SHIFT) as u32
    }
}

/// The number of the local APIC's entry, and whether there is one (IBS_CTL, LvtOffset and LvtOffsetVal).
pub(super) const ENTRY: u64 = 0xF;
pub(super) const ENTRY_VALID: u64 = 1 << 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_register_has_the_number_of_its_place() {
        let found: Vec<_> = (0xC001_1000..0xC001_1100).filter_map(Register::from_address).collect();
        assert_eq!(found, Register::ALL);
        assert!(Register::ALL.iter().all(|at| Register::from_address(at.address()) == Some(*at)));
        assert_eq!([0, 0xC001_102F, 0xC001_103C, u32::MAX].map(Register::from_address), [None; 4]);
    }

    #[test]
    fn a_period_is_in_two_parts_of_the_ops_control() {
        assert_eq!(OpControl::of_period(0x7FF_FFF0).bits(), 0x7F0_FFFF);
        for period in [16, 144, 0xF_FFF0, 0x10_0000, 0x7FF_FFF0] {
            assert_eq!(OpControl::of_period(period).period(), period);
        }
    }

    #[test]
    fn a_source_is_in_two_parts_of_op_data_2() {
        assert_eq!(OpData2::of_source(12).bits(), 0x44);
        assert!((0..32).all(|source| OpData2::of_source(source).source() == source));
    }
}
