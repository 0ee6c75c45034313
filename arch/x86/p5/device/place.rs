//! Maps addresses to the registers of the unit, and says which bits each has.

use crate::arch::x86::Msr;
use crate::arch::x86::p5::{Capabilities, Cesr};
use crate::event::CounterId;

/// What the units of the family differ in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Whether there is RDPMC.
    pub(super) has_mmx: bool,
}

/// A register of the unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// CESR.
    Control,
    /// CTR0 or CTR1.
    Counter(CounterId),
}

const FIRST: CounterId = CounterId::ZERO;
const SECOND: CounterId = CounterId::new(1).expect("counters are numbered to 63");

impl Place {
    /// Returns the register at an address, or `None` if it is not the unit's.
    #[inline(always)]
    pub(super) const fn of(at: Msr) -> Option<Self> {
        match at.address() {
            0x11 => Some(Self::Control),
            0x12 => Some(Self::Counter(FIRST)),
            0x13 => Some(Self::Counter(SECOND)),
            _ => None,
        }
    }

    /// Returns the bits of the register.
    #[inline(always)]
    pub(super) const fn bits(self) -> u64 {
        match self {
            Self::Control => Cesr::ALL.bits(),
            Self::Counter(_) => Capabilities::WIDTH.mask(),
        }
    }
}
