//! Samples of a row of instructions are at equal distances.

use core::num::NonZero;

use pmu::Sample;

use crate::kernel::Kernel;

/// How many instructions of the row are from one sample to the next.
#[derive(Clone, Copy, Default, Debug)]
pub struct Distance {
    last: Option<u64>,
    known: Option<u64>,
}

impl Distance {
    /// Is the next sample as far from the last one as those before it were from each other? Between two of which one is
    /// not in the row there is no distance.
    pub fn is_kept<K: Kernel>(&mut self, sample: &Sample) -> bool {
        let place = K::place_in_row(sample.address);
        let here = self.last.zip(place).map(|(from, to)| K::distance_in_row(from, to));
        self.last = place;
        here.is_none_or(|here| *self.known.get_or_insert(here) == here)
    }

    /// The distance, if two samples were in the row.
    pub fn known(&self) -> Option<NonZero<u64>> {
        self.known.and_then(NonZero::new)
    }
}
