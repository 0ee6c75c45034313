//! Halves of 64-bit registers, which are accessed by 32-bit words where the unit is mapped into memory.

/// The half of a register that a word is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// Bits 0 to 31.
    Low,
    /// Bits 32 to 63.
    High,
}

impl Half {
    /// Returns the word at its position in the register.
    #[must_use]
    pub const fn place(self, word: u32) -> u64 {
        match self {
            Self::Low => word as u64,
            Self::High => (word as u64) << 32,
        }
    }

    /// Returns this half of a register.
    #[must_use]
    pub const fn of(self, register: u64) -> u32 {
        match self {
            Self::Low => register as u32,
            Self::High => (register >> 32) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_half_comes_back_from_its_place() {
        assert_eq!([Half::Low, Half::High].map(|half| half.of(half.place(0x89AB_CDEF))), [0x89AB_CDEF; 2]);
        assert_eq!((Half::Low.of(0x1_0000_0002), Half::High.of(0x1_0000_0002)), (2, 1));
    }
}
