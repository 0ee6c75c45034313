//! What all tables of samples share: a title, rows with their part of all samples, and sums.

use core::fmt;

use crate::result::profile::Resolver;
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

/// A function's name, or its address if the name is not known.
pub(super) struct Name<'a, R: ?Sized> {
    /// An address in the function.
    pub(super) address: u64,
    /// Knows the name.
    pub(super) resolver: &'a R,
}

impl<R: Resolver + ?Sized> fmt::Display for Name<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.resolver.resolve(self.address) {
            Some(symbol) => f.write_str(symbol.name),
            None => write!(f, "{:#018x} ?", self.address),
        }
    }
}
