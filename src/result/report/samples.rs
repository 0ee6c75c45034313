//! What all tables of samples share: a title, rows with their part of all samples, and sums.

use core::fmt;

use crate::result::profile::{ImageId, Place, Resolver};
use crate::stats::Fixed;

/// A table that is being printed.
pub(super) struct Rows<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    total: u64,
    left_out: u64,
    shown: u64,
}

impl<'a, 'f> Rows<'a, 'f> {
    /// Prints the title of a table of `total` samples, of which `left_out` had no room.
    pub(super) fn begin(f: &'a mut fmt::Formatter<'f>, total: u64, left_out: u64) -> Result<Self, fmt::Error> {
        writeln!(f, "{:>10} {:>8}  symbol", "samples", "percent")?;
        Ok(Self { f, total, left_out, shown: 0 })
    }

    /// Prints a row.
    pub(super) fn row(&mut self, samples: u64, what: impl fmt::Display) -> fmt::Result {
        self.shown = self.shown.saturating_add(samples);
        self.detail(samples, what)
    }

    /// Prints a row about samples that an earlier row has counted.
    pub(super) fn detail(&mut self, samples: u64, what: impl fmt::Display) -> fmt::Result {
        let percent = percent(samples, self.total);
        writeln!(self.f, "{samples:>10} {percent:>8.2}  {what}")
    }

    /// Prints the sums: of `more` rows that were not printed, of the samples that had no room, and of all.
    pub(super) fn end(mut self, more: usize) -> fmt::Result {
        let (total, left_out) = (self.total, self.left_out);
        if more > 0 {
            let hidden = total.saturating_sub(left_out).saturating_sub(self.shown);
            self.detail(hidden, format_args!("({more} more)"))?;
        }
        if left_out > 0 {
            self.detail(left_out, "(no room)")?;
        }
        self.detail(total, "(all)")
    }
}

/// Returns the percentage that `samples` are of `all`, or 0 if `all` is 0.
pub(super) fn percent(samples: u64, all: u64) -> Fixed {
    Fixed::ratio(u128::from(samples) * 100, all.into()).unwrap_or_default()
}

/// A percentage as opreport prints it: 4 digits after the point, 7 characters wide. One that rounds to 100 has 3 digits,
/// one up to 0.001 is in scientific notation, and none is `0`.
pub(super) struct Percent {
    pub(super) samples: u64,
    pub(super) all: u64,
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (samples, all) = (u128::from(self.samples), u128::from(self.all));
        match percent(self.samples, self.all) {
            _ if samples == 0 || all == 0 => write!(f, "{:>7}", 0),
            _ if samples * 100_000 <= all => scientific(f, samples * 100, all),
            percent if samples * 2_000_000 >= all * 1_999_999 => write!(f, "{percent:>7.3}"),
            percent => write!(f, "{percent:>7.4}"),
        }
    }
}

/// Prints a ratio that is below 1 and not 0, with two digits and an exponent.
fn scientific(f: &mut fmt::Formatter<'_>, dividend: u128, divisor: u128) -> fmt::Result {
    let (mut dividend, mut exponent) = (dividend, 0);
    // Rounded to two digits it is 1.0 or more.
    while dividend * 200 < divisor * 199 {
        (dividend, exponent) = (dividend * 10, exponent + 1);
    }
    let tenths = (dividend * 20 + divisor) / (divisor * 2);
    write!(f, "{}.{}e-{exponent:02}", tenths / 10, tenths % 10)
}

/// A function's name, or its address if the name is not known.
pub(super) struct Name<'a, R: ?Sized> {
    /// A place in the function.
    pub(super) place: Place,
    /// Knows the name.
    pub(super) resolver: &'a R,
}

impl<R: Resolver + ?Sized> fmt::Display for Name<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.resolver.resolve(self.place) {
            Some(symbol) => f.write_str(symbol.name),
            None => write!(f, "{:#018x} ?", self.place.address),
        }
    }
}

/// A function's name behind that of its image, if that has one, as DTrace prints them: ``image`function``.
pub(super) struct FullName<'a, R: ?Sized>(pub(super) Name<'a, R>);

impl<R: Resolver + ?Sized> fmt::Display for FullName<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Name { place, resolver } = self.0;
        write!(f, "{}{}", Prefix { image: place.image, resolver }, self.0)
    }
}

/// What stands before the name of a function of this image.
pub(super) struct Prefix<'a, R: ?Sized> {
    pub(super) image: ImageId,
    pub(super) resolver: &'a R,
}

impl<R: Resolver + ?Sized> fmt::Display for Prefix<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.resolver.image(self.image).map_or(Ok(()), |image| write!(f, "{image}`"))
    }
}

/// The name of an image, or its number if it has no name.
pub(super) struct ImageName<'a, R: ?Sized> {
    pub(super) image: ImageId,
    pub(super) resolver: &'a R,
}

impl<R: Resolver + ?Sized> fmt::Display for ImageName<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.resolver.image(self.image) {
            Some(name) => f.pad(name),
            None => self.image.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentages_are_as_wide_as_opreports() {
        let text = |samples, all| Percent { samples, all }.to_string();
        assert_eq!([text(1, 1), text(1, 2), text(1, 30), text(0, 5)], ["100.000", "50.0000", " 3.3333", "      0"]);
        assert_eq!([text(0, 0), text(99_999_999, 100_000_000)], ["      0", "100.000"]);
        assert_eq!([text(9_999_999, 10_000_000), text(999_999, 1_000_000)], ["100.000", "99.9999"]);
        assert_eq!([text(11, 1_000_000), text(1, 100_000)], [" 0.0011", "1.0e-03"]);
        assert_eq!([text(1, 300_000), text(1, u64::MAX), text(996, 1_000_000_000)], ["3.3e-04", "5.4e-18", "1.0e-04"]);
    }
}
