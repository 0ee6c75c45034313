//! What the unit's registers hold, all of them.

use harness::Fingerprint;
use metal::get;
use pmu::arch::aarch64::SystemRegister;
use pmu::driver::Registers;

use super::unit;
use crate::system::level;

/// Every register that keeps what is written, beside the counters' own.
const COMMON: [SystemRegister; 6] = [
    SystemRegister::CONTROL,
    SystemRegister::ENABLE_SET,
    SystemRegister::INTERRUPT_SET,
    SystemRegister::OVERFLOW_SET,
    SystemRegister::USER_ENABLE,
    SystemRegister::SELECTOR,
];

/// A number that stays the same as long as the unit's registers do; no counter runs.
pub fn fingerprint() -> u64 {
    let hardware = unit::hardware();
    let counters = get!("pmcr_el0") >> 11 & 0x1f;
    let own = |number: u8| {
        let registers = [SystemRegister::counter(number), SystemRegister::select(number)];
        registers.map(|register| hardware.read(register.expect("there are fewer than 31")))
    };
    let mut events = [[0; 2]; 31];
    (0..counters as u8).zip(&mut events).for_each(|(number, event)| *event = own(number));
    let cycles = [SystemRegister::CYCLES, SystemRegister::CYCLE_FILTER].map(|at| hardware.read(at));
    let hypervisor = if level() == 2 { get!("mdcr_el2") } else { 0 };
    Fingerprint::of(&(COMMON.map(|at| hardware.read(at)), events, cycles, hypervisor))
}
