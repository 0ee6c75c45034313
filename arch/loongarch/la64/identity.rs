//! The processor that a guest sees: the contents of CPUCFG's words 0 and 6.
//!
//! Sources: loongson-community/areweloongyet, "typical configurations", dumps of CPUCFG on a 3A6000 and a 3C6000; QEMU's
//! target/loongarch/cpu.c, for the PRID of a 3A5000, whose "Processor Reference Manual" has the fields of word 6.

use super::capabilities::Capabilities;
use super::registers::Cpucfg6;
use crate::arch::loongarch::Register;
use crate::virt::Fingerprint;

/// A processor, as far as its unit is concerned.
#[derive(Clone, Copy, Debug)]
pub struct Identity {
    name: &'static str,
    prid: u32,
    word: Cpucfg6,
}

/// Version 1, four counters of 64 bits, which user programs can be given.
const WORD: Cpucfg6 = Cpucfg6::from_bits_retain(0x7F33);

impl Identity {
    /// 3A5000, whose cores are LA464.
    pub const LOONGSON_3A5000: Self = Self { name: "loongson-3a5000", prid: 0x0014_C010, word: WORD };
    /// 3A6000, whose cores are LA664.
    pub const LOONGSON_3A6000: Self = Self { name: "loongson-3a6000", prid: 0x0014_D000, word: WORD };
    /// 3C6000, whose cores are LA664.
    pub const LOONGSON_3C6000: Self = Self { name: "loongson-3c6000", prid: 0x0014_D010, word: WORD };

    /// All identities, from the oldest to the newest.
    pub const ALL: [Self; 3] = [Self::LOONGSON_3A5000, Self::LOONGSON_3A6000, Self::LOONGSON_3C6000];

    /// Returns the same processor with so many counters, from 1 to 4: a hypervisor may keep some for itself.
    #[must_use]
    pub const fn with_counters(self, counters: u8) -> Self {
        let counters = match counters {
            0 => 1,
            1..=Register::COUNTERS => counters,
            _ => Register::COUNTERS,
        };
        Self { word: self.word.with_counters(counters), ..self }
    }

    /// Returns the processor's name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns a word of CPUCFG, or `None` if this is not one.
    pub(super) const fn word(&self, at: Register) -> Option<u64> {
        match (at.is_word(), at.number()) {
            (true, 0) => Some(self.prid as u64),
            (true, 6) => Some(self.word.bits() as u64),
            _ => None,
        }
    }

    /// Returns the fingerprint of what a guest is told.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of([self.prid.into(), self.word.bits().into()])
    }

    /// Returns what a driver finds out about the unit, and what a device is created from.
    #[must_use]
    pub const fn capabilities(&self) -> Capabilities {
        Capabilities::of(self.prid, self.word)
    }
}
