//! The contents of a device, as plain data, and as a snapshot has them.

use crate::arch::sparc::niagara::{Capabilities, Pcr, PcrT1};
use crate::virt::{Contents, Family, Fault, words};

/// The contents of both registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// %pcr.
    pub control: u64,
    /// pic0 and pic1.
    pub counters: [u64; 2],
    /// The cycles that were reported to the device.
    pub ticks: u64,
}

words!(State { control, counters, ticks });

impl Contents for State {
    const FAMILY: Family = Family::new("niagara");
    const VERSIONS: &'static [usize] = &[4];
}

impl State {
    /// Checks that every register has the bits of its value.
    pub(super) fn check(&self, capabilities: &Capabilities) -> Result<(), Fault> {
        let bits = if capabilities.is_t1() { PcrT1::all().bits() } else { Pcr::all().difference(Pcr::HOLD).bits() };
        let fits = self.control & !bits == 0 && self.counters.iter().all(|&value| value <= u64::from(u32::MAX));
        if fits { Ok(()) } else { Err(Fault::Reserved) }
    }
}
