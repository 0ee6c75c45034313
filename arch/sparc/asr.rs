//! The ancillary state registers of a unit, which RD and WR access.
//!
//! Sources: "SPARC Joint Programming Specification (JPS1): Commonality", sections 5.2.11, "Ancillary State Registers",
//! and Q, "Performance Instrumentation"; "OpenSPARC T2 Programmer's Reference Manual", chapter 10, "Performance
//! Instrumentation", for the same numbers on the later processors.

use core::fmt;

/// A register of the unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asr {
    /// The control of both counters (%pcr, ASR 16).
    Pcr,
    /// Both counters: pic0 in the lower half, pic1 in the upper (%pic, ASR 17).
    Pic,
}

impl Asr {
    /// Returns the register with this number, if it belongs to a unit. For hypervisors, whose guests use any number.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        match number {
            16 => Some(Self::Pcr),
            17 => Some(Self::Pic),
            _ => None,
        }
    }

    /// Returns the number that is part of the instruction.
    #[must_use]
    pub const fn number(self) -> u8 {
        match self {
            Self::Pcr => 16,
            Self::Pic => 17,
        }
    }
}

impl fmt::Debug for Asr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pcr => "%pcr",
            Self::Pic => "%pic",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_register_is_found_by_its_number_and_no_other_number_is_one() {
        for at in [Asr::Pcr, Asr::Pic] {
            assert_eq!(Asr::from_number(at.number()), Some(at));
        }
        assert_eq!((0..=255).filter_map(Asr::from_number).count(), 2);
    }
}
