//! What does a unit in software take to answer a trapped instruction, and to count what a guest has done?
//!
//! From the number that the instruction bears to the value or the fault: what a hypervisor adds to
//! the cost of its exit. Of all the registers that an overflow's handler and a start or a stop
//! touch, the dearest; a kernel reaches the others when it sets counters up. A report of work is timed with N counters
//! that count instructions and cycles in turn and all interrupt; once more when one of their selectors was written since.

use core::hint::black_box;

use harness::bench::{Reached, figure};
use harness::println;
use pmu::Mode;
use pmu::arch::x86::{Index, Msr, amd, intel, netburst, p5, p6};
use pmu::virt::{Device, Fault, Kinds, Unconnected, Work};

use super::X86;
use super::stopwatch::time;
use crate::identity::{self, Processor};

/// So many counters count while work is reported.
const COUNTS: [u32; 3] = [1, 4, 8];

/// A unit of any family.
trait Unit: Device<Address = Msr, Index = Index> {}

impl<D: Device<Address = Msr, Index = Index>> Unit for D {}

type Answer<T> = Result<T, Fault>;

/// Prints the figures.
pub fn measure() {
    match &identity::presented().processor {
        Processor::Intel(identity) => {
            let unit = intel::Device::new(identity, Kinds::CLOCK, Unconnected);
            measure_on(&unit);
            measure_work(&unit, |number| 0x186 + number, 0x3c);
        }
        Processor::Amd(identity) => {
            let unit = amd::Device::new(identity, Kinds::CLOCK, Unconnected);
            measure_on(&unit);
            let has_core = read(&unit, 0xc001_0200).is_ok();
            measure_work(&unit, |number| if has_core { 0xc001_0200 + 2 * number } else { 0xc001_0000 + number }, 0x76);
        }
        Processor::Netburst(identity) => measure_older(&netburst::Device::new(identity, Kinds::CLOCK, Unconnected)),
        Processor::P6(identity) => measure_older(&p6::Device::new(identity, Kinds::CLOCK, Unconnected)),
        Processor::P5(identity) => measure_older(&p5::Device::new(identity, Kinds::CLOCK)),
    }
}

fn measure_older(unit: &impl Unit) {
    measure_on(unit);
    COUNTS.into_iter().for_each(|count| leave_work_out(count, "it is measured on AMD's units and Intel's later ones"));
}

fn measure_on(unit: &impl Unit) {
    print("x86.virt.rdmsr", dearest(hot_registers(), |register| cost_of_reading(unit, register)));
    print("x86.virt.wrmsr", dearest(hot_registers(), |register| cost_of_writing(unit, register)));
    let counters = (0..32).flat_map(|number| [number, number | 1 << 30]);
    print("x86.virt.rdpmc", dearest(counters, |index| cost_of_counting(unit, index)));
}

/// Prints what reports of work take, with selectors at these addresses and this event for cycles.
fn measure_work<U: Unit>(unit: &U, select: impl Fn(u32) -> u32, cycles: u64) {
    let advance = black_box(advance as fn(&U, &Work));
    let until = black_box(until_overflow as fn(&U, &Work) -> Option<u64>);
    let work = black_box(Work::instructions(Mode::Kernel, 100));
    for count in COUNTS {
        let start = |number| write(unit, select(number), 0x0053_0000 | if number % 2 == 0 { 0xc0 } else { cycles });
        if (0..count).any(|number| start(number).is_err()) {
            leave_work_out(count, "the processor does not have as many counters");
            continue;
        }
        let enabled = write(unit, 0x38f, (1 << count) - 1).or_else(|_| write(unit, 0xc000_0301, (1 << count) - 1));
        figure::<X86>(
            format_args!("x86.virt.advance.changed.{count}"),
            time(|| advance(unit, &work)).0,
            Reached::Called,
        );
        assert!(enabled.is_ok() || read(unit, 0x38f).is_err(), "a global control enables the counters");
        figure::<X86>(format_args!("x86.virt.advance.{count}"), time(|| advance(unit, &work)).0, Reached::Called);
        figure::<X86>(format_args!("x86.virt.until_overflow.{count}"), time(|| until(unit, &work)).0, Reached::Called);
    }
}

/// Prints why it is not known what reports of work take with so many counters.
fn leave_work_out(count: u32, why: &str) {
    for figure in ["advance", "advance.changed", "until_overflow"] {
        println!("absent x86.virt.{figure}.{count} {why}");
    }
}

fn advance<U: Unit>(unit: &U, work: &Work) {
    unit.advance(work);
}

fn until_overflow<U: Unit>(unit: &U, work: &Work) -> Option<u64> {
    unit.until_overflow(work)
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
