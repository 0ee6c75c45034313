//! What the machine asks of a family's unit: to be a [`Device`] whose registers are special-purpose
//! ones, and that knows the processor's modes.

use core::cell::Cell;

use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterSet, Mode};

/// A unit in software, behind `mfspr` and `mtspr` or behind `mfpmr` and `mtpmr`.
pub trait Unit: Device {
    /// Is the exception there as long as the unit says so (MMCR0\[PMAO\])? Else the processor keeps it
    /// until it is taken.
    const HOLDS_LINE: bool;

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

/// The line from the unit to the processor: how it stands, and whether it was pulled.
#[derive(Default)]
pub struct Wire {
    was_pulled: Cell<bool>,
    is_up: Cell<bool>,
}

impl Wire {
    /// Has it been pulled since this was asked last?
    pub fn take(&self) -> bool {
        self.was_pulled.take()
    }

    /// Does it ask for an exception now?
    pub fn is_up(&self) -> bool {
        self.is_up.get()
    }

    /// Nobody pulls.
    pub fn reset(&self) {
        self.was_pulled.set(false);
        self.is_up.set(false);
    }

    /// The processor has taken the exception that it has kept.
    pub fn lower(&self) {
        self.is_up.set(false);
    }
}

impl Trigger for Wire {
    fn interrupt(&self) {
        self.was_pulled.set(true);
        self.is_up.set(true);
    }

    /// MMCR0's own write pulls it and withdraws it at once, where a counter overflows on that.
    fn withdraw(&self) {
        self.is_up.set(false);
    }
}
