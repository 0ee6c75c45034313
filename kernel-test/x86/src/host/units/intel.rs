//! Intel's architectural unit, as the machine finds its registers.

use pmu::arch::x86::{Index, Msr, intel};
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterId, CounterSet, Mode};

use crate::host::unit::Unit;

impl<T: Trigger> Unit for intel::Device<T> {
    fn address(msr: u32) -> Option<Msr> {
        Msr::from_address(msr)
    }

    fn index(ecx: u32) -> Option<Index> {
        Index::from_raw(ecx)
    }

    fn counting(&self, mode: Mode) -> CounterSet {
        use intel::{FixedControl, Select};
        let state = self.state();
        let (general, fixed) = match mode {
            Mode::User => (Select::USER, FixedControl::USER),
            Mode::Kernel | Mode::Hypervisor => (Select::KERNEL, FixedControl::KERNEL),
        };
        let is_on = |id: &CounterId| match state.selects.get(usize::from(id.number())) {
            Some(&select) => Select::from_bits_retain(select).contains(Select::ENABLE | general),
            None => FixedControl::of(*id, state.fixed_control).contains(fixed),
        };
        if state.global_status & intel::GlobalStatus::COUNTERS_FROZEN.bits() != 0 {
            return CounterSet::EMPTY;
        }
        // Version 1 has no global control, and no counters beyond the selectors'.
        let enabled = self.try_read(Msr::GLOBAL_CONTROL).map_or(CounterSet::first(Msr::GENERAL), CounterSet::from_bits);
        enabled.into_iter().filter(is_on).collect()
    }

    fn debug_control(&self) -> Result<u64, Fault> {
        Ok(self.state().debug_control)
    }

    fn set_debug_control(&self, value: u64) -> Result<(), Fault> {
        self.set_debug_control(intel::DebugControl::from_bits(value).ok_or(Fault::Reserved)?);
        if self.state().debug_control == value { Ok(()) } else { Err(Fault::Reserved) }
    }

    fn registers(&self) -> Self::State {
        let mut state = self.state();
        state.ticks = 0;
        state
    }
}
