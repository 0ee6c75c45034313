//! A profile by address, by symbol or by image, in descending order of samples.

use core::cmp::Reverse;
use core::fmt;

use super::ranking::First;
use super::samples::{FullName, ImageName, Name, Prefix, Rows};
use crate::result::profile::{Hits, Place, Profile, Resolver, Symbol};

/// A profile as a table, with percentages of all samples.
///
/// ```text
///    samples  percent  symbol
///       1500    75.00  copy
///        400    20.00  idle
///         60     3.00  (12 more)
///         40     2.00  (no room)
///       2000   100.00  (all)
/// ```
/// By address, `copy` becomes `0xffff800000001088 copy+0x8`. Addresses between symbols are printed as the
/// first of them and `?`. If images have names, they stand before the symbols', as in ``init`copy``. A symbol that is
/// interrupted by another has a row for each part. Rows with the same number of samples are sorted by address.
/// Percentages are exact, and rounded to the nearest when they are printed.
///
/// Printing calls the resolver once for each address and once for each row, and its time grows as n log n
/// with the number of addresses. The rows are sorted on the stack, 24 bytes each. There are at most `K` of them,
/// which is `N` unless [`ProfileReport::top`] sets another limit.
#[derive(Debug)]
pub struct ProfileReport<'a, R: ?Sized, const N: usize, const K: usize = N> {
    profile: &'a Profile<N>,
    resolver: &'a R,
    rows: By,
}

impl<R: ?Sized, const N: usize, const K: usize> Clone for ProfileReport<'_, R, N, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: ?Sized, const N: usize, const K: usize> Copy for ProfileReport<'_, R, N, K> {}

/// What a row stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum By {
    Address,
    Symbol,
    Image,
}

/// The samples of a symbol, of an address or of an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ProfileRow<'a> {
    /// The first place that has samples.
    pub place: Place,
    /// The symbol of that place, if it is known.
    pub symbol: Option<Symbol<'a>>,
    /// The number of samples.
    pub samples: u64,
}

impl<'a, R: Resolver + ?Sized, const N: usize> ProfileReport<'a, R, N> {
    /// Creates a report with a row for each address.
    #[must_use]
    pub const fn by_address(profile: &'a Profile<N>, resolver: &'a R) -> Self {
        Self { profile, resolver, rows: By::Address }
    }

    /// Creates a report with a row for each symbol.
    #[must_use]
    pub const fn by_symbol(profile: &'a Profile<N>, resolver: &'a R) -> Self {
        Self { profile, resolver, rows: By::Symbol }
    }

    /// Creates a report with a row for each image.
    #[must_use]
    pub const fn by_image(profile: &'a Profile<N>, resolver: &'a R) -> Self {
        Self { profile, resolver, rows: By::Image }
    }

    /// Limits the report to `K` rows. The others are summed up in one row.
    #[must_use]
    pub const fn top<const K: usize>(self) -> ProfileReport<'a, R, N, K> {
        ProfileReport { profile: self.profile, resolver: self.resolver, rows: self.rows }
    }
}

impl<'a, R: Resolver + ?Sized, const N: usize, const K: usize> ProfileReport<'a, R, N, K> {
    /// Returns the rows that are printed, in descending order of samples, without the sums below them.
    pub fn rows(&self) -> impl Iterator<Item = ProfileRow<'a>> {
        let report = *self;
        self.first().into_rows().map(move |hits| report.row(hits))
    }

    /// Returns the rows that are printed, by samples, then by address and by image: no two are equal.
    pub(super) fn first(&self) -> First<Hits, K> {
        First::of(self.unsorted(), |row| (Reverse(row.samples), row.place.address, row.place.image))
    }

    fn row(&self, hits: Hits) -> ProfileRow<'a> {
        ProfileRow { place: hits.place, symbol: self.resolver.resolve(hits.place), samples: hits.samples }
    }

    fn print(&self, rows: &mut Rows<'_, '_>, Hits { place, samples }: Hits) -> fmt::Result {
        let Self { resolver, .. } = *self;
        match self.rows {
            By::Image => rows.row(samples, ImageName { image: place.image, resolver }),
            By::Symbol => rows.row(samples, FullName(Name { place, resolver })),
            By::Address => rows.row(samples, Offset { place, resolver }),
        }
    }

    /// Returns all rows in the order of their places, each with its first place.
    fn unsorted(&self) -> impl Iterator<Item = Hits> {
        let mut rest = self.profile.hits().iter().map(|hits| (hits, self.resolver.resolve(hits.place))).peekable();
        core::iter::from_fn(move || {
            let (&(mut row), symbol) = rest.next()?;
            let is_same = |(next, its_symbol): &(&Hits, Option<Symbol<'_>>)| {
                next.place.image == row.place.image
                    && match self.rows {
                        By::Address => false,
                        By::Symbol => *its_symbol == symbol,
                        By::Image => true,
                    }
            };
            while let Some((more, _)) = rest.next_if(is_same) {
                row.samples = row.samples.saturating_add(more.samples);
            }
            Some(row)
        })
    }
}

impl<R: Resolver + ?Sized, const N: usize, const K: usize> fmt::Display for ProfileReport<'_, R, N, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = Rows::begin(f, self.profile.total(), self.profile.left_out())?;
        let first = self.first();
        let more = first.more();
        first.into_rows().try_for_each(|hits| self.print(&mut rows, hits))?;
        rows.end(more)
    }
}

/// An address, and how far it is into which symbol.
struct Offset<'a, R: ?Sized> {
    place: Place,
    resolver: &'a R,
}

impl<R: Resolver + ?Sized> fmt::Display for Offset<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place: Place { image, address }, resolver } = *self;
        write!(f, "{address:#018x} ")?;
        match resolver.resolve(self.place) {
            Some(symbol) => {
                let (image, offset) = (Prefix { image, resolver }, address.wrapping_sub(symbol.start));
                write!(f, "{image}{}+{offset:#x}", symbol.name)
            }
            None => write!(f, "{}?", Prefix { image, resolver }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use proptest::prelude::*;

    use super::*;
    use crate::result::profile::{ImageId, Nameless};

    const SYMBOLS: [Symbol; 3] = [
        Symbol { name: "copy", start: 0x100 },
        Symbol { name: "idle", start: 0x200 },
        Symbol { name: "scan", start: 0x300 },
    ];

    fn profile<const N: usize>(hits: &[(u64, u64)]) -> Profile<N> {
        let mut profile = Profile::new();
        hits.iter().for_each(|&(address, samples)| profile.add(address, samples));
        profile
    }

    #[test]
    fn symbols_come_by_their_samples_and_what_is_not_shown_is_summed_up() {
        let profile = profile::<5>(&[(0x104, 400), (0x108, 300), (0x200, 100), (0x304, 150), (0x308, 10), (0x400, 40)]);
        let wanted = "   samples  percent  symbol
       700    70.00  copy
       160    16.00  scan
       100    10.00  (1 more)
        40     4.00  (no room)
      1000   100.00  (all)
";
        assert_eq!(ProfileReport::by_symbol(&profile, &SYMBOLS[..]).top::<2>().to_string(), wanted);
    }

    #[test]
    fn addresses_say_how_far_into_which_symbol_they_are() {
        let profile = profile::<4>(&[(0x10, 1), (0x104, 1), (0x210, 1)]);
        let wanted = "   samples  percent  symbol
         1    33.33  0x0000000000000010 ?
         1    33.33  0x0000000000000104 copy+0x4
         1    33.33  0x0000000000000210 idle+0x10
         3   100.00  (all)
";
        assert_eq!(ProfileReport::by_address(&profile, &SYMBOLS[..]).to_string(), wanted);
    }

    #[test]
    fn nothing_sampled_is_a_table_of_nothing_and_no_division_by_it() {
        let text = ProfileReport::by_symbol(&Profile::<4>::new(), &Nameless).to_string();
        assert_eq!(text, "   samples  percent  symbol\n         0     0.00  (all)\n");
    }

    #[test]
    fn the_greatest_counts_have_percentages() {
        let profile = profile::<2>(&[(1, u64::MAX - 1), (2, 1)]);
        let text = ProfileReport::by_address(&profile, &Nameless).to_string();
        assert!(text.contains("18446744073709551614   100.00  0x0000000000000001 ?"), "{text}");
    }

    #[test]
    fn a_symbol_within_another_does_not_take_its_samples() {
        struct Nested;
        impl Resolver for Nested {
            fn resolve(&self, Place { address, .. }: Place) -> Option<Symbol<'_>> {
                Some(if address == 5 { Symbol { name: "inner", start: 5 } } else { Symbol { name: "outer", start: 0 } })
            }
        }
        let profile = profile::<8>(&[(4, 1), (5, 10), (6, 2)]);
        let report = ProfileReport::by_symbol(&profile, &Nested);
        let rows: Vec<_> = report.rows().map(|row| (row.symbol.unwrap().name, row.samples)).collect();
        assert_eq!(rows, [("inner", 10), ("outer", 2), ("outer", 1)]);
    }

    /// Two images with the same symbols; the first has a name.
    struct Two;

    impl Resolver for Two {
        fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
            SYMBOLS[..].resolve(place.address.into())
        }

        fn image(&self, image: ImageId) -> Option<&str> {
            (image == ImageId(0)).then_some("kernel")
        }
    }

    #[test]
    fn images_are_told_apart_and_stand_before_their_symbols() {
        let mut profile = profile::<8>(&[(0x104, 5), (0x10, 1)]);
        profile.add(Place { image: ImageId(1), address: 0x104 }, 3);
        profile.add(Place { image: ImageId(1), address: 0x208 }, 1);
        let names = |text: String| text.lines().map(|line| line[21..].to_owned()).collect::<Vec<_>>();
        let by_symbol = names(ProfileReport::by_symbol(&profile, &Two).to_string());
        assert_eq!(by_symbol, ["symbol", "kernel`copy", "copy", "kernel`0x0000000000000010 ?", "idle", "(all)"]);
        let by_address = names(ProfileReport::by_address(&profile, &Two).to_string());
        assert_eq!(
            by_address[1..4],
            ["0x0000000000000104 kernel`copy+0x4", "0x0000000000000104 copy+0x4", "0x0000000000000010 kernel`?"]
        );
        let by_image = "   samples  percent  symbol
         6    60.00  kernel
         4    40.00  1
        10   100.00  (all)
";
        assert_eq!(ProfileReport::by_image(&profile, &Two).to_string(), by_image);
    }

    /// Says something else each time it is asked.
    struct Liar(Cell<u64>);

    impl Resolver for Liar {
        fn resolve(&self, Place { address, .. }: Place) -> Option<Symbol<'_>> {
            self.0.set(self.0.get().wrapping_mul(6_364_136_223_846_793_005).wrapping_add(address | 1));
            let start = self.0.get() >> 61;
            (start != 0).then_some(Symbol { name: "\u{1F980}", start })
        }
    }

    /// How often an address is resolved when so many symbols of two addresses each are printed.
    fn resolved(symbols: u64) -> usize {
        struct Counting(Cell<usize>);
        impl Resolver for Counting {
            fn resolve(&self, Place { address, .. }: Place) -> Option<Symbol<'_>> {
                self.0.set(self.0.get() + 1);
                Some(Symbol { name: "any", start: address & !1 })
            }
        }
        let profile = profile::<1024>(&(0..2 * symbols).map(|address| (address, address % 5)).collect::<Vec<_>>());
        let counting = Counting(Cell::new(0));
        let text = ProfileReport::by_symbol(&profile, &counting).to_string();
        assert_eq!(text.lines().count() as u64, symbols + 2);
        counting.0.get()
    }

    #[test]
    fn each_address_and_each_row_is_resolved_once() {
        assert_eq!([resolved(256), resolved(512)], [3 * 256, 3 * 512]);
    }

    proptest! {
        #[test]
        fn a_resolver_that_lies_gets_a_report_that_ends(
            hits in prop::collection::vec((any::<u64>(), any::<u64>()), 0..40),
            seed in any::<u64>(),
        ) {
            let profile = profile::<32>(&hits);
            let liar = Liar(Cell::new(seed));
            let report = ProfileReport::by_symbol(&profile, &liar).top::<7>();
            prop_assert!(report.rows().count() <= 7);
            let last = format!("{:>10}", profile.total());
            prop_assert!(report.to_string().lines().last().is_some_and(|line| line.starts_with(&last)));
        }

        #[test]
        fn no_sample_is_missing_from_the_rows(hits in prop::collection::vec((0_u64..0x400, 0_u64..1000), 0..40)) {
            let profile = profile::<64>(&hits);
            let by_symbol = ProfileReport::by_symbol(&profile, &SYMBOLS[..]);
            let by_address = ProfileReport::by_address(&profile, &SYMBOLS[..]);
            prop_assert_eq!(by_symbol.rows().map(|row| row.samples).sum::<u64>(), profile.total());
            prop_assert_eq!(by_address.rows().map(|row| row.samples).sum::<u64>(), profile.total());
            prop_assert!(by_address.rows().is_sorted_by_key(|row| (Reverse(row.samples), row.place.address)));
            prop_assert!(by_symbol.rows().is_sorted_by_key(|row| (Reverse(row.samples), row.place.address)));
        }

        #[test]
        fn a_report_of_some_rows_has_the_first_of_all(hits in prop::collection::vec((0_u64..64, 1_u64..9), 0..80)) {
            let profile = profile::<64>(&hits);
            let report = ProfileReport::by_address(&profile, &Nameless);
            let (all, some): (Vec<_>, Vec<_>) = (report.rows().collect(), report.top::<7>().rows().collect());
            prop_assert_eq!(&all[..all.len().min(7)], &some);
        }

        #[test]
        fn symbols_in_any_order_panic_nothing(starts in prop::collection::vec(any::<u64>(), 0..20), address in any::<u64>()) {
            let symbols: Vec<_> = starts.iter().map(|&start| Symbol { name: "any", start }).collect();
            let profile = profile::<4>(&[(address, 1)]);
            let text = ProfileReport::by_address(&profile, &symbols[..]).to_string();
            let wanted = format!("{address:#018x}");
            prop_assert!(text.contains(&wanted));
        }
    }
}
