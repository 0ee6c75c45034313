//! The columns of OProfile's `opreport`: samples, their percentage and the symbol's name; the address and the image if
//! they are wanted.
//!
//! The widths are those of `libpp/format_output.cpp`. A value that is wider is followed by one space.

use core::fmt;

use super::samples::{ImageName, Percent};
use crate::result::profile::{Place, Resolver};

/// The columns of a table.
#[derive(Clone, Copy)]
pub(super) struct Columns {
    /// The digits of an address, if there is a column for them.
    address: Option<usize>,
    has_images: bool,
}

impl Columns {
    /// Returns the columns of a table of these places: with a column for images if there are several, as `opreport` has.
    pub(super) fn of(places: impl Iterator<Item = Place> + Clone) -> Self {
        let images = || places.clone().map(|place| place.image);
        Self { address: None, has_images: images().min() != images().max() }
    }

    /// Adds a column for these addresses: of 16 digits if one has more than 32 bits, and else of 8.
    pub(super) fn with_addresses(self, mut addresses: impl Iterator<Item = u64>) -> Self {
        let is_wide = addresses.any(|address| address > u32::MAX.into());
        Self { address: Some(if is_wide { 16 } else { 8 }), ..self }
    }

    /// Prints the title.
    pub(super) fn title(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.address.is_some() {
            write!(f, "{:<9}", "vma")?;
        }
        write!(f, "{:<9}{:<9}", "samples", "%")?;
        if self.has_images {
            write!(f, "{:<25}", "image name")?;
        }
        writeln!(f, "symbol name")
    }

    /// Prints a row for samples of a place, whose address in the table is its symbol's.
    pub(super) fn row<R: Resolver + ?Sized>(
        self,
        f: &mut fmt::Formatter<'_>,
        place: Place,
        samples: Percent,
        symbol: impl fmt::Display,
        resolver: &R,
    ) -> fmt::Result {
        if let Some(digits) = self.address {
            write!(f, "{:0digits$x} ", place.address)?;
        }
        write!(f, "{:<8} {samples}  ", samples.samples)?;
        if self.has_images {
            write!(f, "{:<24} ", ImageName { image: place.image, resolver })?;
        }
        writeln!(f, "{symbol}")
    }

    /// Prints a row for samples of no place.
    pub(super) fn note(self, f: &mut fmt::Formatter<'_>, samples: Percent, what: impl fmt::Display) -> fmt::Result {
        let (address, image) = (self.address.map_or(0, |digits| digits + 1), if self.has_images { 25 } else { 0 });
        writeln!(f, "{:address$}{:<8} {samples}  {:image$}{what}", "", samples.samples, "")
    }
}
