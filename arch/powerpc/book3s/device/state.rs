//! The contents of a device, as plain data, and as a snapshot has them.

use super::context::Context;
use super::limits::Limits;
use super::place::Place;
use super::{COUNTERS, SAMPLED};
use crate::virt::{Contents, Family, Fault, check_fit, words};

/// The contents of all registers. Registers that the unit does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// PMC1 to PMC8.
    pub counters: [u64; COUNTERS],
    /// MMCR0.
    pub control: u64,
    /// MMCR1.
    pub selects: u64,
    /// MMCR2.
    pub freezes: u64,
    /// MMCR3.
    pub sources: u64,
    /// MMCRA.
    pub marks: u64,
    /// SIAR.
    pub instruction: u64,
    /// SDAR.
    pub datum: u64,
    /// SIER, SIER2 and SIER3.
    pub sampled: [u64; SAMPLED],
    /// The state of the processor that the host has set.
    pub context: Context,
    /// The cycles that were reported to the device.
    pub ticks: u64,
}

words!(State { counters, control, selects, freezes, sources, marks, instruction, datum, sampled, context, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("book3s");
    const VERSIONS: &'static [usize] = &[24];
}

impl State {
    /// Checks that every register has the bits of its value.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        let check_each = |values: &[u64], place: fn(usize) -> Place| {
            values.iter().enumerate().try_for_each(|(number, &value)| check_fit(limits.bits(place(number)), value))
        };
        check_each(&self.counters, Place::Counter)?;
        check_each(&self.sampled, Place::Sampled)?;
        let single = [
            (Place::Control, self.control),
            (Place::Selects, self.selects),
            (Place::Freezes, self.freezes),
            (Place::Sources, self.sources),
            (Place::Marks, self.marks),
        ];
        single.into_iter().try_for_each(|(place, value)| check_fit(limits.bits(place), value))
    }
}
