//! Profiles: how many samples were taken at each address of each image.
//!
//! A [`Profile`] has a fixed size and keeps its addresses sorted. Adding to an address that it knows, or that
//! it has no room for, takes a binary search; adding a new one also moves the addresses above it. No choice of
//! addresses can make it slower than that. Samples that find no room are counted. A [`Resolver`], usually the
//! kernel's symbol table, maps addresses to symbols, and [`ProfileReport`](crate::output::report::ProfileReport) prints
//! both. For samples with callers, [`Calls`] counts by the innermost caller and [`CallGraph`] by all of them.
//!
//! ```
//! use pmu::output::{profile::Profile, profile::Symbol};
//! use pmu::output::report::ProfileReport;
//!
//! let symbols = [Symbol { name: "idle", start: 0x1000 }, Symbol { name: "copy", start: 0x1080 }];
//! let mut profile = Profile::<64>::new();
//! for address in [0x1004, 0x1084, 0x1088, 0x1088] {
//!     profile.add(address, 1); // or profile.extend(samples), from Unit::samples
//! }
//! assert_eq!(
//!     ProfileReport::by_symbol(&profile, &symbols[..]).to_string(),
//!     "   samples  percent  symbol\n\
//!      \x20        3    75.00  copy\n\
//!      \x20        1    25.00  idle\n\
//!      \x20        4   100.00  (all)\n"
//! );
//! ```

use core::fmt;

use crate::sample::Sample;

mod calls;
mod graph;
mod precise;
mod table;

pub use calls::{Call, Calls};
pub use graph::CallGraph;
use table::{Row, Table};

/// The number that a kernel gives an image: a program, a library, or the kernel itself. A kernel that gives none has
/// all its samples in image 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ImageId(pub u32);

/// Prints the number.
impl fmt::Display for ImageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// An address in an image. An address alone is one in image 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// The image.
    pub image: ImageId,
    /// The address, as the image's symbols have it.
    pub address: u64,
}

impl From<u64> for Place {
    fn from(address: u64) -> Self {
        Self { image: ImageId::default(), address }
    }
}

/// A place and its number of samples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Hits {
    /// The place.
    pub place: Place,
    /// The number of samples.
    pub samples: u64,
}

/// A function or another named piece of code. In a table it ends where the next one begins; the last one has no end, so a
/// table of some functions gives it all that follows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symbol<'a> {
    /// Its name, as it is printed.
    pub name: &'a str,
    /// The address of its first byte.
    pub start: u64,
}

/// Maps places to symbols, and samples to images.
///
/// A kernel whose processes have images of their own implements all three functions. The image depends on the
/// address, the mode and the process, so it is found when samples are read, not by the interrupt: read them before
/// the number of a thread, or the memory of its process, is another's.
///
/// A resolver MAY be wrong, and MAY answer the same question differently each time. A report then prints what
/// it was told, and still terminates.
///
/// ```
/// use pmu::output::{profile::ImageId, profile::Place, profile::Profile, profile::Resolver, profile::Symbol};
/// use pmu::output::report::SymbolSummary;
/// use pmu::{Interrupted, Mode, Sample, Timer}; // a Unit's overflows are the same
///
/// /// The kernel is image 0. Each thread runs a program that is loaded at 0x40_0000.
/// struct Images<'a> {
///     names: [&'a str; 3],
///     symbols: [&'a [Symbol<'a>]; 3],
///     program_of: fn(thread: u32) -> ImageId,
/// }
///
/// impl Resolver for Images<'_> {
///     fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
///         self.symbols.get(place.image.0 as usize)?.resolve(place.address.into())
///     }
///
///     fn locate(&self, sample: &Sample, address: u64) -> Place {
///         match sample.mode {
///             Mode::User => Place { image: (self.program_of)(sample.thread), address: address - 0x40_0000 },
///             _ => address.into(),
///         }
///     }
///
///     fn image(&self, image: ImageId) -> Option<&str> {
///         self.names.get(image.0 as usize).copied()
///     }
/// }
///
/// let kernel = [Symbol { name: "copy", start: 0x1000 }];
/// let program = [Symbol { name: "main", start: 0x100 }, Symbol { name: "copy", start: 0x200 }];
/// let images = Images {
///     names: ["kernel", "init", "shell"],
///     symbols: [&kernel, &program, &program],
///     program_of: |thread| ImageId(1 + thread % 2),
/// };
///
/// static TIMER: Timer<64> = Timer::new();
/// for thread in [0, 2, 1] {
///     TIMER.tick(Interrupted::new(0x40_0210, Mode::User).in_thread(thread));
/// }
/// TIMER.tick(Interrupted::new(0x1004, Mode::Kernel).in_thread(1));
///
/// let mut profile = Profile::<64>::new();
/// TIMER.samples()?.for_each(|sample| profile.sample(&sample, &images));
/// assert_eq!(
///     SymbolSummary::new(&profile, &images).to_string(),
///     "samples  %        image name               symbol name\n\
///      2        50.0000  init                     copy\n\
///      1        25.0000  shell                    copy\n\
///      1        25.0000  kernel                   copy\n"
/// );
/// # Ok::<(), pmu::Error>(())
/// ```
pub trait Resolver {
    /// Returns the symbol that contains this place, or `None` if there is none.
    fn resolve(&self, place: Place) -> Option<Symbol<'_>>;

    /// Returns the place of an address of a sample: its own, or a caller's. By default all are in image 0.
    fn locate(&self, sample: &Sample, address: u64) -> Place {
        let _ = sample;
        address.into()
    }

    /// Returns the name of an image, or `None` if it has none. By default none has.
    fn image(&self, image: ImageId) -> Option<&str> {
        let _ = image;
        None
    }
}

/// The symbols of image 0 sorted by their starts. An address belongs to the last symbol that starts at or below it.
impl Resolver for [Symbol<'_>] {
    fn resolve(&self, place: Place) -> Option<Symbol<'_>> {
        if place.image != ImageId::default() {
            return None;
        }
        let above = self.partition_point(|symbol| symbol.start <= place.address);
        self.get(above.checked_sub(1)?).copied()
    }
}

/// A resolver that knows no symbol.
#[derive(Clone, Copy, Debug)]
pub struct Nameless;

impl Resolver for Nameless {
    fn resolve(&self, _: Place) -> Option<Symbol<'_>> {
        None
    }
}

impl Row for Hits {
    type Key = Place;
    const NONE: Self = Self { place: Place { image: ImageId(0), address: 0 }, samples: 0 };

    fn key(&self) -> Place {
        self.place
    }

    fn samples(&self) -> u64 {
        self.samples
    }

    fn with(self, samples: u64) -> Self {
        Self { samples, ..self }
    }
}

/// Counts samples by image and address, for up to `N` places of 24 bytes each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Profile<const N: usize>(Table<Hits, N>);

impl<const N: usize> Default for Profile<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const N: usize> Profile<N> {
    /// Creates an empty profile.
    #[must_use]
    pub const fn new() -> Self {
        Self(Table::new())
    }

    /// Adds samples at a place. Counts stop at 2^64 - 1.
    pub fn add(&mut self, place: impl Into<Place>, samples: u64) {
        self.0.add(Hits { place: place.into(), samples });
    }

    /// Adds a sample at the place where the resolver locates it.
    pub fn sample<R: Resolver + ?Sized>(&mut self, sample: &Sample, resolver: &R) {
        self.add(resolver.locate(sample, sample.address), 1);
    }

    /// Adds the samples of another profile, for example of another CPU. Those that the other left out
    /// count as left out here too.
    pub fn merge<const M: usize>(&mut self, other: &Profile<M>) {
        other.hits().iter().for_each(|&hits| self.0.add(hits));
        self.0.leave_out(other.left_out());
    }

    /// Returns the places in ascending order of images and then of addresses, each with its number of samples.
    #[must_use]
    pub fn hits(&self) -> &[Hits] {
        self.0.rows()
    }

    /// Returns the number of samples at a place; 0 if it has none, or found no room.
    #[must_use]
    pub fn at(&self, place: impl Into<Place>) -> u64 {
        self.0.at(&place.into())
    }

    /// Returns how many samples found no room for their place.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.0.left_out()
    }

    /// Returns how many samples were added, including those that found no room.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.total()
    }

    /// Removes all samples.
    pub const fn clear(&mut self) {
        self.0.clear();
    }
}

/// Adds samples from [`Samples`](crate::Samples), each at its address in image 0.
impl<const N: usize> Extend<Sample> for Profile<N> {
    fn extend<I: IntoIterator<Item = Sample>>(&mut self, samples: I) {
        samples.into_iter().for_each(|sample| self.add(sample.address, 1));
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;
    use crate::{Interrupted, Mode, Timer};

    fn profile<const N: usize>(addresses: &[u64]) -> Profile<N> {
        let mut profile = Profile::new();
        addresses.iter().for_each(|&address| profile.add(address, 1));
        profile
    }

    #[test]
    fn a_full_table_counts_on_what_it_knows_and_counts_what_it_leaves_out() {
        let profile = profile::<2>(&[9, 5, 7, 5, 1, 9]);
        assert_eq!(profile.hits(), [Hits { place: 5.into(), samples: 2 }, Hits { place: 9.into(), samples: 2 }]);
        assert_eq!((profile.left_out(), profile.total(), profile.at(7)), (2, 6, 0));
    }

    #[test]
    fn a_table_of_no_size_leaves_everything_out_and_says_so() {
        let profile = profile::<0>(&[1, 2, 3]);
        assert_eq!((profile.hits().len(), profile.left_out(), profile.total()), (0, 3, 3));
    }

    #[test]
    fn rows_are_as_large_as_the_documentation_says() {
        assert_eq!((size_of::<Hits>(), size_of::<Call>()), (24, 48));
    }

    #[test]
    fn a_sample_is_counted_where_it_is_located_and_images_are_told_apart() {
        /// The address's last digit is the image.
        struct Digits;
        impl Resolver for Digits {
            fn resolve(&self, _: Place) -> Option<Symbol<'_>> {
                None
            }
            fn locate(&self, sample: &Sample, address: u64) -> Place {
                Place { image: ImageId(address as u32 % 10), address: address / 10 + u64::from(sample.thread) }
            }
        }
        let timer = Timer::<4>::new();
        [502, 501, 502].into_iter().for_each(|address| timer.tick(Interrupted::new(address, Mode::User).in_thread(7)));
        let mut profile = Profile::<4>::new();
        timer.samples().unwrap().for_each(|sample| profile.sample(&sample, &Digits));
        let place = |image| Place { image: ImageId(image), address: 57 };
        let wanted = [Hits { place: place(1), samples: 1 }, Hits { place: place(2), samples: 2 }];
        assert_eq!((profile.hits(), profile.at(place(2)), profile.at(57)), (&wanted[..], 2, 0));
    }

    #[test]
    fn counts_stop_at_their_greatest() {
        let mut profile = Profile::<1>::new();
        for _ in 0..2 {
            profile.add(0, u64::MAX);
            profile.add(1, u64::MAX);
        }
        assert_eq!((profile.at(0), profile.left_out(), profile.total()), (u64::MAX, u64::MAX, u64::MAX));
    }

    #[test]
    fn the_addresses_at_either_end_are_addresses_as_others() {
        let profile = profile::<4>(&[u64::MAX, 0, u64::MAX]);
        assert_eq!((profile.at(0), profile.at(u64::MAX), profile.at(1)), (1, 2, 0));
    }

    #[test]
    fn a_profile_that_is_cleared_is_a_new_one_to_whoever_reads_it() {
        let mut profile = profile::<1>(&[3, 4]);
        profile.clear();
        assert_eq!((profile.hits(), profile.at(3), profile.total()), (&[][..], 0, 0));
    }

    #[test]
    fn an_address_belongs_to_the_last_symbol_at_or_below_it() {
        let symbols = [Symbol { name: "one", start: 10 }, Symbol { name: "two", start: 20 }];
        let named = |place| symbols[..].resolve(place).map(|symbol| symbol.name);
        let names = [9, 10, 19, 20, u64::MAX].map(|address| named(address.into()));
        assert_eq!(names, [None, Some("one"), Some("one"), Some("two"), Some("two")]);
        assert_eq!(named(Place { image: ImageId(1), address: 10 }), None);
    }

    proptest! {
        #[test]
        fn what_fits_is_the_same_in_every_order(
            addresses in prop::collection::vec(0_u64..16, 0..64),
            shuffled in any::<prop::sample::Index>(),
        ) {
            let mut turned = addresses.clone();
            turned.rotate_left(shuffled.index(addresses.len().max(1)).min(addresses.len()));
            turned.reverse();
            prop_assert_eq!(profile::<16>(&addresses), profile::<16>(&turned));
        }

        #[test]
        fn a_profile_counts_as_a_map_does(addresses in prop::collection::vec(any::<u8>(), 0..200)) {
            let addresses: Vec<u64> = addresses.into_iter().map(u64::from).collect();
            let mut truth = BTreeMap::new();
            addresses.iter().for_each(|&address| *truth.entry(address).or_insert(0) += 1);
            let hits: Vec<_> = profile::<256>(&addresses).hits().iter().map(|hits| (hits.place.address, hits.samples)).collect();
            prop_assert_eq!(hits, truth.into_iter().collect::<Vec<_>>());
        }

        #[test]
        fn no_sample_is_forgotten_however_little_room_there_is(addresses in prop::collection::vec(0_u64..32, 0..200)) {
            let profile = profile::<5>(&addresses);
            let kept = |address| addresses.iter().filter(|&&other| other == address).count() as u64;
            prop_assert!(profile.hits().iter().all(|hits| hits.samples == kept(hits.place.address)));
            prop_assert_eq!(profile.total(), addresses.len() as u64);
        }

        #[test]
        fn profiles_that_are_merged_count_as_one(
            one in prop::collection::vec(0_u64..32, 0..60),
            other in prop::collection::vec(0_u64..32, 0..60),
        ) {
            let mut merged = profile::<32>(&one);
            merged.merge(&profile::<64>(&other));
            prop_assert_eq!(merged, profile::<32>(&[one, other].concat()));
        }
    }
}
