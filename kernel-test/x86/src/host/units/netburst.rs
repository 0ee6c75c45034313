//! The Pentium 4's unit, as the machine finds its registers.

use pmu::arch::x86::netburst::{self, Cccr, Escr, EscrId};
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterId, CounterSet, Mode};

use crate::host::unit::Unit;

impl<T: Trigger> Unit for netburst::Device<T> {
    fn address(msr: u32) -> Option<Msr> {
        Msr::from_address(msr)
    }

    fn index(ecx: u32) -> Option<Index> {
        Index::from_raw(ecx)
    }

    /// A counter is on if its CCCR is, and the ESCR that it selects counts in this mode.
    fn counting(&self, mode: Mode) -> CounterSet {
        let state = self.state();
        let on = match mode {
            Mode::User => Escr::T0_USER,
            Mode::Kernel | Mode::Hypervisor => Escr::T0_KERNEL,
        };
        let is_on = |id: &CounterId| {
            let cccr = Cccr::from_bits_retain(state.cccrs[usize::from(id.number())]);
            let escr = EscrId::of(*id, cccr.escr_select()).map(|escr| state.escrs[escr as usize]);
            cccr.contains(Cccr::ENABLE) && escr.is_some_and(|escr| Escr::from_bits_retain(escr).contains(on))
        };
        CounterSet::first(18).into_iter().filter(is_on).collect()
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
