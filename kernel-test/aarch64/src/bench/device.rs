//! What does a unit in software take to answer a trapped access?
//!
//! From the syndrome to the value or the fault, and the general register: what a hypervisor adds to the cost of its exit.
//! Of all the registers that an overflow's handler and a start or a stop touch, the dearest.

use core::hint::black_box;

use harness::bench::{Reached, figure};
use pmu::Mode;
use pmu::arch::aarch64::pmuv3::Device;
use pmu::arch::aarch64::{Access, Direction, SystemRegister};
use pmu::virt::{Fault, Kinds, Unconnected};

use super::Aarch64;
use super::stopwatch::time;
use crate::identity;

type Unit = Device<Unconnected>;

/// Every counter, and the registers that start, stop and acknowledge.
const COMMON: [SystemRegister; 6] = [
    SystemRegister::CONTROL,
    SystemRegister::ENABLE_SET,
    SystemRegister::ENABLE_CLEAR,
    SystemRegister::OVERFLOW_SET,
    SystemRegister::OVERFLOW_CLEAR,
    SystemRegister::CYCLES,
];

/// Prints the figures.
pub fn measure() {
    let unit = Device::new(identity::modelled(), Kinds::CLOCK, Unconnected);
    figure::<Aarch64>("aarch64.virt.mrs", dearest(&unit, Direction::Read), Reached::Called);
    figure::<Aarch64>("aarch64.virt.msr", dearest(&unit, Direction::Write), Reached::Called);
}

fn dearest(unit: &Unit, direction: Direction) -> u64 {
    let counters = (0..31).filter_map(SystemRegister::counter);
    let costs = COMMON.into_iter().chain(counters).filter_map(|register| cost(unit, register, direction));
    costs.max().expect("every unit has a counter")
}

fn cost(unit: &Unit, register: SystemRegister, direction: Direction) -> Option<u64> {
    let syndrome = black_box(Access::new(register, direction, Some(3)).syndrome());
    let answer = black_box(answer as fn(&Unit, u64, &mut [u64; 31]) -> Result<(), Fault>);
    let mut general = black_box([1; 31]);
    let (cost, answered) = time(|| answer(unit, syndrome, &mut general));
    answered.ok().map(|()| cost)
}

fn answer(unit: &Unit, syndrome: u64, general: &mut [u64; 31]) -> Result<(), Fault> {
    let Some(access) = Access::from_syndrome(syndrome) else { return Err(Fault::Absent) };
    unit.answer(Mode::Kernel, access, general)
}
