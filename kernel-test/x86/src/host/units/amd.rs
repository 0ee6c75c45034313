//! AMD's unit, as the machine finds its registers.

use pmu::arch::x86::{Block, Index, Msr, amd};
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterId, CounterSet, Mode};

use crate::host::unit::Unit;

impl<T: Trigger> Unit for amd::Device<T> {
    fn address(msr: u32) -> Option<Msr> {
        Msr::from_address(msr)
    }

    fn index(ecx: u32) -> Option<Index> {
        Index::from_raw(ecx)
    }

    fn counting(&self, mode: Mode) -> CounterSet {
        use amd::Select;
        let selects = self.state().selects;
        let on = match mode {
            Mode::User => Select::ENABLE | Select::USER,
            Mode::Kernel | Mode::Hypervisor => Select::ENABLE | Select::KERNEL,
        };
        let select = |id: &CounterId| selects.get(usize::from(id.number())).copied().unwrap_or_default();
        let all = CounterSet::first(Block::Core.counters());
        let enabled = self.try_read(Msr::CORE_CONTROL).map_or(all, CounterSet::from_bits);
        enabled.into_iter().filter(|id| Select::from_bits_retain(select(id)).contains(on)).collect()
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
