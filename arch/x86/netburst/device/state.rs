//! The contents of a device, as plain data, and as a snapshot has them.

use super::limits::{Limits, Place};
use super::{ESCRS, MANY};
use crate::virt::{Contents, Family, Fault, check_fit, words};

/// The contents of all registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct State {
    /// The counters.
    pub counters: [u64; MANY],
    /// Their CCCRs.
    pub cccrs: [u64; MANY],
    /// The ESCRs, in the order of their addresses.
    pub escrs: [u64; ESCRS],
    /// IA32_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT.
    pub replay: [u64; 2],
    /// The cycles that the device was told of.
    pub ticks: u64,
}

impl Default for State {
    fn default() -> Self {
        Self { counters: [0; MANY], cccrs: [0; MANY], escrs: [0; ESCRS], replay: [0; 2], ticks: 0 }
    }
}

words!(State { counters, cccrs, escrs, replay, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("netburst");
    const VERSIONS: &'static [usize] = &[2 * MANY + ESCRS + 3];
}

impl State {
    /// Checks that a unit with these limits can have these contents.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        let check_each = |values: &[u64], place: fn(usize) -> Place| {
            values.iter().enumerate().try_for_each(|(number, &value)| check_fit(limits.bits(place(number)), value))
        };
        check_each(&self.counters, Place::Counter)?;
        check_each(&self.cccrs, Place::Cccr)?;
        check_each(&self.escrs, Place::Escr)?;
        check_each(&self.replay, Place::Replay)
    }
}
