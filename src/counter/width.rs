//! How wide a counter is, where it overflows, and what to preset it to.

/// How many events from now until a counter overflows; at least 1.
///
/// Drivers turn it into a start value. Nobody else writes `-n`, `!n` or `MAX - n`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Remaining(u64);

impl Remaining {
    /// This many events; 0 is taken as 1, the nearest count that ends.
    #[inline(always)]
    #[must_use]
    pub const fn events(count: u64) -> Self {
        Self(if count == 0 { 1 } else { count })
    }

    /// The number of events.
    #[inline(always)]
    #[must_use]
    pub const fn count(self) -> u64 {
        self.0
    }
}

/// How wide a counter is, and where it overflows: its modulus, and the value that fires.
///
/// Most units fire as the counter wraps to 0; MIPS and POWER fire as the top bit sets, half-way
/// through the modulus. Both are made alike here: a counter starts below the firing value and,
/// seen as a signed distance from it, is continuous across the overflow, whether or not the
/// interrupt was serviced yet. [`Width::position`] is that distance plus half the modulus, so it
/// is never negative, and it costs one exclusive or.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width {
    /// All bits that the counter has.
    mask: u64,
    /// Maps a raw value to its position.
    flip: u64,
    /// The raw value that fires, kept because every preset is a distance from it.
    fires: u64,
    /// The position that fires, kept because every interrupt compares with it.
    longest: u64,
}

impl Width {
    /// A counter of `bits` bits that fires as it wraps to 0; `None` unless 1 <= `bits` <= 64.
    #[must_use]
    pub const fn wrapping(bits: u32) -> Option<Self> {
        match bits {
            1..=64 => {
                let longest = 1 << (bits - 1);
                Some(Self { mask: u64::MAX >> (64 - bits), flip: longest, fires: 0, longest })
            }
            _ => None,
        }
    }

    /// A counter of `bits` bits that fires as its top bit sets; `None` unless 1 <= `bits` <= 64.
    #[must_use]
    pub const fn top_bit(bits: u32) -> Option<Self> {
        match Self::wrapping(bits) {
            Some(width) => Some(Self { flip: 0, fires: width.longest, ..width }),
            None => None,
        }
    }

    /// How many bits the counter has.
    #[must_use]
    pub const fn bits(self) -> u32 {
        64 - self.mask.leading_zeros()
    }

    /// The bits themselves, as a mask.
    #[inline(always)]
    #[must_use]
    pub const fn mask(self) -> u64 {
        self.mask
    }

    /// What turns a raw value into a position, by exclusive or: what a user-mode reader needs.
    #[inline(always)]
    #[must_use]
    pub const fn flip(self) -> u64 {
        self.flip
    }

    /// Half the modulus: the longest period that stays continuous, and the position that fires.
    #[inline(always)]
    #[must_use]
    pub const fn longest(self) -> u64 {
        self.longest
    }

    /// The signed distance from the firing value, plus [`Width::longest`].
    #[inline(always)]
    #[must_use]
    pub const fn position(self, raw: u64) -> u64 {
        raw ^ self.flip
    }

    /// The raw value from which `remaining` events overflow the counter.
    #[inline(always)]
    #[must_use]
    pub const fn start(self, remaining: Remaining) -> u64 {
        self.fires.wrapping_sub(remaining.0) & self.mask
    }

    /// How many events the counter is past its overflow; `None` if it has not overflowed.
    #[inline(always)]
    #[must_use]
    pub const fn past(self, raw: u64) -> Option<u64> {
        self.position(raw).checked_sub(self.longest)
    }

    /// How many events from one raw value to a later one, up to the modulus.
    #[inline(always)]
    #[must_use]
    pub const fn delta(self, from: u64, to: u64) -> u64 {
        to.wrapping_sub(from) & self.mask
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
