//! The registers of precise sampling, and their bits; among them those of the unit.
//!
//! Sources: SDM vol. 4, tables of MSRs (3F1H, 3F2H, 3F6H, 600H); vol. 3, "Processor Event Based Sampling", "Adaptive PEBS", "Load
//! Latency Performance Monitoring Facility". Linux' msr-index.h has the same numbers.

use crate::arch::x86::{Index, Msr};
use crate::contract::{Masked, Registers, bit_set};
use crate::event::CounterId;

/// A register that precise sampling uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Register {
    /// A register of the unit, whose counters are sampled.
    Unit(Msr),
    /// The counters that are sampled (IA32_PEBS_ENABLE).
    Enable,
    /// What records have beside the basic group (MSR_PEBS_DATA_CFG; format 4).
    Data,
    /// Loads of more cycles than this are recorded (MSR_PEBS_LD_LAT_THRESHOLD).
    Latency,
    /// The linear address of the debug store's management area (IA32_DS_AREA).
    Area,
}

impl Register {
    /// Returns the number for RDMSR and WRMSR.
    #[inline(always)]
    #[must_use]
    pub const fn address(self) -> u32 {
        match self {
            Self::Unit(msr) => msr.address(),
            Self::Enable => 0x3F1,
            Self::Data => 0x3F2,
            Self::Latency => 0x3F6,
            Self::Area => 0x600,
        }
    }

    /// Returns the register with this number, for hypervisors.
    #[must_use]
    pub const fn from_address(address: u32) -> Option<Self> {
        match address {
            0x3F1 => Some(Self::Enable),
            0x3F2 => Some(Self::Data),
            0x3F6 => Some(Self::Latency),
            0x600 => Some(Self::Area),
            _ => match Msr::from_address(address) {
                Some(msr) => Some(Self::Unit(msr)),
                None => None,
            },
        }
    }
}

/// The unit's registers alone, for what is the same without sampling.
pub(super) struct UnitRegisters<R>(pub(super) R);

impl<R: Registers<Address = Register, Index = Index>> Registers for UnitRegisters<&R> {
    type Address = Msr;
    type Index = Index;
    type Kernel = R::Kernel;

    fn kernel(&self) -> R::Kernel {
        self.0.kernel()
    }

    fn read(&self, at: Msr) -> u64 {
        self.0.read(Register::Unit(at))
    }

    fn write(&self, at: Msr, value: u64) {
        self.0.write(Register::Unit(at), value);
    }

    fn read_counter(&self, index: Index) -> u64 {
        self.0.read_counter(index)
    }

    fn ticks(&self) -> u64 {
        self.0.ticks()
    }

    fn mask(&self) -> Masked {
        self.0.mask()
    }

    fn unmask(&self, before: Masked) {
        self.0.unmask(before);
    }
}

bit_set! {
    /// What records have beside the basic group (MSR_PEBS_DATA_CFG).
    #[derive(Clone, Copy, PartialEq, Eq, Default)]
    pub(super) struct Data: u64 {
        /// The address of the data, their source, the latency.
        const MEMORY as "Memory Info" = 1 << 0;
        /// The general registers.
        const REGISTERS as "GPRs" = 1 << 1;
        /// The vector registers.
        const VECTORS as "XMMs" = 1 << 2;
        /// The branches.
        const BRANCHES as "LBRs" = 1 << 3;
        /// How many of them, less one.
        const ENTRIES as "LBR Entries" = 0xFF << 24;
    }
}

impl Data {
    /// Returns how many branches a record has.
    pub(super) const fn branches(self) -> usize {
        if self.contains(Self::BRANCHES) { (self.bits() >> 24 & 0xFF) as usize + 1 } else { 0 }
    }
}

/// IA32_PERFEVTSELx: records of this counter have what MSR_PEBS_DATA_CFG says (Adaptive_Record).
pub(super) const ADAPTIVE: u64 = 1 << 34;

/// IA32_MISC_ENABLE: precise sampling is not available.
pub(super) const UNAVAILABLE: u64 = 1 << 12;

/// IA32_PEBS_ENABLE: the counter counts loads by their latency (up to version 4 of the unit).
pub(super) const fn loads(counter: CounterId) -> u64 {
    1 << 32 << (counter.number() & 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_register_comes_back_from_its_number() {
        let found: Vec<_> = (0x3F0..0x3F8).chain([0x600, 0x38E]).filter_map(Register::from_address).collect();
        let unit = [Msr::FRONTEND, Msr::GLOBAL_STATUS].map(Register::Unit);
        assert_eq!(found, [Register::Enable, Register::Data, Register::Latency, unit[0], Register::Area, unit[1]]);
        assert!(found.iter().all(|at| Register::from_address(at.address()) == Some(*at)));
    }
}
