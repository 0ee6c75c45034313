//! The contents of a device, as plain data, and as a snapshot has them.

use super::COUNTERS;
use super::context::Context;
use super::limits::Limits;
use super::place::Place;
use crate::virt::{Contents, Family, Fault, check_fit, words};

/// The contents of all registers. Registers that the unit does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// PMC0 to PMC3.
    pub counters: [u64; COUNTERS],
    /// PMLCa0 to PMLCa3.
    pub locals: [u64; COUNTERS],
    /// PMLCb0 to PMLCb3.
    pub thresholds: [u64; COUNTERS],
    /// PMGC0.
    pub global: u64,
    /// The state of the processor that the host has set.
    pub context: Context,
    /// The cycles that were reported to the device.
    pub ticks: u64,
}

words!(State { counters, locals, thresholds, global, context, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("embedded");
    const VERSIONS: &'static [usize] = &[16];
}

impl State {
    /// Checks that every register has the bits of its value.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        let check_each = |values: &[u64], place: fn(usize) -> Place| {
            values.iter().enumerate().try_for_each(|(number, &value)| check_fit(limits.bits(place(number)), value))
        };
        check_each(&self.counters, Place::Counter)?;
        check_each(&self.locals, Place::Local)?;
        check_each(&self.thresholds, Place::Threshold)?;
        check_fit(limits.bits(Place::Global), self.global)
    }
}
