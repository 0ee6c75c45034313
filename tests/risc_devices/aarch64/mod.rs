//! Arm's unit in software behaves as the manual says, and a guest cannot misuse it.

mod chains;
mod counting;
mod faults;
mod guest;
mod guests;
mod hypervisors;
mod identities;
mod model;
mod overflow;
mod strict;
mod thresholds;
mod trapped;
mod users;
mod windows;

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{self, Fault, Kinds};

use crate::every_device::{Edge, Family, Judged, StateOf};
use crate::support::line::Level;
use model::Model;

pub(crate) fn device<'l>(identity: &Identity, line: &'l Level) -> Device<&'l Level> {
    Device::new(identity, Kinds::CLOCK, line)
}

pub(crate) const INSTRUCTIONS: u64 = 0x0008;
pub(crate) const CYCLES: u64 = 0x0011;
pub(crate) const CHAIN: u64 = 0x001E;
/// PMCR_EL0.E, LP and LC.
pub(crate) const ENABLE: u64 = 1 << 0;
pub(crate) const LONG_EVENTS: u64 = 1 << 7;
pub(crate) const LONG_CYCLES: u64 = 1 << 6;
/// The bits of the cycle counter and the instruction counter.
pub(crate) const C: u64 = 1 << 31;
pub(crate) const F0: u64 = 1 << 32;

pub(crate) fn counter(number: u8) -> SystemRegister {
    SystemRegister::counter(number).unwrap()
}

pub(crate) fn select(number: u8) -> SystemRegister {
    SystemRegister::select(number).unwrap()
}

/// Writes a register as EL1 does; it must be there.
pub(crate) fn write<D: virt::Device<Address = SystemRegister>>(device: &D, at: SystemRegister, value: u64) {
    assert_eq!(device.try_write(at, value), Ok(()), "{at:?}");
}

/// Reads a register as EL1 does; it must be there.
pub(crate) fn read<D: virt::Device<Address = SystemRegister>>(device: &D, at: SystemRegister) -> u64 {
    device.try_read(at).unwrap_or_else(|fault| panic!("{at:?}: {fault}"))
}

/// Event counter `number` counts `event` from `start`, and interrupts; the unit is on.
pub(crate) fn start<D: virt::Device<Address = SystemRegister>>(device: &D, number: u8, event: u64, start: u64) {
    write(device, select(number), event);
    write(device, counter(number), start);
    write(device, SystemRegister::INTERRUPT_SET, 1 << number);
    write(device, SystemRegister::ENABLE_SET, 1 << number);
    write(device, SystemRegister::CONTROL, read(device, SystemRegister::CONTROL) | ENABLE);
}

/// What PMCR_EL0 makes of a counter's width: PMCR_EL0, the counter, its bit, and the bit whose carry is its overflow.
type Counter = (u64, SystemRegister, u64, u32);

/// Counters that some processors have, or have so wide.
const WIDE: [(Identity, Counter); 5] = [
    (Identity::CORTEX_A57, (0, SystemRegister::CYCLES, C, 32)),
    (Identity::CORTEX_A57, (LONG_CYCLES, SystemRegister::CYCLES, C, 64)),
    (Identity::NEOVERSE_N2, (LONG_EVENTS, SystemRegister::counter(0).unwrap(), 1, 64)),
    (Identity::ARMV8_7, (0, SystemRegister::CYCLES, C, 64)),
    (Identity::ARMV9_4, (0, SystemRegister::INSTRUCTIONS, F0, 64)),
];

struct Arm;

impl Family for Arm {
    lends! { pmu::arch::aarch64::pmuv3, ticks; is_asserted }

    type Counter = Counter;

    const JUDGED: &'static [Judged<Self>] = &[
        (Identity::CORTEX_A57.for_guest(), |state| state.counters[6] = 1, Err(Fault::Absent)),
        (Identity::CORTEX_A57.for_guest(), |state| state.selects[32] = 1, Err(Fault::Absent)),
        (Identity::CORTEX_A57.for_guest(), |state| state.user_access = 1, Err(Fault::Absent)),
        (Identity::CORTEX_A57.for_guest(), |state| state.hypervisor_control = 1, Err(Fault::Absent)),
        (Identity::CORTEX_A57.for_guest(), |state| state.counters[5] = 1 << 32, Err(Fault::Reserved)),
        (Identity::CORTEX_A57.for_guest(), |state| state.counters[31] = u64::MAX, Ok(())),
    ];

    fn identities() -> Vec<Identity> {
        Identity::ALL.into_iter().chain(Identity::ALL.map(Identity::for_guest)).collect()
    }

    fn contents(identity: &Identity) -> Vec<StateOf<Self>> {
        vec![Model::new(identity).fullest()]
    }

    fn counters(identity: &Identity) -> Vec<Counter> {
        let own = WIDE.iter().filter(|(of, _)| of.name() == identity.name()).map(|&(_, counter)| counter);
        [(0, counter(0), 1, 32), (0, counter(1), 2, 32)].into_iter().chain(own).collect()
    }

    fn edge(_: &Identity, (.., bits): Counter) -> Edge {
        Edge::wrapping(bits)
    }

    fn start<D>(unit: &D, _: &Identity, (control, at, bit, _): Counter, value: u64)
    where
        D: virt::Device<Address = SystemRegister>,
    {
        write(unit, SystemRegister::OVERFLOW_CLEAR, bit);
        write(unit, select(u8::from(at == counter(1))), INSTRUCTIONS);
        write(unit, at, value);
        write(unit, SystemRegister::INTERRUPT_SET, bit);
        write(unit, SystemRegister::ENABLE_SET, bit);
        write(unit, SystemRegister::CONTROL, control | ENABLE);
    }

    fn value<D: virt::Device<Address = SystemRegister>>(unit: &D, (_, at, ..): Counter) -> u64 {
        read(unit, at)
    }
}

every_device! { Arm, judged, interrupts, latches, levels }
