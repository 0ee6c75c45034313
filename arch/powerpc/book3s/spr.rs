//! Which special-purpose registers Book3S 64's unit is reached through.
//!
//! Source: Power ISA 3.1 Book III, "Performance Monitor Facility", and its table of special-purpose
//! registers; the numbers are the same from POWER4 on.

use crate::arch::powerpc::Spr;
use crate::counter::CounterId;

/// How many counters have addresses: PMC1 to PMC8, of which POWER5 and later have six.
pub const COUNTERS: u8 = 8;

/// What controls all counters.
pub const MMCR0: Spr = Spr::at(795);
/// What the counters count.
pub const MMCR1: Spr = Spr::at(798);
/// Where each counter counts; from POWER8 on.
pub const MMCR2: Spr = Spr::at(785);
/// Which source of an event the counters count; from POWER10 on.
pub const MMCR3: Spr = Spr::at(754);
/// Which instructions are marked, and what is compared with a threshold.
pub const MMCRA: Spr = Spr::at(786);
/// The address of the instruction that was sampled.
pub const SIAR: Spr = Spr::at(796);
/// The address of the datum that was sampled.
pub const SDAR: Spr = Spr::at(797);
/// What is known of the instruction that was sampled; from POWER8 on.
pub const SIER: Spr = Spr::at(784);

const FIRST_COUNTER: u16 = 787;

/// A counter: counter 0 is PMC1.
#[inline(always)]
#[must_use]
pub const fn pmc(counter: CounterId) -> Spr {
    Spr::at(FIRST_COUNTER + (counter.number() & 7) as u16)
}
