//! What a recorder can, and where its registers are.
//!
//! Sources: those of `registers`.

use super::registers::{Control, Select};
use crate::arch::x86::Msr;
use crate::virt::Fingerprint;

/// The most entries that a recorder has.
pub(super) const MOST: usize = 32;

/// Which recorder it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::arch::x86) enum Generation {
    /// Intel's stack, with entries of this format (IA32_PERF_CAPABILITIES\[5:0\]).
    Stack(u8),
    /// Intel's architectural recorder.
    Architectural,
    /// AMD's LbrExtV2.
    Extension,
}

/// How an overflow freezes the records.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::arch::x86) enum Freeze {
    /// It clears IA32_DEBUGCTL.LBR (versions 2 and 3).
    ByControl,
    /// It sets a bit of the unit's status.
    ByStatus,
}

/// What a recorder can leave out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::arch::x86) enum Filters {
    /// Nothing.
    None,
    /// Modes, and kinds; but calls are recorded only if both kinds of jumps are.
    JumpsWithCalls,
    /// Modes, and kinds.
    All,
}

/// A recorder of branches: of this processor, or one that a guest is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Capabilities {
    pub(in crate::arch::x86) generation: Generation,
    pub(in crate::arch::x86) depth: u8,
    pub(in crate::arch::x86) freeze: Option<Freeze>,
    pub(in crate::arch::x86) filters: Filters,
    /// The addresses of a stack are the old ones, 40H and 60H.
    pub(in crate::arch::x86) is_low: bool,
    /// EAX, EBX and ECX of leaf 1CH, of the architectural recorder.
    pub(in crate::arch::x86) leaf: [u32; 3],
}

impl Capabilities {
    /// Core 2's stack.
    pub const CORE_2: Self = Self::stack(1, 4, Filters::None).at_low_addresses().frozen(Freeze::ByControl);
    /// Nehalem's stack.
    pub const NEHALEM: Self = Self::stack(3, 16, Filters::JumpsWithCalls).frozen(Freeze::ByControl);
    /// Haswell's stack.
    pub const HASWELL: Self = Self::stack(4, 16, Filters::All).frozen(Freeze::ByControl);
    /// Goldmont's stack.
    pub const GOLDMONT: Self = Self::stack(6, 32, Filters::All).frozen(Freeze::ByStatus);
    /// Skylake's stack.
    pub const SKYLAKE: Self = Self::stack(5, 32, Filters::All).frozen(Freeze::ByStatus);
    /// The architectural recorder with all that it can have: depths of 8, 16 and 32, filters, the call stack, mispredictions,
    /// cycles and kinds.
    pub const ARCHITECTURAL: Self = Self::architectural([0b1011, 0b111, 0b111]).frozen(Freeze::ByStatus);
    /// Zen 4's LbrExtV2.
    pub const ZEN_4: Self =
        Self { generation: Generation::Extension, ..Self::stack(0, 16, Filters::All).frozen(Freeze::ByStatus) };

    pub(in crate::arch::x86) const fn stack(format: u8, depth: u8, filters: Filters) -> Self {
        let generation = Generation::Stack(format);
        Self { generation, depth, freeze: None, filters, is_low: false, leaf: [0; 3] }
    }

    pub(in crate::arch::x86) const fn at_low_addresses(self) -> Self {
        Self { is_low: true, ..self }
    }

    pub(in crate::arch::x86) const fn frozen(self, freeze: Freeze) -> Self {
        Self { freeze: Some(freeze), ..self }
    }

    pub(in crate::arch::x86) const fn architectural(leaf: [u32; 3]) -> Self {
        let depth = 8 * (8 - (leaf[0] as u8).leading_zeros() as u8);
        Self { generation: Generation::Architectural, leaf, ..Self::stack(0, depth, Filters::All) }
    }

    /// Returns a number for what a guest is told of it.
    pub(super) fn fingerprint(&self) -> Fingerprint {
        let (generation, freeze) = match self.generation {
            Generation::Stack(format) => (u32::from(format), self.freeze),
            Generation::Architectural => (0x100, self.freeze),
            Generation::Extension => (0x200, self.freeze),
        };
        let freeze = freeze.map_or(0, |freeze| 1 + freeze as u32);
        let words = [generation, self.depth.into(), freeze, self.filters as u32, self.is_low.into()];
        Fingerprint::of(words.into_iter().chain(self.leaf).map(u64::from))
    }
}

/// The registers.
impl Capabilities {
    /// Returns the source of an entry. On a stack its number is that of its register, elsewhere 0 is the newest.
    #[inline(always)]
    pub(super) const fn source(&self, entry: u32) -> Msr {
        Msr::at(match self.generation {
            Generation::Stack(_) if self.is_low => 0x40 + entry,
            Generation::Stack(_) => 0x680 + entry,
            Generation::Architectural => 0x1500 + entry,
            Generation::Extension => 0xC001_0300 + 2 * entry,
        })
    }

    /// Returns its target.
    #[inline(always)]
    pub(super) const fn target(&self, entry: u32) -> Msr {
        Msr::at(match self.generation {
            Generation::Stack(_) if self.is_low => 0x60 + entry,
            Generation::Stack(_) => 0x6C0 + entry,
            Generation::Architectural => 0x1600 + entry,
            Generation::Extension => 0xC001_0301 + 2 * entry,
        })
    }

    /// Returns what else is known of it, if there is such a register.
    #[inline(always)]
    pub(super) const fn info(&self, entry: u32) -> Option<Msr> {
        match self.generation {
            Generation::Stack(5 | 7) => Some(Msr::at(0xDC0 + entry)),
            Generation::Architectural => Some(Msr::at(0x1200 + entry)),
            Generation::Stack(_) | Generation::Extension => None,
        }
    }

    /// Returns the register that leaves branches out, beside the one that starts the recording.
    #[inline(always)]
    pub(super) const fn select(&self) -> Option<Msr> {
        match (self.generation, self.filters) {
            (Generation::Stack(_), Filters::None) | (Generation::Architectural, _) => None,
            (Generation::Stack(_), _) => Some(Msr::BRANCH_SELECT),
            (Generation::Extension, _) => Some(Msr::CORE_BRANCH_SELECT),
        }
    }

    /// Returns the registers of the unit's status: to read it, to clear its bits, and to set them.
    #[inline(always)]
    pub(super) const fn status(&self) -> [Msr; 3] {
        match self.generation {
            Generation::Extension => [Msr::CORE_STATUS, Msr::CORE_RESET, Msr::CORE_SET],
            _ => [Msr::GLOBAL_STATUS, Msr::GLOBAL_RESET, Msr::GLOBAL_SET],
        }
    }

    /// Returns the bits of the register that leaves branches out.
    pub(super) const fn selectable(&self) -> Select {
        match self.generation {
            Generation::Stack(4..) => Select::all(),
            _ => Select::all().difference(Select::CALL_STACK),
        }
    }

    /// Returns the bits of IA32_LBR_CTL. Modes and kinds that cannot be left out have no bits.
    pub(super) const fn controllable(&self) -> Control {
        let modes = if self.leaf[1] & 1 != 0 { Control::MODES } else { Control::empty() };
        let kinds = if self.leaf[1] & 2 != 0 { Control::KINDS } else { Control::empty() };
        let stack = if self.leaf[1] & 4 != 0 { Control::CALL_STACK } else { Control::empty() };
        Control::ENABLE.union(modes).union(kinds).union(stack)
    }

    /// Returns true if the number of entries can be this (leaf 1CH, EAX\[7:0\]: bit n for 8(n + 1)).
    pub(super) const fn has_depth(&self, depth: u64) -> bool {
        depth != 0 && depth <= 64 && depth.is_multiple_of(8) && self.leaf[0] >> (depth / 8 - 1) & 1 != 0
    }

    /// Returns true if the architectural recorder records this: a misprediction, cycles, the kind.
    #[inline(always)]
    pub(super) const fn has_details(&self) -> [bool; 3] {
        let bits = self.leaf[2];
        [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0]
    }
}
