//! Which processor this is: the processor version register.

use core::fmt;

/// What the processor version register (PVR, SPR 287) holds: the processor's version in its high
/// 16 bits, and its revision in its low ones (Power ISA Book III, "Processor Version Register").
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pvr(u32);

impl Pvr {
    /// What was read from the register.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// All of it.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The processor's version: its kind.
    #[must_use]
    pub const fn version(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Its revision.
    #[must_use]
    pub const fn revision(self) -> u16 {
        self.0 as u16
    }
}

impl fmt::Debug for Pvr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PVR {:#010x}", self.0)
    }
}
