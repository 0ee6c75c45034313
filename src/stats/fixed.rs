//! A number with a fraction that needs no floating point: the type of statistical results.

use core::fmt::{self, Write};

use super::wide::{self, Wide};

/// A non-negative number with 128 bits before the point and 64 bits after it.
///
/// Unless a function says otherwise, its result is the exact value rounded to the nearest 2^-64.
/// [`fmt::Display`] prints as many digits after the point as the precision says, or six without one, as the
/// PMC library did. It rounds to the nearest, half up. Width, fill, alignment, sign and leading zeros work as
/// for integers. After 64 digits all others are zeros.
///
/// ```
/// use pmu::stats::Fixed;
///
/// let third = Fixed::ratio(1, 3).unwrap();
/// assert_eq!(format!("{third} {third:.2} {third:>8.0}"), "0.333333 0.33        0");
/// assert_eq!(Fixed::ratio(1, 0), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Fixed {
    whole: u128,
    fraction: u64,
}

/// How many digits are printed without a precision.
const DIGITS: usize = 6;

impl Fixed {
    /// The number 0.
    pub const ZERO: Self = Self { whole: 0, fraction: 0 };

    /// Creates a whole number.
    #[must_use]
    pub const fn whole(number: u128) -> Self {
        Self { whole: number, fraction: 0 }
    }

    /// Returns `numerator` / `denominator`, or `None` if `denominator` is 0.
    #[must_use]
    pub fn ratio(numerator: u128, denominator: u128) -> Option<Self> {
        let wide = [wide::low_word(numerator), wide::high_word(numerator), 0, 0];
        Self::divided(wide, denominator)
    }

    /// Returns the integer part.
    #[must_use]
    pub const fn trunc(self) -> u128 {
        self.whole
    }

    /// Returns the fraction, in units of 2^-64.
    #[must_use]
    pub const fn fract(self) -> u64 {
        self.fraction
    }

    /// Returns `number` times both `factors`, divided by `denominator`, or `None` if `denominator` is 0.
    pub(crate) fn of_product(number: u128, [one, other]: [u64; 2], denominator: u128) -> Option<Self> {
        let factor = u128::from(one) * u128::from(other);
        Self::divided(wide::product_of(number, factor), denominator)
    }

    pub(super) fn divided(numerator: Wide, denominator: u128) -> Option<Self> {
        (denominator != 0).then(|| Self::from_bits(wide::quotient(numerator, denominator)))
    }

    /// Creates a number from units of 2^-64.
    const fn from_bits(bits: Wide) -> Self {
        Self { whole: (bits[2] as u128) << 64 | bits[1] as u128, fraction: bits[0] }
    }

    /// Returns the square root, rounded down to a multiple of 2^-64.
    #[must_use]
    pub fn root(self) -> Self {
        // sqrt(v 2^-64) = sqrt(v 2^64) 2^-64
        let shifted = [0, self.fraction, wide::low_word(self.whole), wide::high_word(self.whole)];
        let root = wide::root(shifted);
        Self { whole: root >> 64, fraction: wide::low_word(root) }
    }

    /// Returns the digits after the point, one at a time.
    fn digits(self) -> impl Iterator<Item = u8> {
        let mut rest = self.fraction;
        core::iter::repeat_with(move || {
            let next = u128::from(rest) * 10;
            rest = wide::low_word(next);
            wide::high_word(next) as u8
        })
    }

    /// Returns what rounding to `digits` digits changes: the last digit that is not a 9.
    fn rounding(self, digits: usize) -> Rounding {
        let rounds_up = self.digits().nth(digits).is_some_and(|next| next >= 5);
        match self.digits().take(digits).enumerate().filter(|&(_, digit)| digit != 9).last() {
            _ if !rounds_up => Rounding::None,
            Some((place, _)) => Rounding::Digit(place),
            None => Rounding::Whole,
        }
    }
}

/// What rounding up changes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounding {
    /// Nothing: the number is rounded down.
    None,
    /// The digit at this place after the point. The digits after it become 0.
    Digit(usize),
    /// The integer part. All digits become 0.
    Whole,
}

impl Rounding {
    fn apply(self, place: usize, digit: u8) -> u8 {
        match self {
            Self::Digit(last) if place == last => digit + 1,
            Self::Digit(last) if place > last => 0,
            Self::Whole => 0,
            _ => digit,
        }
    }
}

impl From<u64> for Fixed {
    fn from(number: u64) -> Self {
        Self::whole(number.into())
    }
}

impl fmt::Display for Fixed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = f.precision().unwrap_or(DIGITS);
        let rounding = self.rounding(digits);
        let whole = self.whole.saturating_add(u128::from(rounding == Rounding::Whole));
        let point = usize::from(digits > 0);
        let sign = if f.sign_plus() { "+" } else { "" };
        let length = sign.len() + whole.checked_ilog10().map_or(1, |tens| tens as usize + 1) + point + digits;
        let padding = Padding::of(f, length);
        padding.before(f)?;
        f.write_str(sign)?;
        padding.zeros(f)?;
        write!(f, "{whole}{}", if digits > 0 { "." } else { "" })?;
        let mut places = self.digits().take(digits).enumerate();
        places.try_for_each(|(place, digit)| f.write_char(char::from(b'0' + rounding.apply(place, digit))))?;
        padding.after(f)
    }
}

/// What a format puts around so many characters.
struct Padding {
    fill: char,
    before: usize,
    zeros: usize,
    after: usize,
}

impl Padding {
    fn of(f: &fmt::Formatter<'_>, length: usize) -> Self {
        let missing = f.width().unwrap_or(0).saturating_sub(length);
        let (before, zeros, after) = match f.align() {
            _ if f.sign_aware_zero_pad() => (0, missing, 0),
            Some(fmt::Alignment::Left) => (0, 0, missing),
            Some(fmt::Alignment::Center) => (missing / 2, 0, missing - missing / 2),
            Some(fmt::Alignment::Right) | None => (missing, 0, 0),
        };
        Self { fill: f.fill(), before, zeros, after }
    }

    fn before(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.before).try_for_each(|_| f.write_char(self.fill))
    }

    /// Writes the zeros between the sign and the number.
    fn zeros(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.zeros).try_for_each(|_| f.write_char('0'))
    }

    fn after(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (0..self.after).try_for_each(|_| f.write_char(self.fill))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: u128, denominator: u128) -> Fixed {
        Fixed::ratio(numerator, denominator).expect("the denominator is not 0")
    }

    #[test]
    fn digits_are_rounded_to_the_nearest_as_far_as_they_are_printed() {
        let number = ratio(1_999_996, 1_000_000);
        assert_eq!(format!("{number:.6} {number:.5} {number:.1} {number:.0}"), "1.999996 2.00000 2.0 2");
        assert_eq!(format!("{:.1} {:.2}", ratio(1, 4), ratio(1, 4)), "0.3 0.25");
        assert_eq!(format!("{:.3}", ratio(9_994, 10_000)), "0.999");
    }

    #[test]
    fn any_number_of_digits_is_printed() {
        let eighth = format!("{:.80}", ratio(1, 8));
        assert_eq!(eighth.trim_end_matches('0'), "0.125");
        assert_eq!(eighth.len(), 82);
        assert_eq!(format!("{:.19}", ratio(1, 3)), "0.3333333333333333333");
    }

    #[test]
    fn width_and_alignment_are_those_of_the_format() {
        let half = ratio(3, 2);
        assert_eq!(format!("{half:16.6}|{half:<8.1}|{half:*^7.1}|{half:1.1}"), "        1.500000|1.5     |**1.5**|1.5");
    }

    #[test]
    fn zeros_lead_and_a_sign_is_printed_if_the_format_wants_them() {
        let number = ratio(314_159, 100_000);
        assert_eq!(
            format!("{number:08.2}|{number:+.2}|{number:+08.2}|{number:<08.2}"),
            "00003.14|+3.14|+0003.14|00003.14"
        );
        assert_eq!(format!("{number:03.2}|{number:0>8.2}|{number:>+8.2}"), "3.14|00003.14|   +3.14");
        let integer = 3;
        assert_eq!(format!("{:+05.0}|{:*<05.0}", number, number), format!("{integer:+05}|{integer:*<05}"));
    }

    #[test]
    fn a_root_is_right_to_its_last_bit() {
        let two = Fixed::whole(2).root();
        assert_eq!(format!("{two:.18}"), "1.414213562373095049");
        assert_eq!(Fixed::whole(u128::MAX).root().trunc(), u128::from(u64::MAX));
        assert_eq!(Fixed::ZERO.root(), Fixed::ZERO);
    }
}
