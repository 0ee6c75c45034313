//! What does a unit in software take to answer a trapped instruction?
//!
//! From the number that the instruction bears to the value or the fault: what a hypervisor adds to
//! the cost of its exit. Of all the registers that an overflow's handler and a start or a stop
//! touch, the dearest; a kernel reaches the others when it sets counters up.

use core::hint::black_box;

use pmu::arch::x86::intel::Device;
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device as _, Fault, Kinds, Unconnected};

use super::stopwatch::time;
use super::{Reached, print};
use crate::identity;

type Unit = Device<Unconnected>;
type Answer<T> = Result<T, Fault>;

/// Prints the figures.
pub fn measure() {
    let unit = Unit::new(&identity::presented().processor, Kinds::CLOCK, Unconnected);
    print("virt.rdmsr", dearest(hot_registers(), |register| cost_of_reading(&unit, register)), Reached::Called);
    print("virt.wrmsr", dearest(hot_registers(), |register| cost_of_writing(&unit, register)), Reached::Called);
    let counters = (0..32).flat_map(|number| [number, number | 1 << 30]);
    print("virt.rdpmc", dearest(counters, |index| cost_of_counting(&unit, index)), Reached::Called);
}

/// Every counter by either of its addresses, and global status, control and reset.
fn hot_registers() -> impl Iterator<Item = u32> {
    (0xc1..0xcb).chain(0x4c1..0x4cb).chain(0x309..0x310).chain(0x38e..0x391)
}

/// The greatest cost of those that there are.
fn dearest(numbers: impl Iterator<Item = u32>, cost: impl Fn(u32) -> Option<u64>) -> u64 {
    numbers.filter_map(cost).max().expect("every unit has a counter")
}

fn cost_of_reading(unit: &Unit, register: u32) -> Option<u64> {
    let read = black_box(read as fn(&Unit, u32) -> Answer<u64>);
    let (cost, answer) = time(|| read(unit, register));
    answer.ok().map(|_| cost)
}

fn cost_of_writing(unit: &Unit, register: u32) -> Option<u64> {
    let write = black_box(write as fn(&Unit, u32, u64) -> Answer<()>);
    let (cost, answer) = time(|| write(unit, register, 1));
    answer.ok().map(|()| cost)
}

fn cost_of_counting(unit: &Unit, index: u32) -> Option<u64> {
    let read_counter = black_box(read_counter as fn(&Unit, u32) -> Answer<u64>);
    let (cost, answer) = time(|| read_counter(unit, index));
    answer.ok().map(|_| cost)
}

fn read(unit: &Unit, register: u32) -> Answer<u64> {
    unit.try_read(Msr::from_address(register).ok_or(Fault::Absent)?)
}

fn write(unit: &Unit, register: u32, value: u64) -> Answer<()> {
    unit.try_write(Msr::from_address(register).ok_or(Fault::Absent)?, value)
}

fn read_counter(unit: &Unit, index: u32) -> Answer<u64> {
    unit.try_read_counter(Index::from_raw(index).ok_or(Fault::Absent)?)
}
