//! Chained pairs: an odd counter counts the overflows of the even one below.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Trigger, Work};

use super::{CHAIN, ENABLE, INSTRUCTIONS, LONG_EVENTS, counter, device, read, select, start, write};
use crate::support::line::Level;

fn instructions(count: u64) -> Work {
    Work::instructions(Mode::Kernel, count)
}

/// Counters 2 and 3 count instructions together from `value`, and the odd one interrupts.
fn pair<T: Trigger>(device: &Device<T>, value: u64) {
    write(device, select(2), INSTRUCTIONS);
    write(device, select(3), CHAIN);
    write(device, counter(2), value & 0xFFFF_FFFF);
    write(device, counter(3), value >> 32);
    write(device, SystemRegister::INTERRUPT_SET, 1 << 3);
    write(device, SystemRegister::ENABLE_SET, 0b1100);
    write(device, SystemRegister::CONTROL, ENABLE);
}

fn value<T: Trigger>(device: &Device<T>) -> u64 {
    (read(device, counter(3)) & 0xFFFF_FFFF) << 32 | read(device, counter(2)) & 0xFFFF_FFFF
}

const WITH_32_BITS_AND_64: [Identity; 2] = [Identity::CORTEX_A57, Identity::NEOVERSE_N2];

#[test]
fn a_pair_counts_beyond_32_bits() {
    for identity in WITH_32_BITS_AND_64 {
        let line = Level::default();
        let device = device(&identity, &line);
        pair(&device, 0xFFFF_FFFE);
        for expected in [0xFFFF_FFFF, 0x1_0000_0000, 0x1_0000_0001] {
            device.advance(&instructions(1));
            assert_eq!(value(&device), expected, "{}", identity.name());
        }
        device.advance(&instructions(5 << 32 | 7));
        assert_eq!(value(&device), 0x6_0000_0008, "{}", identity.name());
    }
}

#[test]
fn a_pair_overflows_by_its_odd_half_and_the_even_half_says_so_too() {
    for identity in WITH_32_BITS_AND_64 {
        let line = Level::default();
        let device = device(&identity, &line);
        pair(&device, 1000u64.wrapping_neg());
        assert_eq!(device.until_overflow(&instructions(1)), Some(1000), "{}", identity.name());
        device.advance(&instructions(999));
        assert_eq!((line.rises(), read(&device, SystemRegister::OVERFLOW_SET)), (0, 0));
        device.advance(&instructions(1));
        assert_eq!((line.rises(), read(&device, SystemRegister::OVERFLOW_SET)), (1, 0b1100), "{}", identity.name());
    }
}

#[test]
fn until_overflow_sees_through_a_pair_however_far() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    pair(&device, 0);
    assert_eq!(device.until_overflow(&instructions(1 << 40)), Some(1 << 24));
    assert_eq!(device.until_overflow(&instructions(1)), None, "2^64 steps are no number of 64 bits");
    pair(&device, 1);
    assert_eq!(device.until_overflow(&instructions(1)), Some(u64::MAX));
}

#[test]
fn an_even_counter_never_counts_a_chain() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    start(&device, 1, INSTRUCTIONS, 0xFFFF_FFFF);
    start(&device, 2, CHAIN, 0);
    device.advance(&instructions(1));
    assert_eq!((read(&device, counter(1)), read(&device, counter(2))), (0, 0));
}

#[test]
fn a_chain_hears_only_of_the_counter_just_below() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    start(&device, 0, INSTRUCTIONS, 0xFFFF_FFFF);
    start(&device, 3, CHAIN, 0);
    device.advance(&instructions(1));
    assert_eq!(read(&device, counter(3)), 0);
}

#[test]
fn an_odd_counter_that_stands_still_loses_the_overflow() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    pair(&device, 0xFFFF_FFFF);
    write(&device, SystemRegister::ENABLE_CLEAR, 1 << 3);
    device.advance(&instructions(1));
    assert_eq!((value(&device), line.rises()), (0, 0));
}

#[test]
fn counters_that_overflow_from_64_bits_do_not_chain() {
    let line = Level::default();
    let device = device(&Identity::NEOVERSE_N2, &line);
    pair(&device, 0xFFFF_FFFF);
    write(&device, SystemRegister::CONTROL, ENABLE | LONG_EVENTS);
    device.advance(&instructions(1));
    assert_eq!((read(&device, counter(2)), read(&device, counter(3))), (0x1_0000_0000, 0));
}

#[test]
fn a_software_increment_carries_into_the_odd_half() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    pair(&device, 0xFFFF_FFFF);
    write(&device, select(2), 0);
    write(&device, SystemRegister::SOFTWARE_INCREMENT, 1 << 2);
    assert_eq!(value(&device), 0x1_0000_0000);
}
