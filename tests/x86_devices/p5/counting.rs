//! What counts, in which mode, and how far.

use pmu::arch::x86::Msr;
use pmu::arch::x86::p5::{Device, Identity};
use pmu::driver::Registers as _;
use pmu::virt::{Device as _, Kind, Kinds, Work};
use pmu::{CounterSet, Mode};

use super::{counter, device};

const INSTRUCTIONS: u64 = 0x16;
const KERNEL: u64 = 1 << 6;
const USER: u64 = 1 << 7;
const CLOCKS: u64 = 1 << 8;

fn counts(device: &Device) -> [u64; 2] {
    [0, 1].map(|number| device.read(counter(number)))
}

fn work(device: &Device, mode: Mode, count: u64) {
    device.advance(&Work::instructions(mode, count));
}

/// SDM vol. 3, "Control and Event Select Register (CESR)": CC.
#[test]
fn the_counter_control_chooses_the_levels() {
    for (control, expected) in [(0, 0), (KERNEL, 20), (USER, 3), (KERNEL | USER, 23), (CLOCKS, 0)] {
        let device = device(&Identity::P5);
        device.write(Msr::CESR, (INSTRUCTIONS | control) << 16);
        work(&device, Mode::User, 3);
        work(&device, Mode::Kernel, 20);
        assert_eq!(counts(&device), [0, expected], "{control:#x}");
    }
}

#[test]
fn both_counters_count_by_themselves() {
    let device = device(&Identity::P5_MMX);
    device.write(Msr::CESR, (INSTRUCTIONS | USER) << 16 | 0x30 | KERNEL);
    work(&device, Mode::User, 3);
    work(&device, Mode::Kernel, 20);
    assert_eq!(counts(&device), [20, 3]);
    device.write(Msr::CESR, (INSTRUCTIONS | USER) << 16);
    work(&device, Mode::User, 3);
    assert_eq!(counts(&device), [20, 6]);
}

#[test]
fn a_counter_wraps_at_40_bits_and_tells_nobody() {
    let device = device(&Identity::P5);
    device.write(counter(0), u64::MAX);
    assert_eq!(counts(&device), [(1 << 40) - 1, 0]);
    device.write(Msr::CESR, INSTRUCTIONS | KERNEL | USER);
    assert_eq!(device.until_overflow(&Work::instructions(Mode::User, 1)), None, "no overflow interrupts");
    work(&device, Mode::User, 5);
    assert_eq!(counts(&device), [4, 0]);
}

/// SDM vol. 3, "Pentium Processor Performance Monitoring Events": one number is two events from 2AH on.
#[test]
fn each_counter_has_its_own_events_of_mmx() {
    let step = Work::none(Mode::User).with(Kind::Cycles, 1).with(Kind::TakenBranches, 10).with(Kind::Branches, 100);
    let step = step.with(Kind::MispredictedBranches, 1000);
    let observed = [Kind::TakenBranches, Kind::Branches, Kind::MispredictedBranches];
    let observed = observed.into_iter().fold(Kinds::CLOCK, Kinds::with);
    let counted = |identity, event: u64| {
        let device = Device::new(identity, observed);
        device.write(Msr::CESR, (event | USER) << 16 | event | USER);
        device.advance(&step);
        (counts(&device), device.unfed())
    };
    let (none, first, second) = (CounterSet::EMPTY, CounterSet::from_bits(1), CounterSet::from_bits(2));
    assert_eq!(counted(&Identity::P5_MMX, 0x12), ([100; 2], none));
    assert_eq!(counted(&Identity::P5_MMX, 0x30), ([1, 0], second));
    assert_eq!(counted(&Identity::P5_MMX, 0x32), ([0, 10], first));
    assert_eq!(counted(&Identity::P5_MMX, 0x35), ([1000, 0], second));
    for event in [0x30, 0x32, 0x35] {
        assert_eq!(counted(&Identity::P5, event), ([0; 2], CounterSet::first(2)), "{event:#x}");
    }
}

#[test]
fn clocks_of_an_event_are_not_known_and_said_to_be_missing() {
    let device = device(&Identity::P5_MMX);
    device.write(Msr::CESR, (INSTRUCTIONS | USER | CLOCKS) << 16 | 0x30 | USER | CLOCKS);
    work(&device, Mode::User, 3);
    assert_eq!(
        (counts(&device), device.unfed()),
        ([3, 0], CounterSet::from_bits(2)),
        "cycles last as long as they are"
    );
    assert_eq!(device.wanted(), Kinds::NONE.with(Kind::Cycles));
}
