//! The contents of a device, as plain data, and as a snapshot has them.

use super::{COUNTERS, Thread, has};
use crate::arch::mips::mipsxx::Capabilities;
use crate::virt::{Contents, Family, Fault, words};

/// The contents of all registers. Registers that the unit does not have are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct State {
    /// PerfCnt of each counter.
    pub counters: [u64; COUNTERS],
    /// PerfCtl of each counter, without its read-only bits.
    pub controls: [u32; COUNTERS],
    /// Whether the kernel is at exception level.
    pub exception: bool,
    /// Whose work is reported.
    pub thread: Thread,
    /// The cycles that were reported to the device.
    pub ticks: u64,
}

words!(State { counters, controls, exception, thread, ticks });
words!(Thread { vpe, tc });

impl Contents for State {
    const FAMILY: Family = Family::new("mipsxx");
    const VERSIONS: &'static [usize] = &[12];
}

impl State {
    /// Checks that every register has the bits of its value.
    pub(super) fn check(&self, capabilities: &Capabilities) -> Result<(), Fault> {
        let (mask, writable) = (capabilities.width.mask(), capabilities.writable().bits());
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
