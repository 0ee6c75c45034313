//! A profile by image and symbol, as OProfile prints it.

use core::fmt;

use super::ProfileReport;
use super::opreport::Columns;
use super::samples::Percent;
use crate::result::profile::{Hits, Place, Profile, Resolver};

/// A profile as a symbol summary, in the layout of `opreport -l` (OProfile manual, "Image summaries and symbol
/// summaries").
///
/// ```text
/// samples  %        image name               symbol name
/// 860       7.4607  kernel                   copy
/// 397       3.4441  init                     main
/// ```
/// There is a column for images if the samples are of several. An image without a name is printed as its number.
/// Samples of no known symbol are summed up, for each part of an image that is between symbols, as `(no symbols)`. Rows
/// with the same number of samples are sorted by address. Rows that are not shown, and samples that had no room, are
/// summed up in lines that OProfile does not have, at the end. [`OpreportHeader`](super::OpreportHeader) has the lines that
/// `opreport` prints before the table.
///
/// Its cost is that of [`ProfileReport`], and the places are read once more.
#[derive(Debug)]
pub struct SymbolSummary<'a, R: ?Sized, const N: usize, const K: usize = N> {
    report: ProfileReport<'a, R, N, K>,
    profile: &'a Profile<N>,
    resolver: &'a R,
    addresses: Addresses,
}

/// Whether a table has a column for addresses.
#[derive(Clone, Copy, Debug)]
enum Addresses {
    Hidden,
    Shown,
}

impl<R: ?Sized, const N: usize, const K: usize> Clone for SymbolSummary<'_, R, N, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, const N: usize, const K: usize> Copy for SymbolSummary<'_, R, N, K> {}

impl<'a, R: Resolver + ?Sized, const N: usize> SymbolSummary<'a, R, N> {
    /// Creates a summary of all symbols.
    #[must_use]
    pub const fn new(profile: &'a Profile<N>, resolver: &'a R) -> Self {
        let report = ProfileReport::by_symbol(profile, resolver);
        Self { report, profile, resolver, addresses: Addresses::Hidden }
    }

    /// Limits the summary to `K` symbols. The others are summed up in one row.
    #[must_use]
    pub const fn top<const K: usize>(self) -> SymbolSummary<'a, R, N, K> {
        let Self { report, profile, resolver, addresses } = self;
        SymbolSummary { report: report.top(), profile, resolver, addresses }
    }
}

impl<R: Resolver + ?Sized, const N: usize, const K: usize> SymbolSummary<'_, R, N, K> {
    /// Adds a column with the addresses where the symbols start, as `opreport --show-address` does: `vma`, of 8 digits,
    /// or of 16 if one has more than 32 bits.
    #[must_use]
    pub const fn show_addresses(self) -> Self {
        Self { addresses: Addresses::Shown, ..self }
    }

    fn columns(&self) -> Columns {
        let places = || self.profile.hits().iter().map(|hits| hits.place);
        let columns = Columns::of(places());
        match self.addresses {
            Addresses::Hidden => columns,
            Addresses::Shown => columns.with_addresses(places().map(|place| place.address)),
        }
    }

    fn print(&self, f: &mut fmt::Formatter<'_>, columns: Columns, hits: Hits) -> fmt::Result {
        let Hits { place, samples } = hits;
        let symbol = self.resolver.resolve(place);
        let place = Place { address: symbol.map_or(place.address, |symbol| symbol.start), ..place };
        columns.row(f, place, self.percent(samples), symbol.map_or("(no symbols)", |symbol| symbol.name), self.resolver)
    }

    fn percent(&self, samples: u64) -> Percent {
        Percent { samples, all: self.profile.total() }
    }
}

impl<R: Resolver + ?Sized, const N: usize, const K: usize> fmt::Display for SymbolSummary<'_, R, N, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = self.columns();
        columns.title(f)?;
        let first = self.report.first();
        let (more, mut rest) = (first.more(), self.profile.total().saturating_sub(self.profile.left_out()));
        first.into_rows().try_for_each(|hits| {
            rest = rest.saturating_sub(hits.samples);
            self.print(f, columns, hits)
        })?;
        if more > 0 {
            columns.note(f, self.percent(rest), format_args!("({more} more)"))?;
        }
        match self.profile.left_out() {
            0 => Ok(()),
            left_out => columns.note(f, self.percent(left_out), "(no room)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result::profile::{ImageId, Nameless, Symbol};

    const SYMBOLS: [[Symbol; 2]; 2] = [
        [Symbol { name: "copy", start: 0xFFFF_8000 }, Symbol { name: "idle", start: 0xFFFF_9000 }],
        [Symbol { name: "main", start: 0x100 }, Symbol { name: "copy", start: 0x200 }],
    ];

    /// The kernel is image 0, and `init` image 1. Image 2 has neither a name nor symbols.
    struct Images;

    impl Resolver for Images {
        fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
            SYMBOLS.get(place.image.0 as usize)?[..].resolve(place.address.into())
        }

        fn image(&self, image: ImageId) -> Option<&str> {
            ["kernel", "init"].get(image.0 as usize).copied()
        }
    }

    fn profile<const N: usize>(hits: &[(u32, u64, u64)]) -> Profile<N> {
        let mut profile = Profile::new();
        hits.iter()
            .for_each(|&(image, address, samples)| profile.add(Place { image: ImageId(image), address }, samples));
        profile
    }

    #[test]
    fn samples_are_summed_up_by_image_and_symbol() {
        let hits =
            [(0, 0xFFFF_8004, 300), (0, 0xFFFF_8008, 400), (0, 0xFFFF_9000, 20), (1, 0x204, 200), (1, 0x110, 40)];
        let profile = profile::<8>(&[&hits[..], &[(2, 0x10, 30), (2, 0x20, 10)]].concat());
        let wanted = "samples  %        image name               symbol name
700      70.0000  kernel                   copy
200      20.0000  init                     copy
40        4.0000  2                        (no symbols)
40        4.0000  init                     main
20        2.0000  kernel                   idle
";
        assert_eq!(SymbolSummary::new(&profile, &Images).to_string(), wanted);
    }

    #[test]
    fn one_image_needs_no_column_and_addresses_are_the_symbols() {
        let profile = profile::<2>(&[(0, 0xFFFF_8004, 30), (0, 0xFFFF_8008, 70)]);
        let wanted = "vma      samples  %        symbol name\nffff8000 100      100.000  copy\n";
        assert_eq!(SymbolSummary::new(&profile, &Images).show_addresses().to_string(), wanted);
    }

    #[test]
    fn wide_addresses_have_16_digits_and_all_rows_one_width() {
        let profile = profile::<1>(&[(0, 0x1_0000_0000, 1), (0, 0x20, 1)]);
        let wanted = "vma      samples  %        symbol name\n\
                      0000000100000000 1        50.0000  (no symbols)\n                 1        50.0000  (no room)\n";
        assert_eq!(SymbolSummary::new(&profile, &Nameless).show_addresses().to_string(), wanted);
    }

    #[test]
    fn what_is_not_shown_is_summed_up_at_the_end() {
        let profile = profile::<3>(&[(0, 0xFFFF_8004, 60), (0, 0xFFFF_9004, 20), (1, 0x110, 10), (1, 0x210, 10)]);
        let wanted = "samples  %        image name               symbol name
60       60.0000  kernel                   copy
30       30.0000                           (2 more)
10       10.0000                           (no room)
";
        assert_eq!(SymbolSummary::new(&profile, &Images).top::<1>().to_string(), wanted);
    }

    #[test]
    fn no_samples_are_a_title_alone() {
        let text = SymbolSummary::new(&Profile::<4>::new(), &Nameless).to_string();
        assert_eq!(text, "samples  %        symbol name\n");
    }
}
