//! What does a unit in software take to answer a trapped instruction?
//!
//! From the number that the instruction bears to the value or the fault: what a hypervisor adds to
//! the cost of its exit. Of all the registers that an overflow's handler and a start or a stop
//! touch, the dearest; a kernel reaches the others when it sets counters up.

use core::hint::black_box;

use harness::bench::{Reached, figure};
use pmu::arch::x86::{Index, Msr, amd, intel, netburst, p5, p6};
use pmu::virt::{Device, Fault, Kinds, Unconnected};

use super::X86;
use super::stopwatch::time;
use crate::console::println;
use crate::identity::{self, Processor};

/// A unit of any family.
trait Unit: Device<Address = Msr, Index = Index> {}

impl<D: Device<Address = Msr, Index = Index>> Unit for D {}

type Answer<T> = Result<T, Fault>;

/// Prints the figures.
pub fn measure() {
    match &identity::presented().processor {
        Processor::Intel(identity) => measure_on(&intel::Device::new(identity, Kinds::CLOCK, Unconnected)),
        Processor::Amd(identity) => measure_on(&amd::Device::new(identity, Kinds::CLOCK, Unconnected)),
        Processor::Netburst(identity) => measure_on(&netburst::Device::new(identity, Kinds::CLOCK, Unconnected)),
        Processor::P6(identity) => measure_on(&p6::Device::new(identity, Kinds::CLOCK, Unconnected)),
        Processor::P5(identity) => measure_on(&p5::Device::new(identity, Kinds::CLOCK)),
    }
}

fn measure_on(unit: &impl Unit) {
    print("x86.virt.rdmsr", dearest(hot_registers(), |register| cost_of_reading(unit, register)));
    print("x86.virt.wrmsr", dearest(hot_registers(), |register| cost_of_writing(unit, register)));
    let counters = (0..32).flat_map(|number| [number, number | 1 << 30]);
    print("x86.virt.rdpmc", dearest(counters, |index| cost_of_counting(unit, index)));
}

/// Prints a figure, or that no register can be reached so: RDPMC on a Pentium without MMX.
fn print(name: &str, cost: Option<u64>) {
    match cost {
        Some(cost) => figure::<X86>(name, cost, Reached::Called),
        None => println!("absent {name} the processor does not have the instruction"),
    }
}

/// Every counter by either of its addresses, and global status, control and reset; the selectors too where they start
/// and stop counters.
fn hot_registers() -> impl Iterator<Item = u32> {
    let intel = (0xc1..0xcb).chain(0x4c1..0x4cb).chain(0x309..0x310).chain(0x38e..0x391);
    let older = (0x11..0x14).chain(0x186..0x188).chain(0x300..0x312).chain(0x360..0x372);
    intel.chain(older).chain(0xc001_0000..0xc001_0008).chain(0xc001_0200..0xc001_020c).chain(0xc000_0300..0xc000_0303)
}

/// The greatest cost of those that there are.
fn dearest(numbers: impl Iterator<Item = u32>, cost: impl Fn(u32) -> Option<u64>) -> Option<u64> {
    numbers.filter_map(cost).max()
}

fn cost_of_reading<U: Unit>(unit: &U, register: u32) -> Option<u64> {
    let read = black_box(read as fn(&U, u32) -> Answer<u64>);
    let (cost, answer) = time(|| read(unit, register));
    answer.ok().map(|_| cost)
}

fn cost_of_writing<U: Unit>(unit: &U, register: u32) -> Option<u64> {
    let write = black_box(write as fn(&U, u32, u64) -> Answer<()>);
    let (cost, answer) = time(|| write(unit, register, 1));
    answer.ok().map(|()| cost)
}

fn cost_of_counting<U: Unit>(unit: &U, index: u32) -> Option<u64> {
    let read_counter = black_box(read_counter as fn(&U, u32) -> Answer<u64>);
    let (cost, answer) = time(|| read_counter(unit, index));
    answer.ok().map(|_| cost)
}

fn read<U: Unit>(unit: &U, register: u32) -> Answer<u64> {
    unit.try_read(Msr::from_address(register).ok_or(Fault::Absent)?)
}

fn write<U: Unit>(unit: &U, register: u32, value: u64) -> Answer<()> {
    unit.try_write(Msr::from_address(register).ok_or(Fault::Absent)?, value)
}

fn read_counter<U: Unit>(unit: &U, index: u32) -> Answer<u64> {
    unit.try_read_counter(Index::from_raw(index).ok_or(Fault::Absent)?)
}
