//! The processor identification register, which identifies the processor.

use core::fmt;

/// The contents of PRId (CP0 register 15, select 0): the company in bits 23 to 16, the implementation in bits 15 to 8, the
/// revision in bits 7 to 0 ("MIPS32 Architecture For Programmers, volume III", "Processor Identification"; R10000's
/// company is 0).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Prid(u32);

impl Prid {
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

    /// Returns the company and the implementation, which identify the kind of processor.
    #[must_use]
    pub const fn implementation(self) -> u32 {
        self.0 >> 8
    }

    /// Returns the revision.
    #[must_use]
    pub const fn revision(self) -> u32 {
        self.0 & 0xFF
    }
}

impl fmt::Debug for Prid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PRId {:#010x}", self.0)
    }
}
