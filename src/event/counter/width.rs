//! The width of a counter, where it overflows, and how to preset it.

/// The number of events until a counter overflows; at least 1.
///
/// Drivers compute the start value from it. No other code writes `-n`, `!n` or `MAX - n`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Remaining(u64);

impl Remaining {
    /// Creates a number of events; 0 becomes 1.
    #[inline(always)]
    #[must_use]
    pub const fn events(count: u64) -> Self {
        Self(if count == 0 { 1 } else { count })
    }

    /// Returns the number of events.
    #[inline(always)]
    #[must_use]
    pub const fn count(self) -> u64 {
        self.0
    }
}

/// The width of a counter, and the value at which it overflows.
///
/// Most counters overflow when they wrap to 0; those of MIPS and POWER when their top bit becomes 1, half-way
/// through the modulus. Both are treated alike: the signed distance from the overflow value does not jump at
/// an overflow, whether or not the interrupt has been handled. [`Width::position`] is that distance plus half
/// the modulus. It is never negative, and takes one exclusive or to compute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width {
    /// The position at which the counter overflows: half the modulus.
    longest: u64,
    /// Converts a raw value to its position, by exclusive or.
    flip: u64,
}

impl Width {
    /// Creates a counter of `bits` bits that overflows when it wraps to 0. Returns `None` unless 1 <= `bits` <= 64.
    #[must_use]
    pub const fn wrapping(bits: u32) -> Option<Self> {
        match bits {
            1..=64 => {
                let longest = 1 << (bits - 1);
                Some(Self { longest, flip: longest })
            }
            _ => None,
        }
    }

    /// Creates a counter of `bits` bits that overflows when its top bit becomes 1. Returns `None` unless
    /// 1 <= `bits` <= 64.
    #[must_use]
    pub const fn top_bit(bits: u32) -> Option<Self> {
        match Self::wrapping(bits) {
            Some(width) => Some(Self { flip: 0, ..width }),
            None => None,
        }
    }

    /// Returns the width with this [`Width::longest`], and whether it overflows when it wraps.
    #[inline(always)]
    pub(crate) const fn of(longest: u64, wraps: bool) -> Self {
        Self { longest, flip: if wraps { longest } else { 0 } }
    }

    /// Returns the number of bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        64 - self.longest.leading_zeros()
    }

    /// Returns the bits as a mask.
    #[inline(always)]
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.longest.wrapping_mul(2).wrapping_sub(1)
    }

    /// Returns the value that converts a raw value to a position by exclusive or. User programs need it.
    #[inline(always)]
    #[must_use]
    pub const fn flip(self) -> u64 {
        self.flip
    }

    /// Returns half the modulus: the longest period, and the position at which the counter overflows.
    #[inline(always)]
    #[must_use]
    pub const fn longest(self) -> u64 {
        self.longest
    }

    /// Returns the signed distance from the overflow value, plus [`Width::longest`].
    #[inline(always)]
    #[must_use]
    pub const fn position(self, raw: u64) -> u64 {
        raw ^ self.flip
    }

    /// Returns the raw value from which `remaining` events overflow the counter.
    #[inline(always)]
    #[must_use]
    pub const fn start(self, remaining: Remaining) -> u64 {
        (self.longest ^ self.flip).wrapping_sub(remaining.0) & self.mask()
    }

    /// Returns how many events the counter is past its overflow, or `None` if it has not overflowed.
    #[inline(always)]
    #[must_use]
    pub const fn past(self, raw: u64) -> Option<u64> {
        self.position(raw).checked_sub(self.longest)
    }

    /// Returns the number of events from one raw value to a later one, modulo 2^bits.
    #[inline(always)]
    #[must_use]
    pub const fn delta(self, from: u64, to: u64) -> u64 {
        to.wrapping_sub(from) & self.mask()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILIES: [Option<Width>; 5] =
        [Width::wrapping(32), Width::wrapping(40), Width::wrapping(48), Width::wrapping(64), Width::top_bit(32)];

    #[test]
    fn a_start_value_is_exactly_n_events_before_the_overflow() {
        for width in FAMILIES.into_iter().flatten() {
            for n in [1, 2, 3, 1000, width.longest() - 1, width.longest()] {
                let start = width.start(Remaining::events(n));
                let before = start.wrapping_add(n - 1) & width.mask();
                let after = start.wrapping_add(n) & width.mask();
                assert_eq!((width.past(before), width.past(after)), (None, Some(0)), "{width:?} {n}");
            }
        }
    }

    #[test]
    fn a_position_is_continuous_across_the_overflow() {
        for width in FAMILIES.into_iter().flatten() {
            let start = width.start(Remaining::events(2));
            let walk = [0, 1, 2, 3].map(|n| width.position(start.wrapping_add(n) & width.mask()));
            assert_eq!(walk.map(|position| position - walk[0]), [0, 1, 2, 3]);
        }
    }

    #[test]
    fn a_delta_survives_a_wrap() {
        let width = Width::wrapping(40).unwrap();
        assert_eq!(width.delta(0xFF_FFFF_FFFE, 3), 5);
    }

    #[test]
    fn where_x86_fires_at_zero_power_fires_at_two_to_the_31st() {
        assert_eq!(Width::wrapping(32).unwrap().start(Remaining::events(1)), 0xFFFF_FFFF);
        assert_eq!(Width::top_bit(32).unwrap().start(Remaining::events(1)), 0x7FFF_FFFF);
    }

    #[test]
    fn widths_that_no_register_has_are_refused() {
        assert_eq!((Width::wrapping(0), Width::wrapping(65), Width::top_bit(0)), (None, None, None));
    }
}
