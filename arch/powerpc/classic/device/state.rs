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
    /// PMC1 to PMC6.
    pub counters: [u64; COUNTERS],
    /// MMCR0.
    pub control: u64,
    /// MMCR1.
    pub selects: u64,
    /// MMCR2.
    pub extension: u64,
    /// SIAR.
    pub instruction: u64,
    /// SDAR.
    pub datum: u64,
    /// The state of the processor that the host has set.
    pub context: Context,
    /// The cycles that were reported to the device.
    pub ticks: u64,
}

words!(State { counters, control, selects, extension, instruction, datum, context, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("classic");
    const VERSIONS: &'static [usize] = &[16];
}

impl State {
    /// Checks that every register has the bits of its value.
    pub(super) fn check(&self, limits: &Limits) -> Result<(), Fault> {
        let counters = self.counters.iter().enumerate();
        let counters = counters.map(|(number, &value)| (Place::Counter(number), value));
        let single = [
            (Place::Control, self.control),
            (Place::Selects, self.selects),
            (Place::Extension, self.extension),
            (Place::Instruction, self.instruction),
            (Place::Datum, self.datum),
        ];
        counters.chain(single).try_for_each(|(place, value)| check_fit(limits.bits(place), value))
    }
}
