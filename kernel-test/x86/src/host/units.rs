//! The families' units, as the machine finds their registers.

use pmu::arch::x86::{Block, Index, Msr, amd, intel};
use pmu::virt::{Device, Fault, Trigger};
use pmu::{CounterId, CounterSet, Mode};

use super::apic::Masking;
use super::unit::Unit;

impl<T: Trigger> Unit for intel::Device<T> {
    const MASKING: Masking = Masking::OnDelivery;

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

    fn registers(&self) -> intel::device::State {
        intel::device::State { ticks: 0, ..self.state() }
    }
}

impl<T: Trigger> Unit for amd::Device<T> {
    const MASKING: Masking = Masking::Never;

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

    fn registers(&self) -> amd::device::State {
        amd::device::State { ticks: 0, ..self.state() }
    }
}
