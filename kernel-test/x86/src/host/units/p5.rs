//! The Pentium's unit, as the machine finds its registers.

use pmu::arch::x86::p5::{self, Cesr, Select};
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device, Fault};
use pmu::{CounterId, CounterSet, Mode};

use crate::host::unit::Unit;

impl Unit for p5::Device {
    fn address(msr: u32) -> Option<Msr> {
        Msr::from_address(msr)
    }

    fn index(ecx: u32) -> Option<Index> {
        Index::from_raw(ecx)
    }

    fn counting(&self, mode: Mode) -> CounterSet {
        let control = Cesr::from_bits(self.state().control);
        let on = match mode {
            Mode::User => Select::USER,
            Mode::Kernel | Mode::Hypervisor => Select::KERNEL,
        };
        let is_on = |id: &CounterId| control.select(*id).contains(on);
        control.counting().into_iter().filter(is_on).collect()
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
