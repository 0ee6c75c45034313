//! Which accesses fault.

use pmu::arch::x86::p6::Identity;
use pmu::arch::x86::{Index, Msr};
use pmu::virt::{Device as _, Fault};

use super::{counter, device, select};
use crate::support::hostile::Line;

/// What each identity answers to one write.
fn of_each(at: Msr, value: u64) -> [Result<(), Fault>; 4] {
    let line = Line::default();
    Identity::ALL.map(|identity| device(&identity, &line).try_write(at, value))
}

#[test]
fn the_enable_bit_is_in_the_first_selector_alone() {
    assert_eq!(of_each(select(0), 1 << 22), [Ok(()); 4]);
    assert_eq!(of_each(select(1), 1 << 22), [Err(Fault::Reserved); 4]);
}

#[test]
fn a_reserved_bit_of_a_selector_faults_and_changes_nothing() {
    for bit in [21].into_iter().chain(32..64) {
        for number in [0, 1] {
            assert_eq!(of_each(select(number), 1 << bit | 0x79), [Err(Fault::Reserved); 4], "bit {bit} of {number}");
        }
    }
    let line = Line::default();
    let device = device(&Identity::PENTIUM_III, &line);
    device.try_write(select(0), 0x79).unwrap();
    assert_eq!(device.try_write(select(0), 1 << 21), Err(Fault::Reserved));
    assert_eq!(device.try_read(select(0)), Ok(0x79));
}

#[test]
fn no_value_of_a_counter_faults() {
    assert_eq!([0, u64::MAX, 1 << 40].map(|value| of_each(counter(1), value)), [[Ok(()); 4]; 3]);
}

#[test]
fn the_pentium_4s_fast_read_faults() {
    let line = Line::default();
    let device = device(&Identity::PENTIUM_III, &line);
    assert_eq!(device.try_read_counter(Index::from_raw(1 << 31).unwrap()), Err(Fault::Absent));
}
