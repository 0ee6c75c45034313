//! The P6 family's unit, as the machine finds its registers.

use pmu::arch::x86::p6::{self, Select};
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterId, CounterSet, Mode};

use crate::host::unit::Unit;

impl<T: Trigger> Unit for p6::Device<T> {
    fn address(msr: u32) -> Option<Msr> {
        Msr::from_address(msr)
    }

    fn index(ecx: u32) -> Option<Index> {
        Index::from_raw(ecx)
    }

    /// The first selector has the enable bit of both.
    fn counting(&self, mode: Mode) -> CounterSet {
        let selects = self.state().selects.map(Select::from_bits_retain);
        let on = match mode {
            Mode::User => Select::USER,
            Mode::Kernel | Mode::Hypervisor => Select::KERNEL,
        };
        let is_on = |id: &CounterId| selects[usize::from(id.number())].contains(on);
        if selects[0].contains(Select::ENABLE) {
            CounterSet::first(2).into_iter().filter(is_on).collect()
        } else {
            CounterSet::EMPTY
        }
    }

    fn debug_control(&self) -> Result<u64, Fault> {
        Err(Fault::Absent)
    }

    fn set_debug_control(&self, _: u64) -> Result<(), Fault> {
        Err(Fault::Absent)
    }

    fn registers(&self) -> Self::State {
        let mut state = self.state();
        state.ticks = 0;
        state
    }
}
