//! The contents of a device, as plain data, and as a snapshot has them.

use super::limits::{Limits, Place};
use crate::virt::{Contents, Family, Fault, check_fit, words};

/// The contents of all registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// PerfCtr0 and PerfCtr1.
    pub counters: [u64; 2],
    /// PerfEvtSel0 and PerfEvtSel1.
    pub selects: [u64; 2],
    /// The cycles that the device was told of.
    pub ticks: u64,
}

words!(State { counters, selects, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("p6");
    const VERSIONS: &'static [usize] = &[5];
}

impl State {
    /// Checks that a unit with these limits can have these contents.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        let check_each = |values: &[u64], place: fn(usize) -> Place| {
            values.iter().enumerate().try_for_each(|(number, &value)| check_fit(limits.bits(place(number)), value))
        };
        check_each(&self.counters, Place::Counter)?;
        check_each(&self.selects, Place::Select)
    }
}
