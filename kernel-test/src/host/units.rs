//! The families' units, as the machine finds their registers.

use pmu::arch::x86::intel::Device as Intel;
use pmu::arch::x86::{Index, Msr};
use pmu::virt::Trigger;

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
}
