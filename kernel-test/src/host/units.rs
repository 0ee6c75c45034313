//! The families' units, as the machine finds their registers.

use pmu::arch::x86::intel::device::State;
use pmu::arch::x86::intel::{Device as Intel, FixedControl, Select};
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device, Trigger};
use pmu::{CounterId, CounterSet, Mode};

use super::apic::Masking;
use super::unit::Unit;

impl<T: Trigger> Unit for Intel<T> {
    const MASKING: Masking = Masking::OnDelivery;

    fn address(msr: u32) -> Option<Msr> {
        Msr::from_address(msr)
    }

    fn index(ecx: u32) -> Option<Index> {
        Index::from_raw(ecx)
    }

    fn counting(&self, mode: Mode) -> CounterSet {
        let state = self.state();
        let (general, fixed) = match mode {
            Mode::User => (Select::USER, FixedControl::USER),
            Mode::Kernel | Mode::Hypervisor => (Select::KERNEL, FixedControl::KERNEL),
        };
        let is_on = |id: &CounterId| match state.selects.get(usize::from(id.number())) {
            Some(&select) => Select::from_bits_retain(select).contains(Select::ENABLE | general),
            None => FixedControl::of(*id, state.fixed_control).contains(fixed),
        };
        // Version 1 has no global control, and no counters beyond the selectors'.
        let enabled = self.try_read(Msr::GLOBAL_CONTROL).map_or(CounterSet::first(Msr::GENERAL), CounterSet::from_bits);
        enabled.into_iter().filter(is_on).collect()
    }

    fn registers(&self) -> State {
        State { ticks: 0, ..self.state() }
    }
}
