//! The events that need a value in an auxiliary register, model by model.
//!
//! Sources: SDM vol. 3, "Performance Monitoring", sections "Off-core Response Performance
//! Monitoring" and "FRONTEND_RETIRED"; vol. 4, the tables of the microarchitectures; for the masks
//! torvalds/linux arch/x86/events/intel/core.c, and for the codes also intel/perfmon. A model that is not listed
//! has none: its events of this kind are refused, not guessed.
//!
//! On Nehalem and Westmere the two threads of a core share MSR_OFFCORE_RSP_0 and 1; from Sandy Bridge on each has its own
//! (the first section). A claim of one thread's unit does not reserve them: the sibling's unit has another claim, which
//! cannot be asked. [`Capabilities::miscount`](super::Capabilities::miscount) says so of their events.
//!
//! The latency of loads (MSR_PEBS_LD_LAT) is not included. Its event counts only if IA32_PEBS_ENABLE
//! is set for its counter (section "Load Latency Performance Monitoring Facility"). The processor then
//! writes records to memory, which [`pebs`](super::pebs) takes and a counter's driver does not. The register of the front end's event has PEBS
//! in its name, but the event counts without it: intel/perfmon marks the former as requiring PEBS and the
//! latter as permitting it.

use super::model::Microarchitecture;
use crate::arch::x86::Msr;
use crate::event::{CounterSet, Event, Request};

/// The bits of a control word above its selector, from this one on, are the marks of auxiliary registers.
const MARKS: u32 = 56;

/// An auxiliary register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum AuxiliaryRegister {
    /// MSR_OFFCORE_RSP_0.
    Offcore0,
    /// MSR_OFFCORE_RSP_1.
    Offcore1,
    /// MSR_PEBS_FRONTEND.
    Frontend,
}

impl AuxiliaryRegister {
    /// The number of auxiliary registers.
    pub const COUNT: usize = 3;

    /// All auxiliary registers, by number.
    pub const ALL: [Self; Self::COUNT] = [Self::Offcore0, Self::Offcore1, Self::Frontend];

    /// Returns the address of the register.
    #[must_use]
    pub const fn register(self) -> Msr {
        match self {
            Self::Offcore0 => Msr::OFFCORE_0,
            Self::Offcore1 => Msr::OFFCORE_1,
            Self::Frontend => Msr::FRONTEND,
        }
    }

    /// Returns the register's name in the manual.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Offcore0 => "MSR_OFFCORE_RSP_0",
            Self::Offcore1 => "MSR_OFFCORE_RSP_1",
            Self::Frontend => "MSR_PEBS_FRONTEND",
        }
    }

    /// Returns the bit, above the selector in a slot's control word, which says that the event needs this
    /// register.
    #[inline(always)]
    #[must_use]
    pub const fn mark(self) -> u64 {
        1 << (MARKS + self as u32)
    }

    /// Returns true if a control word is marked with a register.
    #[inline(always)]
    pub(super) const fn is_marked(word: u64) -> bool {
        word >> MARKS != 0
    }

    /// Returns the register that a control word is marked with.
    #[must_use]
    pub fn marked(word: u64) -> Option<Self> {
        Self::ALL.get((word >> MARKS).trailing_zeros() as usize).copied()
    }

    /// Returns the registers that a word is marked with.
    pub(super) fn all_marked(word: u64) -> impl Iterator<Item = Self> {
        CounterSet::from_bits(word >> MARKS).into_iter().filter_map(|number| Self::ALL.get(number.index()).copied())
    }

    /// Returns true if each register can replace the other, with an event code of its own.
    #[must_use]
    pub const fn is_alike(self, other: Self) -> bool {
        self.kind() == other.kind()
    }

    /// Returns the kind. The two registers for off-core responses have the same.
    const fn kind(self) -> u8 {
        self as u8 / 2
    }
}

/// An event that needs a value in an auxiliary register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Auxiliary {
    /// The event's code.
    pub code: u64,
    /// The register.
    pub beside: AuxiliaryRegister,
    /// The bits of the register.
    pub mask: u64,
}

impl Auxiliary {
    const fn new(code: u64, beside: AuxiliaryRegister, mask: u64) -> Self {
        Self { code, beside, mask }
    }

    /// Returns true if this event can count what the event with this code counts, whose register is `beside`.
    /// Registers of the same kind replace each other, each with its own event; events of one register do not.
    #[must_use]
    pub const fn serves(&self, code: u64, beside: AuxiliaryRegister) -> bool {
        self.code == code || self.beside as u8 != beside as u8 && self.beside.is_alike(beside)
    }

    /// Returns the marks of the registers that these events need.
    pub(super) fn marks(events: &[Self]) -> u64 {
        events.iter().fold(0, |marks, event| marks | event.beside.mark())
    }

    /// Returns the requests of which a unit encodes one if its register has all bits of this event's. Which event uses the
    /// register differs between microarchitectures.
    pub(super) fn of_its_register(self) -> impl Iterator<Item = Request> {
        let all = BY_MICROARCHITECTURE.iter().flat_map(|events| events.iter());
        let same = all.filter(move |event| event.beside == self.beside);
        same.map(move |event| Request::new(Event::raw_with(event.code, self.mask)))
    }

    /// Returns the events of a microarchitecture.
    #[must_use]
    pub const fn of(microarchitecture: Microarchitecture) -> &'static [Self] {
        BY_MICROARCHITECTURE[microarchitecture as usize]
    }
}

/// The events of each microarchitecture, in the order in which those are listed.
const BY_MICROARCHITECTURE: [&[Auxiliary]; 22] = [
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
    KNIGHTS_LANDING,
    LION_COVE,
    COYOTE_COVE,
    CRESTMONT,
    &[],
];

const NEHALEM: &[Auxiliary] = &[Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0xFFFF)];
const WESTMERE: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0xFFFF),
    Auxiliary::new(0x01BB, AuxiliaryRegister::Offcore1, 0xFFFF),
];
const SANDY_BRIDGE: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x3F_807F_8FFF),
    Auxiliary::new(0x01BB, AuxiliaryRegister::Offcore1, 0x3F_807F_8FFF),
];
const HASWELL: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x3F_FFFF_8FFF),
    Auxiliary::new(0x01BB, AuxiliaryRegister::Offcore1, 0x3F_FFFF_8FFF),
];
const SKYLAKE: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x3F_FFFF_8FFF),
    Auxiliary::new(0x01BB, AuxiliaryRegister::Offcore1, 0x3F_FFFF_8FFF),
    Auxiliary::new(0x01C6, AuxiliaryRegister::Frontend, 0x7F_FF17),
];
const ICE_LAKE: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x3F_FFFF_BFFF),
    Auxiliary::new(0x01BB, AuxiliaryRegister::Offcore1, 0x3F_FFFF_BFFF),
    Auxiliary::new(0x01C6, AuxiliaryRegister::Frontend, 0x7F_FF17),
];
const GOLDEN_COVE: &[Auxiliary] = &[
    Auxiliary::new(0x012A, AuxiliaryRegister::Offcore0, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x012B, AuxiliaryRegister::Offcore1, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x01C6, AuxiliaryRegister::Frontend, 0x7F_FF1F),
    Auxiliary::new(0x40AD, AuxiliaryRegister::Frontend, 0x7),
    Auxiliary::new(0x04C2, AuxiliaryRegister::Frontend, 0x8),
];
const REDWOOD_COVE: &[Auxiliary] = &[
    Auxiliary::new(0x012A, AuxiliaryRegister::Offcore0, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x012B, AuxiliaryRegister::Offcore1, 0x3F_FFFF_FFFF),
    Auxiliary::new(0x03C6, AuxiliaryRegister::Frontend, 0x7F_FF1F),
    Auxiliary::new(0x02C6, AuxiliaryRegister::Frontend, 0x9),
    Auxiliary::new(0x40AD, AuxiliaryRegister::Frontend, 0x7),
    Auxiliary::new(0x04C2, AuxiliaryRegister::Frontend, 0x8),
];
const LION_COVE: &[Auxiliary] = &[
    Auxiliary::new(0x012A, AuxiliaryRegister::Offcore0, 0xFFF_FFFF_FFFF),
    Auxiliary::new(0x012B, AuxiliaryRegister::Offcore1, 0xFFF_FFFF_FFFF),
    Auxiliary::new(0x03C6, AuxiliaryRegister::Frontend, 0x7F_FF1F),
    Auxiliary::new(0x02C6, AuxiliaryRegister::Frontend, 0x9),
    Auxiliary::new(0x40AD, AuxiliaryRegister::Frontend, 0xF),
    Auxiliary::new(0x04C2, AuxiliaryRegister::Frontend, 0x8),
];
/// Off-module responses have registers of their own, which are not included.
const COYOTE_COVE: &[Auxiliary] = LION_COVE.split_at(2).1;
const SILVERMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x76_8005_FFFF),
    Auxiliary::new(0x02B7, AuxiliaryRegister::Offcore1, 0x36_8005_FFFF),
];
const GOLDMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x76_0005_FFBF),
    Auxiliary::new(0x02B7, AuxiliaryRegister::Offcore1, 0x36_0005_FFBF),
];
const TREMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x800F_F0FF_FFFF_9FFF),
    Auxiliary::new(0x02B7, AuxiliaryRegister::Offcore1, 0xF_F0FF_FFFF_9FFF),
];
/// Values of intel/perfmon's list have bits 46 and 47, which Linux refuses.
const GRACEMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0xC03F_FFFF_FFFF),
    Auxiliary::new(0x02B7, AuxiliaryRegister::Offcore1, 0xC03F_FFFF_FFFF),
];
const KNIGHTS_LANDING: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x79_9FFB_B6E7),
    Auxiliary::new(0x02B7, AuxiliaryRegister::Offcore1, 0x39_9FFB_FFE7),
];
/// The events of Crestmont, Skymont and Darkmont.
const CRESTMONT: &[Auxiliary] = &[
    Auxiliary::new(0x01B7, AuxiliaryRegister::Offcore0, 0x800F_F3FF_FFFF_FFFF),
    Auxiliary::new(0x02B7, AuxiliaryRegister::Offcore1, 0xF_F3FF_FFFF_FFFF),
];
