//! Overflows: when they happen, the status they set, and the interrupt line.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Work};

use super::{Arm, C, ENABLE, F0, INSTRUCTIONS, counter, device, read, select, start, write};
use crate::every_device::Family as _;
use crate::support::line::Level;

fn instructions(count: u64) -> Work {
    Work::instructions(Mode::Kernel, count)
}

fn overflowed<T: pmu::virt::Trigger>(device: &Device<T>) -> u64 {
    read(device, SystemRegister::OVERFLOW_SET)
}

#[test]
fn a_counter_of_64_bits_that_overflows_from_32_goes_on() {
    let cycles = SystemRegister::CYCLES;
    for (identity, at, bit) in [(Identity::NEOVERSE_N2, counter(0), 1), (Identity::CORTEX_A57, cycles, C)] {
        let line = Level::default();
        let device = device(&identity, &line);
        Arm::start(&device, &identity, (0, at, bit, 32), 0x7_FFFF_FFFF);
        device.advance(&instructions(1));
        assert_eq!((read(&device, at), line.rises()), (0x8_0000_0000, 1));
    }
}

#[test]
fn the_line_stays_high_until_the_last_reason_is_gone() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    (0..3).for_each(|number| start(&device, number, INSTRUCTIONS, 0xFFFF_FFFF));
    device.advance(&instructions(1));
    assert_eq!((overflowed(&device), device.is_asserted(), line.rises()), (0b111, true, 1));
    write(&device, SystemRegister::OVERFLOW_CLEAR, 0b001);
    write(&device, SystemRegister::INTERRUPT_CLEAR, 0b010);
    assert!(device.is_asserted() && line.is_high());
    write(&device, SystemRegister::OVERFLOW_CLEAR, 0b100);
    assert_eq!((overflowed(&device), device.is_asserted(), line.is_high()), (0b010, false, false));
}

#[test]
fn switching_the_unit_off_lowers_the_line_and_on_raises_it_again() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    start(&device, 0, INSTRUCTIONS, 0xFFFF_FFFF);
    device.advance(&instructions(1));
    write(&device, SystemRegister::CONTROL, 0);
    assert!(!device.is_asserted() && !line.is_high());
    write(&device, SystemRegister::CONTROL, ENABLE);
    assert_eq!((device.is_asserted(), line.rises()), (true, 2));
}

#[test]
fn an_overflow_that_software_sets_interrupts_like_any_other() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    write(&device, SystemRegister::CONTROL, ENABLE);
    write(&device, SystemRegister::INTERRUPT_SET, C);
    write(&device, SystemRegister::OVERFLOW_SET, C | 1);
    assert_eq!((overflowed(&device), line.rises()), (C | 1, 1));
}

#[test]
fn an_overflow_that_may_not_interrupt_shows_and_interrupts_once_it_may() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    start(&device, 4, INSTRUCTIONS, 0xFFFF_FFFF);
    write(&device, SystemRegister::INTERRUPT_CLEAR, 1 << 4);
    device.advance(&instructions(1));
    assert_eq!((overflowed(&device), line.rises()), (1 << 4, 0));
    write(&device, SystemRegister::INTERRUPT_SET, 1 << 4);
    assert_eq!(line.rises(), 1);
}

#[test]
fn until_overflow_counts_cycles_by_64_where_they_are_divided() {
    for (step, passed) in (1..=70).flat_map(|step| [0, 1, 62, 63].map(|passed| (step, passed))) {
        let line = Level::default();
        let device = device(&Identity::CORTEX_A57, &line);
        let divided = (1 << 3, SystemRegister::CYCLES, C, 32);
        Arm::start(&device, &Identity::CORTEX_A57, divided, 3u64.wrapping_neg());
        device.advance(&instructions(passed));
        let foretold = device.until_overflow(&instructions(step)).unwrap();
        device.advance(&instructions(step * (foretold - 1)));
        assert_eq!(line.rises(), 0, "{passed} cycles, then by {step}");
        device.advance(&instructions(step));
        assert_eq!(line.rises(), 1, "{passed} cycles, then by {step}");
    }
}

#[test]
fn no_overflow_is_foretold_that_would_not_interrupt() {
    let line = Level::default();
    let quiet = |change: &dyn Fn(&Device<&Level>)| {
        let device = device(&Identity::CORTEX_A57, &line);
        start(&device, 0, INSTRUCTIONS, 0);
        change(&device);
        device.until_overflow(&instructions(1))
    };
    assert_eq!(quiet(&|_| {}), Some(1 << 32));
    assert_eq!(quiet(&|device| write(device, SystemRegister::INTERRUPT_CLEAR, 1)), None);
    assert_eq!(quiet(&|device| write(device, SystemRegister::ENABLE_CLEAR, 1)), None);
    assert_eq!(quiet(&|device| write(device, SystemRegister::CONTROL, 0)), None);
    assert_eq!(quiet(&|device| write(device, select(0), 1 << 31 | INSTRUCTIONS)), None, "another level");
    assert_eq!(quiet(&|device| write(device, select(0), 0x10)), None, "branches, of which there are none");
}

const FREEZE: u64 = 1 << 9;

#[test]
fn an_overflow_freezes_events_and_instructions_but_not_cycles() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    start(&device, 0, INSTRUCTIONS, 0xFFFF_FFFF);
    start(&device, 1, INSTRUCTIONS, 0);
    write(&device, SystemRegister::ENABLE_SET, C | F0);
    write(&device, SystemRegister::CONTROL, ENABLE | FREEZE);
    device.advance(&instructions(1));
    device.advance(&instructions(10));
    let at = [counter(0), counter(1), SystemRegister::INSTRUCTIONS, SystemRegister::CYCLES];
    assert_eq!(at.map(|at| read(&device, at)), [0x1_0000_0000, 1, 1, 11]);
    write(&device, SystemRegister::OVERFLOW_CLEAR, 1);
    device.advance(&instructions(10));
    assert_eq!(at.map(|at| read(&device, at)), [0x1_0000_000A, 11, 11, 21]);
}

#[test]
fn cycles_freeze_with_the_events_if_dp_says_so_and_never_freeze_them() {
    let frozen = |control, overflow| {
        let line = Level::default();
        let device = device(&Identity::ARMV8_7, &line);
        start(&device, 0, INSTRUCTIONS, 0);
        write(&device, SystemRegister::ENABLE_SET, C);
        write(&device, SystemRegister::CONTROL, ENABLE | FREEZE | control);
        write(&device, SystemRegister::OVERFLOW_SET, overflow);
        device.advance(&instructions(5));
        [counter(0), SystemRegister::CYCLES].map(|at| read(&device, at))
    };
    assert_eq!(frozen(1 << 5, 1 << 7), [0, 0]);
    assert_eq!(frozen(0, 1 << 7), [0, 5]);
    assert_eq!(frozen(1 << 5, C), [5, 5]);
}

#[test]
fn a_host_is_stopped_where_an_overflow_that_does_not_interrupt_freezes_one_that_would() {
    let line = Level::default();
    let device = device(&Identity::ARMV8_7, &line);
    start(&device, 0, INSTRUCTIONS, 5u64.wrapping_neg());
    start(&device, 1, INSTRUCTIONS, 9u64.wrapping_neg());
    write(&device, SystemRegister::INTERRUPT_CLEAR, 1);
    write(&device, SystemRegister::CONTROL, ENABLE | FREEZE);
    assert_eq!(device.until_overflow(&instructions(1)), Some(5));
    device.advance(&instructions(5));
    assert_eq!((device.until_overflow(&instructions(1)), line.rises()), (None, 0));
}

#[test]
fn a_version_without_freezing_has_no_bit_for_it() {
    let line = Level::default();
    let device = device(&Identity::NEOVERSE_N2, &line);
    write(&device, SystemRegister::CONTROL, FREEZE);
    assert_eq!(read(&device, SystemRegister::CONTROL) & FREEZE, 0);
}

#[test]
fn a_line_that_was_high_is_high_again_without_a_rise() {
    let (here, there) = (Level::default(), Level::default());
    let source = device(&Identity::NEOVERSE_N1, &here);
    start(&source, 0, INSTRUCTIONS, 0xFFFF_FFFF);
    source.advance(&instructions(1));
    let target = device(&Identity::NEOVERSE_N1, &there);
    target.restore(source.snapshot().as_bytes()).unwrap();
    assert_eq!((target.is_asserted(), there.rises()), (true, 0), "the host tells its interrupt controller itself");
    assert_eq!(overflowed(&target), 1);
}
