//! Which events need a value in a register beside their counter, model by model.
//!
//! Sources: SDM vol. 3, "Performance Monitoring", sections "Off-core Response Performance
//! Monitoring" and "FRONTEND_RETIRED"; vol. 4, the tables of the microarchitectures; the masks as
//! torvalds/linux arch/x86/events/intel/core.c knows them, the codes also as intel/perfmon lists
//! them. A model that is not listed has none: its events of this kind are refused rather than
//! guessed.
//!
//! The latency of loads (MSR_PEBS_LD_LAT) is not among them. Its event counts nothing unless
//! IA32_PEBS_ENABLE is set for its counter (section "Load Latency Performance Monitoring
//! Facility"), and with that the processor writes records to memory, which this crate leaves
//! alone. The front end's event has a register with PEBS in its name and counts without:
//! intel/perfmon marks the one as for PEBS alone and the other as possible with it.

use super::model::Microarchitecture;
use crate::arch::x86::Msr;

/// A register beside the counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Beside {
    /// MSR_OFFCORE_RSP_0.
    Offcore0,
    /// MSR_OFFCORE_RSP_1.
    Offcore1,
    /// MSR_PEBS_FRONTEND.
    Frontend,
}

impl Beside {
    /// How many there are.
    pub const COUNT: usize = 3;

    /// Every one, by its number.
    pub const ALL: [Self; Self::COUNT] = [Self::Offcore0, Self::Offcore1, Self::Frontend];

    /// Its register.
    #[must_use]
    pub const fn register(self) -> Msr {
        match self {
            Self::Offcore0 => Msr::OFFCORE_0,
            Self::Offcore1 => Msr::OFFCORE_1,
            Self::Frontend => Msr::FRONTEND,
        }
    }

    /// Its name in the manual.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Offcore0 => "MSR_OFFCORE_RSP_0",
            Self::Offcore1 => "MSR_OFFCORE_RSP_1",
            Self::Frontend => "MSR_PEBS_FRONTEND",
        }
    }

    /// The bit that says, above a selector in a slot's control word, that its event relies on
    /// this register.
    #[inline(always)]
    #[must_use]
    pub const fn mark(self) -> u64 {
        1 << (56 + self as u32)
    }

    /// The register that a control word is marked with.
    #[must_use]
    pub fn marked(word: u64) -> Option<Self> {
        Self::ALL.get((word >> 56).trailing_zeros() as usize).copied()
    }

    /// Can the two serve for each other, each with its own event code?
    #[must_use]
    pub const fn is_alike(self, other: Self) -> bool {
        self.kind() == other.kind()
    }

    /// The two registers for the responses from off the core are of one kind.
    const fn kind(self) -> u8 {
        self as u8 / 2
    }
}

/// An event that needs a value in a register beside its counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Auxiliary {
    /// The event's code.
    pub code: u64,
    /// The register.
    pub beside: Beside,
    /// The bits that the register has.
    pub mask: u64,
}

impl Auxiliary {
    const fn new(code: u64, beside: Beside, mask: u64) -> Self {
        Self { code, beside, mask }
    }

    /// Can it count what the event with this code does, whose register is `beside`? Registers that
    /// are alike serve for each other, each with its own event; events of one register do not.
    #[must_use]
    pub const fn serves(&self, code: u64, beside: Beside) -> bool {
        self.code == code || self.beside as u8 != beside as u8 && self.beside.is_alike(beside)
    }

    /// What this microarchitecture has.
    #[must_use]
    pub const fn of(microarchitecture: Microarchitecture) -> &'static [Self] {
        BY_MICROARCHITECTURE[microarchitecture as usize]
    }
}

/// What each microarchitecture has, in the order in which they are listed.
const BY_MICROARCHITECTURE: [&[Auxiliary]; 17] = [
    &[],
    NEHALEM,
    WESTMERE,
    SANDY_BRIDGE,
    HASWELL,
    SKYLAKE,
    ICE_LAKE,
    GOLDEN_COVE,
    REDWOOD_COVE,
    LION_COVE,
    &[],
    SILVERMONT,
    GOLDMONT,
    TREMONT,
    GRACEMONT,
    CRESTMONT,
    CRESTMONT,
];

const NEHALEM: &[Auxiliary] = &[Auxiliary::new(0x01B7, Beside::Offcore0, 0xFFFF)];
const WESTMERE: &[Auxiliary] =
    &[Auxiliary::new(0x01B7, Beside::Offcore0, 0xFFFF), Auxiliary::new(0x01BB, Beside::Offcore1, 0xFFFF)];
const SANDY_BRIDGE: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x3F_807F_8FFF),
    Auxiliary::new(0x01BB, Beside::Offcore1, 0x3F_807F_8FFF),
];
const HASWELL: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x3F_FFFF_8FFF),
    Auxiliary::new(0x01BB, Beside::Offcore1, 0x3F_FFFF_8FFF),
];
const SKYLAKE: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x3F_FFFF_8FFF),
    Auxiliary::new(0x01BB, Beside::Offcore1, 0x3F_FFFF_8FFF),
    Auxiliary::new(0x01C6, Beside::Frontend, 0x7F_FF17),
];
const ICE_LAKE: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x3F_FFFF_BFFF),
    Auxiliary::new(0x01BB, Beside::Offcore1, 0x3F_FFFF_BFFF),
    Auxiliary::new(0x01C6, Beside::Frontend, 0x7F_FF17),
];
const GOLDEN_COVE: &[Auxiliary] = &[
    Auxiliary::new(0x012A, Beside::Offcore0, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x012B, Beside::Offcore1, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x01C6, Beside::Frontend, 0x7F_FF1F),
    Auxiliary::new(0x40AD, Beside::Frontend, 0x7),
    Auxiliary::new(0x04C2, Beside::Frontend, 0x8),
];
const REDWOOD_COVE: &[Auxiliary] = &[
    Auxiliary::new(0x012A, Beside::Offcore0, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x012B, Beside::Offcore1, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x03C6, Beside::Frontend, 0x7F_FF1F),
    Auxiliary::new(0x02C6, Beside::Frontend, 0x9),
    Auxiliary::new(0x40AD, Beside::Frontend, 0x7),
    Auxiliary::new(0x04C2, Beside::Frontend, 0x8),
];
const LION_COVE: &[Auxiliary] = &[
    Auxiliary::new(0x012A, Beside::Offcore0, 0xFFF_FFFF_FFFF),
    Auxiliary::new(0x012B, Beside::Offcore1, 0xFFF_FFFF_FFFF),
    Auxiliary::new(0x03C6, Beside::Frontend, 0x7F_FF1F),
    Auxiliary::new(0x02C6, Beside::Frontend, 0x9),
    Auxiliary::new(0x40AD, Beside::Frontend, 0xF),
    Auxiliary::new(0x04C2, Beside::Frontend, 0x8),
];
const SILVERMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x76_8005_FFFF),
    Auxiliary::new(0x02B7, Beside::Offcore1, 0x36_8005_FFFF),
];
const GOLDMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x76_0005_FFBF),
    Auxiliary::new(0x02B7, Beside::Offcore1, 0x36_0005_FFBF),
];
const TREMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x800F_F0FF_FFFF_9FFF),
    Auxiliary::new(0x02B7, Beside::Offcore1, 0xF_F0FF_FFFF_9FFF),
];
/// Bits 46 and 47 are in values of intel/perfmon's list, and Linux refuses them.
const GRACEMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0xC03F_FFFF_FFFF),
    Auxiliary::new(0x02B7, Beside::Offcore1, 0xC03F_FFFF_FFFF),
];
/// And Skymont's.
const CRESTMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, Beside::Offcore0, 0x800F_F3FF_FFFF_FFFF),
    Auxiliary::new(0x02B7, Beside::Offcore1, 0xF_F3FF_FFFF_FFFF),
];
