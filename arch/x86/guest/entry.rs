//! The guest's entry for counters in its local APIC (LVTPC): whatever the guest has written there, and what it raises.
//!
//! Source: SDM vol. 3, "Advanced Programmable Interrupt Controller (APIC)", figure "Local Vector Table (LVT)", and
//! "Valid Interrupt Vectors".

use super::Injection;

/// A guest's entry for counters in its local APIC (LVTPC), which may hold anything that a guest writes.
///
/// A kernel's own entry is an [`Lvtpc`](crate::arch::x86::Lvtpc), which raises nothing that harms it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Entry(u32);

impl Entry {
    const VECTOR: u32 = 0xFF;
    const DELIVERY: u32 = 7 << 8;
    const FIXED: u32 = 0;
    const NMI: u32 = 4 << 8;
    const MASKED: u32 = 1 << 16;
    /// Vectors below are illegal: the local APIC records an error and delivers nothing.
    const FIRST_VECTOR: u32 = 16;

    /// After a reset the entry is masked.
    pub const RESET: Self = Self(Self::MASKED);

    /// Converts what the guest has written.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns what the guest reads.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns true if the entry is masked.
    #[must_use]
    pub const fn is_masked(self) -> bool {
        self.0 & Self::MASKED != 0
    }

    /// Returns the entry masked.
    #[must_use]
    pub const fn masked(self) -> Self {
        Self(self.0 | Self::MASKED)
    }

    /// Returns what an overflow raises: an NMI, or an interrupt of any legal vector, 16 to 31 included. Returns `None` if the
    /// entry is masked, if its vector is illegal, and for other delivery modes, of which a counter's entry has SMI alone.
    #[must_use]
    pub const fn raises(self) -> Option<Injection> {
        let vector = self.0 & Self::VECTOR;
        match self.0 & Self::DELIVERY {
            _ if self.is_masked() => None,
            Self::NMI => Some(Injection::Nmi),
            Self::FIXED if vector >= Self::FIRST_VECTOR => Some(Injection::Interrupt(vector as u8)),
            _ => None,
        }
    }
}
