//! What the machine asks of a family's unit: to be a [`Device`], found by the numbers that the
//! guest's instructions bear.

use core::cell::Cell;

use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterSet, Mode};

/// A unit in software, behind `rdmsr`, `wrmsr` and `rdpmc`.
pub trait Unit: Device {
    /// The unit's register with this MSR number; `None` if the MSR is not the unit's.
    fn address(msr: u32) -> Option<Self::Address>;

    /// The counter that `rdpmc` means by this; `None` if it means none.
    fn index(ecx: u32) -> Option<Self::Index>;

    /// The counters that are on in this mode, by what stands in the registers.
    fn counting(&self, mode: Mode) -> CounterSet;

    /// What the processor's own control says to the unit (IA32_DEBUGCTL); [`Fault::Absent`] if the
    /// processor has none that the unit minds.
    fn debug_control(&self) -> Result<u64, Fault>;

    /// The guest writes that control.
    fn set_debug_control(&self, value: u64) -> Result<(), Fault>;

    /// Its state without its clock: what registers hold.
    fn registers(&self) -> Self::State;
}

/// The line from the unit to the local APIC: remembers how often it was pulled.
#[derive(Default)]
pub struct Wire(Cell<u64>);

impl Wire {
    /// How often it was pulled since this was asked last.
    pub fn take(&self) -> u64 {
        self.0.take()
    }
}

impl Trigger for Wire {
    fn interrupt(&self) {
        self.0.set(self.0.get() + 1);
    }
}
