//! The contents of a device, as plain data, and as a snapshot has them.

use super::place::{Limits, Place};
use crate::event::CounterId;
use crate::virt::{Contents, Family, Fault, check_fit, words};

/// The contents of all registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// CESR.
    pub control: u64,
    /// CTR0 and CTR1.
    pub counters: [u64; 2],
    /// The cycles that the device was told of.
    pub ticks: u64,
}

words!(State { control, counters, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("p5");
    const VERSIONS: &'static [usize] = &[4];
}

impl State {
    /// Checks that a unit can have these contents. All units of the family have the same registers.
    pub(super) fn check(&self, _: &Limits) -> Result<(), Fault> {
        let counter = Place::Counter(CounterId::ZERO).bits();
        check_fit(Some(Place::Control.bits()), self.control)?;
        self.counters.into_iter().try_for_each(|value| check_fit(Some(counter), value))
    }
}
