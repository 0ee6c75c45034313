//! What the machine asks of a family's unit: to be a [`Device`] whose registers are special-purpose
//! ones, and that knows the processor's modes.

use harness::host::Latch;
use pmu::virt::{Device, Fault};
use pmu::{CounterSet, Mode};

/// A unit in software, behind `mfspr` and `mtspr` or behind `mfpmr` and `mtpmr`.
pub trait Unit: Device {
    /// Until when the exception is there: as long as the unit says so (MMCR0\[PMAO\]), or until the processor takes it.
    const LATCH: Latch;

    /// The register that this is the number of, in this space.
    fn register(space: Space, number: u16) -> Option<Self::Address>;

    /// A register is read in this mode.
    fn read(&self, mode: Mode, at: Self::Address) -> Result<u64, Fault>;

    /// A register is written in this mode.
    fn write(&self, mode: Mode, at: Self::Address, value: u64) -> Result<(), Fault>;

    /// The processor takes the exception.
    fn taken(&self) {}

    /// The instruction at this address is the next to be executed.
    fn set_position(&self, address: usize);

    /// The counters that are on in this mode, by what stands in the registers.
    fn counting(&self, mode: Mode) -> CounterSet;

    /// The counters whose top bit is set.
    fn negative(&self) -> CounterSet;
}

/// Which registers an instruction reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Space {
    /// Special-purpose registers.
    Special,
    /// Performance monitor registers.
    Monitor,
}

/// Those of these counters whose top bit is set.
pub fn negative(counters: impl IntoIterator<Item = u64>) -> CounterSet {
    const TOP: u64 = 1 << 31;
    let bits = counters.into_iter().enumerate().map(|(number, value)| u64::from(value & TOP != 0) << number);
    CounterSet::from_bits(bits.fold(0, |set, bit| set | bit))
}
