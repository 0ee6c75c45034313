//! The special-purpose registers of Book3S 64's unit.
//!
//! Source: Power ISA 3.1 Book III, "Performance Monitor Facility", and its table of special-purpose
//! registers; the numbers are the same from POWER4 on.

use crate::arch::powerpc::Spr;
use crate::event::CounterId;

/// The number of counters that have addresses: PMC1 to PMC8. POWER5 and later have six.
pub(super) const COUNTERS: u8 = 8;

/// PMC1.
const FIRST_COUNTER: u16 = 787;

/// The registers of Book3S 64.
impl Spr {
    /// The control of all counters.
    pub const MMCR0: Self = Self::at(795);
    /// The selectors of the counters.
    pub const MMCR1: Self = Self::at(798);
    /// The states in which each counter counts; from POWER8 on.
    pub const MMCR2: Self = Self::at(785);
    /// The sources of the counted events; from POWER10 on.
    pub const MMCR3: Self = Self::at(754);
    /// The instructions that are marked, and the comparison with a threshold.
    pub const MMCRA: Self = Self::at(786);
    /// The address of the sampled instruction.
    pub const SIAR: Self = Self::at(796);
    /// The address of the sampled data.
    pub const SDAR: Self = Self::at(797);
    /// What is known about the sampled instruction; from POWER8 on.
    pub const SIER: Self = Self::at(784);

    /// Returns a counter of Book3S 64. Counter 0 is PMC1; POWER4 and the 970 have eight, later processors six.
    #[inline(always)]
    #[must_use]
    pub const fn pmc(counter: CounterId) -> Self {
        Self::at(FIRST_COUNTER + (counter.number() & 7) as u16)
    }
}
