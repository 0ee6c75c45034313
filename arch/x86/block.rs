//! Which registers AMD's core counters are reached through: two blocks, and those for all counters.
//!
//! Source: APM vol. 2, "Performance Monitoring Counters", and its appendix "MSR Cross-Reference";
//! the names of the first block are K7's (22007), those of the second family 15h's.

use super::Msr;

/// Through which registers AMD's core counters are reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Block {
    /// `PerfEvtSel0` to `PerfEvtSel3`, then `PerfCtr0` to `PerfCtr3`; later processors keep them
    /// as other names of the first four counters.
    Legacy,
    /// `PERF_CTL0`, `PERF_CTR0`, `PERF_CTL1` and so on; there if CPUID announces `PerfCtrExtCore`.
    Core,
}

impl Block {
    /// How many counters have addresses.
    #[must_use]
    pub const fn counters(self) -> u8 {
        match self {
            Self::Legacy => 4,
            Self::Core => 6,
        }
    }

    /// The address of counter 0's selector.
    #[inline(always)]
    pub(in crate::arch::x86) const fn first_select(self) -> u32 {
        match self {
            Self::Legacy => 0xC001_0000,
            Self::Core => 0xC001_0200,
        }
    }

    /// The address of counter 0.
    #[inline(always)]
    pub(in crate::arch::x86) const fn first_counter(self) -> u32 {
        match self {
            Self::Legacy => 0xC001_0004,
            Self::Core => 0xC001_0201,
        }
    }

    /// How far one register is from the next of its kind.
    #[inline(always)]
    pub(in crate::arch::x86) const fn stride(self) -> u32 {
        match self {
            Self::Legacy => 1,
            Self::Core => 2,
        }
    }
}

impl Msr {
    /// Which of AMD's counters have overflowed (PerfCntrGlobalStatus).
    pub const CORE_STATUS: Self = Self::at(0xC000_0300);
    /// Which of AMD's counters count (PerfCntrGlobalCtl).
    pub const CORE_CONTROL: Self = Self::at(0xC000_0301);
    /// Clears overflows of AMD's counters (PerfCntrGlobalStatusClr).
    pub const CORE_RESET: Self = Self::at(0xC000_0302);
    /// Sets overflows of AMD's counters (PerfCntrGlobalStatusSet).
    pub const CORE_SET: Self = Self::at(0xC000_0303);

    /// One of AMD's core counters; `None` if there is no such address.
    #[must_use]
    pub const fn core_counter(block: Block, number: u8) -> Option<Self> {
        Self::in_block(block, block.first_counter(), number)
    }

    /// What one of AMD's core counters counts; `None` if there is no such address.
    #[must_use]
    pub const fn core_select(block: Block, number: u8) -> Option<Self> {
        Self::in_block(block, block.first_select(), number)
    }

    const fn in_block(block: Block, first: u32, number: u8) -> Option<Self> {
        if number < block.counters() { Some(Self::at(first + block.stride() * number as u32)) } else { None }
    }

    /// The manual's name of one of these, and the number of a numbered register.
    pub(super) const fn core_name(self) -> (&'static str, Option<u32>) {
        let address = self.address();
        match address {
            0xC000_0300 => ("PerfCntrGlobalStatus", None),
            0xC000_0301 => ("PerfCntrGlobalCtl", None),
            0xC000_0302 => ("PerfCntrGlobalStatusClr", None),
            0xC000_0303 => ("PerfCntrGlobalStatusSet", None),
            0xC001_0000..=0xC001_0003 => ("PerfEvtSel", Some(address - 0xC001_0000)),
            0xC001_0004..=0xC001_0007 => ("PerfCtr", Some(address - 0xC001_0004)),
            0xC001_0200..=0xC001_020B if address & 1 == 0 => ("PERF_CTL", Some((address - 0xC001_0200) / 2)),
            0xC001_0200..=0xC001_020B => ("PERF_CTR", Some((address - 0xC001_0200) / 2)),
            _ => ("MSR ", Some(address)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_are_where_the_manual_has_them() {
        let addresses = |block, number| {
            let registers = [Msr::core_select(block, number), Msr::core_counter(block, number)];
            registers.map(|register| register.map(Msr::address))
        };
        assert_eq!(addresses(Block::Legacy, 3), [Some(0xC001_0003), Some(0xC001_0007)]);
        assert_eq!(addresses(Block::Core, 5), [Some(0xC001_020A), Some(0xC001_020B)]);
        assert_eq!([addresses(Block::Legacy, 4), addresses(Block::Core, 6)], [[None; 2]; 2]);
    }

    #[test]
    fn each_register_prints_as_its_own_block_names_it() {
        let printed = |address| format!("{:?}", Msr::at(address));
        let addresses = [0xC000_0302, 0xC001_0003, 0xC001_0007, 0xC001_020A, 0xC001_020B];
        let names = ["PerfCntrGlobalStatusClr", "PerfEvtSel3", "PerfCtr3", "PERF_CTL5", "PERF_CTR5"];
        assert_eq!(addresses.map(printed), names);
    }
}
