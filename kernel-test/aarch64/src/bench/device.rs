//! What does a unit in software take to answer a trapped access, and to count what a guest has done?
//!
//! From the syndrome to the value or the fault, and the general register: what a hypervisor adds to the cost of its exit.
//! Of all the registers that an overflow's handler and a start or a stop touch, the dearest. A report of work is timed with N
//! counters that count instructions and cycles in turn and all interrupt; once more when their selectors were written since.

use core::hint::black_box;

use harness::bench::{Reached, figure};
use pmu::Mode;
use pmu::arch::aarch64::pmuv3::Device;
use pmu::arch::aarch64::{Direction, SystemRegister, TrappedAccess};
use pmu::virt::{Device as _, Fault, Kinds, Unconnected, Work};

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
    measure_work(&Device::new(identity::modelled(), Kinds::CLOCK, Unconnected));
}

/// Prints what reports of work take.
fn measure_work(unit: &Unit) {
    let advance = black_box(advance as fn(&Unit, &Work));
    let until = black_box(until_overflow as fn(&Unit, &Work) -> Option<u64>);
    let work = black_box(Work::instructions(Mode::Kernel, 100));
    for count in [1, 4] {
        for number in 0..count {
            let select = SystemRegister::select(number).expect("every unit has four counters");
            unit.try_write(select, if number % 2 == 0 { 0x08 } else { 0x11 }).expect("it can be written");
        }
        let all = (1 << count) - 1;
        for (register, value) in
            [(SystemRegister::ENABLE_SET, all), (SystemRegister::INTERRUPT_SET, all), (SystemRegister::CONTROL, 1)]
        {
            unit.try_write(register, value).expect("it can be written");
        }
        figure::<Aarch64>(
            format_args!("aarch64.virt.advance.changed.{count}"),
            time(|| advance(unit, &work)).0,
            Reached::Called,
        );
        figure::<Aarch64>(
            format_args!("aarch64.virt.advance.{count}"),
            time(|| advance(unit, &work)).0,
            Reached::Called,
        );
        let (cost, steps) = time(|| until(unit, &work));
        assert!(steps.is_some(), "an overflow is ahead");
        figure::<Aarch64>(format_args!("aarch64.virt.until_overflow.{count}"), cost, Reached::Called);
    }
}

fn advance(unit: &Unit, work: &Work) {
    unit.advance(work);
}

fn until_overflow(unit: &Unit, work: &Work) -> Option<u64> {
    unit.until_overflow(work)
}

fn dearest(unit: &Unit, direction: Direction) -> u64 {
    let counters = (0..31).filter_map(SystemRegister::counter);
    let costs = COMMON.into_iter().chain(counters).filter_map(|register| cost(unit, register, direction));
    costs.max().expect("every unit has a counter")
}

fn cost(unit: &Unit, register: SystemRegister, direction: Direction) -> Option<u64> {
    let syndrome = black_box(TrappedAccess::new(register, direction, Some(3)).syndrome());
    let answer = black_box(answer as fn(&Unit, u64, &mut [u64; 31]) -> Result<(), Fault>);
    let mut general = black_box([1; 31]);
    let (cost, answered) = time(|| answer(unit, syndrome, &mut general));
    answered.ok().map(|()| cost)
}

fn answer(unit: &Unit, syndrome: u64, general: &mut [u64; 31]) -> Result<(), Fault> {
    let Some(access) = TrappedAccess::from_syndrome(syndrome) else { return Err(Fault::Absent) };
    unit.answer(Mode::Kernel, access, general)
}
