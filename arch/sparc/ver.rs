//! The version register, which identifies the processor.

use core::fmt;

/// The contents of the version register (%ver): the manufacturer in bits 48 to 63, the implementation in bits 32 to 47,
/// and the revision of the masks in bits 24 to 31 ("The SPARC Architecture Manual, Version 9", section 5.2.9, "Version
/// Register (VER)"; torvalds/linux arch/sparc/kernel/cpu.c decodes it alike).
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ver(u64);

impl Ver {
    /// Converts the contents of the register.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Creates the contents of the register for a processor of 8 windows and 5 levels of traps.
    #[must_use]
    pub const fn of(manufacturer: u16, implementation: u16, masks: u8) -> Self {
        Self((manufacturer as u64) << 48 | (implementation as u64) << 32 | (masks as u64) << 24 | 5 << 8 | 7)
    }

    /// Returns the contents of the register.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Returns the manufacturer.
    #[must_use]
    pub const fn manufacturer(self) -> u16 {
        (self.0 >> 48) as u16
    }

    /// Returns the implementation, which identifies the kind of processor.
    #[must_use]
    pub const fn implementation(self) -> u16 {
        (self.0 >> 32) as u16
    }

    /// Returns the revision of the masks.
    #[must_use]
    pub const fn masks(self) -> u8 {
        (self.0 >> 24) as u8
    }
}

impl fmt::Debug for Ver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%ver {:#018x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blackbird as QEMU has it (target/sparc/cpu.c, "TI-UltraSparc-II").
    #[test]
    fn a_version_is_decoded_as_it_was_made() {
        let ver = Ver::from_bits(0x0017_0011_2000_0507);
        assert_eq!(Ver::of(0x17, 0x11, 0x20), ver);
        assert_eq!((ver.manufacturer(), ver.implementation(), ver.masks()), (0x17, 0x11, 0x20));
        assert_eq!(format!("{ver:?}"), "%ver 0x0017001120000507");
    }
}
