//! The numbers of the counters.
//!
//! The counters that count any event have the numbers of their registers, 3 to 31. mcycle and minstret, which count one event
//! each, are 32 and 34, as fixed counters are elsewhere: placement prefers the highest number, so that the others stay free.

use crate::event::{CounterId, CounterSet};

/// mcycle.
pub(super) const CYCLES: CounterId = CounterId::new(32).expect("numbers go to 63");
/// minstret.
pub(super) const INSTRUCTIONS: CounterId = CounterId::new(34).expect("numbers go to 63");

/// mcycle and minstret.
pub(super) const FIXED: CounterSet = CounterSet::from_bits(0b101 << 32);
/// The others.
pub(super) const PROGRAMMABLE: CounterSet = CounterSet::from_bits(0xFFFF_FFF8);
/// All counters.
pub(super) const COUNTERS: CounterSet = PROGRAMMABLE.or(FIXED);

/// Returns the bits of these counters in mcountinhibit, mcounteren and scountovf: those of their registers' numbers.
#[inline(always)]
pub(super) const fn to_register(counters: CounterSet) -> u64 {
    (counters.bits() | counters.bits() >> 32) & 0xFFFF_FFFF
}

/// Returns the counters whose bits are set in mcountinhibit, mcounteren or scountovf.
#[inline(always)]
pub(super) const fn from_register(bits: u64) -> CounterSet {
    CounterSet::from_bits(bits & PROGRAMMABLE.bits() | (bits & 0b101) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_counter_has_its_bit_and_the_clock_has_none() {
        assert_eq!(to_register(COUNTERS), 0xFFFF_FFFD);
        assert_eq!(from_register(u64::MAX), COUNTERS);
        assert_eq!(from_register(0b1101), CYCLES.only().or(INSTRUCTIONS.only()).or(CounterSet::from_bits(8)));
    }
}
