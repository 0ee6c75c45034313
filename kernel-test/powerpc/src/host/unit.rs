//! What the machine asks of a family's unit: to be a [`Device`] whose registers are special-purpose
//! ones, and that knows the processor's modes.

use core::cell::Cell;

use pmu::arch::powerpc::Spr;
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterSet, Mode};

/// A unit in software, behind `mfspr` and `mtspr`.
pub trait Unit: Device<Address = Spr> {
    /// Is the exception there as long as the unit says so (MMCR0\[PMAO\])? Else the processor keeps it
    /// until it is taken.
    const HOLDS_LINE: bool;

    /// `mfspr` in this mode.
    fn read(&self, mode: Mode, at: Spr) -> Result<u64, Fault>;

    /// `mtspr` in this mode.
    fn write(&self, mode: Mode, at: Spr, value: u64) -> Result<(), Fault>;

    /// The instruction at this address is the next to be executed.
    fn set_position(&self, address: usize);

    /// The counters that are on in this mode, by what stands in the registers.
    fn counting(&self, mode: Mode) -> CounterSet;
}

/// The line from the unit to the processor: how it stands, and how often it was pulled.
#[derive(Default)]
pub struct Wire {
    pulls: Cell<u64>,
    is_up: Cell<bool>,
}

impl Wire {
    /// How often it was pulled since this was asked last.
    pub fn take(&self) -> u64 {
        self.pulls.take()
    }

    /// Does it ask for an exception now?
    pub fn is_up(&self) -> bool {
        self.is_up.get()
    }

    /// Nobody pulls.
    pub fn reset(&self) {
        self.pulls.set(0);
        self.is_up.set(false);
    }

    /// The processor has taken the exception that it has kept.
    pub fn lower(&self) {
        self.is_up.set(false);
    }
}

impl Trigger for Wire {
    fn interrupt(&self) {
        self.pulls.set(self.pulls.get() + 1);
        self.is_up.set(true);
    }

    /// An instruction that pulls it and withdraws it too has asked for nothing: MMCR0's own write, on which
    /// a counter overflows.
    fn withdraw(&self) {
        self.pulls.set(self.pulls.get().saturating_sub(1));
        self.is_up.set(false);
    }
}
