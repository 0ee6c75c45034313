//! The processor version register, which identifies the processor.

use core::fmt;

/// The contents of the processor version register (PVR, SPR 287): the version of the processor in the high
/// 16 bits, and its revision in the low 16 bits (Power ISA Book III, "Processor Version Register").
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Pvr(u32);

impl Pvr {
    /// Converts the contents of the register.
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns the contents of the register.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the version, which identifies the kind of processor.
    #[must_use]
    pub const fn version(self) -> u16 {
        (self.0 >> 16) as u16
    }

    /// Returns the revision.
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
