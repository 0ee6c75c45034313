//! Two counters that are one of 64 bits.

use pmu::arch::x86::Index;
use pmu::arch::x86::amd::{Device, Identity};
use pmu::driver::Registers;
use pmu::virt::Device as _;
use pmu::{CounterId, CounterSet};

use super::{INSTRUCTIONS, ON, counter, device, select};
use crate::support::hostile::Line;
use crate::support::work::instructions;

const ENABLE: u64 = 1 << 22;
/// Event FFFH, enabled.
const MERGE: u64 = 0xF << 32 | ENABLE | 0xFF;

/// Counters 2 and 3 merged, counting instructions from `value` on.
fn merged<'l>(identity: &Identity, line: &'l Line, value: u64) -> Device<&'l Line> {
    let device = device(identity, line);
    device.write(select(3), MERGE);
    device.write(select(2), ON | INSTRUCTIONS);
    device.write(counter(3), value >> 48);
    device.write(counter(2), value);
    device
}

#[test]
fn the_even_counter_reads_as_all_64_bits() {
    let line = Line::default();
    let device = merged(&Identity::ZEN_2, &line, 0x1234_5678_9ABC_DEF0);
    let by_index = device.try_read_counter(Index::of(CounterId::new(2).unwrap()));
    assert_eq!((device.try_read(counter(2)), by_index), (Ok(0x1234_5678_9ABC_DEF0), Ok(0x1234_5678_9ABC_DEF0)));
    assert_eq!(device.read(counter(3)), 0x1234);
}

#[test]
fn counting_carries_into_the_odd_counter() {
    let line = Line::default();
    let device = merged(&Identity::ZEN_4, &line, (7 << 48) - 2);
    device.advance(&instructions(5));
    assert_eq!((device.read(counter(2)), line.rises()), (7 << 48 | 3, 0));
}

#[test]
fn it_overflows_where_64_bits_do() {
    for n in 1..=2000_u64 {
        let line = Line::default();
        let device = merged(&Identity::ZEN_2, &line, n.wrapping_neg());
        assert_eq!(device.until_overflow(&instructions(1)), Some(n));
        device.advance(&instructions(n - 1));
        assert_eq!(line.rises(), 0, "{n}");
        device.advance(&instructions(1));
        assert_eq!((line.rises(), device.read(counter(2))), (1, 0), "{n}");
    }
}

#[test]
fn a_preset_without_its_upper_half_overflows_only_after_a_long_time() {
    let line = Line::default();
    let device = merged(&Identity::ZEN_2, &line, 0_u64.wrapping_sub(10) & 0xFFFF_FFFF_FFFF);
    device.advance(&instructions(10));
    assert_eq!((line.rises(), device.read(counter(2))), (0, 1 << 48));
}

#[test]
fn its_overflow_is_the_even_counters() {
    let line = Line::default();
    let device = merged(&Identity::ZEN_4, &line, u64::MAX);
    device.advance(&instructions(1));
    assert_eq!((device.read(pmu::arch::x86::Msr::CORE_STATUS), line.rises()), (1 << 2, 1));
}

#[test]
fn the_odd_counter_is_nothing_that_somebody_should_observe() {
    let line = Line::default();
    let device = merged(&Identity::ZEN_2, &line, 0);
    device.write(select(3), MERGE | ON);
    assert_eq!(device.unfed(), CounterSet::EMPTY);
    device.write(select(2), MERGE | ON);
    assert_eq!(device.unfed(), CounterSet::from_bits(1 << 2), "an even counter merges with none");
}

#[test]
fn unless_it_is_enabled_the_odd_counter_is_its_own() {
    let line = Line::default();
    let device = merged(&Identity::ZEN_2, &line, 5 << 48 | 1);
    device.write(select(3), MERGE & !ENABLE);
    assert_eq!((device.read(counter(2)), device.read(counter(3))), (1, 5));
}

#[test]
fn before_zen_nothing_merges() {
    let line = Line::default();
    let device = merged(&Identity::FAMILY_15H, &line, 5 << 48 | 1);
    device.advance(&instructions(1));
    assert_eq!((device.read(counter(2)), device.read(counter(3))), (2, 5));
}
