//! The contents of a device, as plain data, and as a snapshot has them.

use super::{COUNTERS, has};
use crate::arch::loongarch::la64::Capabilities;
use crate::virt::{Contents, Family, Fault, words};

/// The contents of all registers. Registers that the unit does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// PMCNT of each counter.
    pub counters: [u64; COUNTERS],
    /// PMCFG of each counter.
    pub controls: [u64; COUNTERS],
    /// The cycles that were reported to the device.
    pub ticks: u64,
}

words!(State { counters, controls, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("la64");
    const VERSIONS: &'static [usize] = &[9];
}

impl State {
    /// Checks that every register has the bits of its value.
    pub(super) fn check(&self, capabilities: &Capabilities) -> Result<(), Fault> {
        let (mask, writable) = (capabilities.width.mask(), Capabilities::WRITABLE.bits());
        for (number, (&counter, &control)) in self.counters.iter().zip(&self.controls).enumerate() {
            if !has(capabilities.counters, number) && (counter != 0 || control != 0) {
                return Err(Fault::Absent);
            }
            if counter & !mask != 0 || control & !writable != 0 {
                return Err(Fault::Reserved);
            }
        }
        Ok(())
    }
}
