//! When a counter overflows, and what interrupts.

use pmu::Mode;
use pmu::arch::sparc::Asr;
use pmu::arch::sparc::niagara::Identity;
use pmu::virt::{Device as _, Work};

use crate::niagara::{instructions, pcr, pic, with};

/// pic0 counts instructions in user programs; pic1 counts nothing.
const PIC0: u64 = 0x2FD << 6 | 0x200 << 19 | 0x4;
const TOE0: u64 = 1 << 4;
const OV0: u64 = 1 << 18;
const OV1: u64 = 1 << 31;
const HOLD0: u64 = 1 << 62;
const HOLD1: u64 = 1 << 63;

/// OpenSPARC T2, pmu_pct_ctl.v: OV is set if an event is counted while the value is between -16 and -1.
#[test]
fn t2_overflows_on_the_first_event_from_minus_sixteen_on() {
    let device = with(&Identity::T2, PIC0 | TOE0, 0xFFFF_FFEF);
    instructions(&device, Mode::User, 1);
    assert_eq!((pic(&device), pcr(&device) & OV0, device.trigger().rises()), (0xFFFF_FFF0, 0, 0));
    instructions(&device, Mode::User, 1);
    assert_eq!((pic(&device), pcr(&device) & OV0, device.trigger().rises()), (0xFFFF_FFF1, OV0, 1));
}

#[test]
fn t2_overflows_at_the_wrap_if_it_may_not_trap_and_does_not_interrupt() {
    let device = with(&Identity::T2, PIC0, 0xFFFF_FFFE);
    instructions(&device, Mode::User, 1);
    assert_eq!(pcr(&device) & OV0, 0);
    instructions(&device, Mode::User, 1);
    assert_eq!((pic(&device), pcr(&device) & OV0, device.trigger().rises()), (0, OV0, 0));
    device.try_write(Asr::Pcr, PIC0 | TOE0 | HOLD0).unwrap();
    assert_eq!(device.trigger().rises(), 1, "it interrupts once it may");
}

#[test]
fn a_write_that_holds_an_overflow_bit_leaves_it_and_another_replaces_it() {
    let device = with(&Identity::T2, OV0 | OV1, 0);
    assert_eq!(pcr(&device), OV0 | OV1);
    device.try_write(Asr::Pcr, HOLD0).unwrap();
    assert_eq!(pcr(&device), OV0);
    device.try_write(Asr::Pcr, OV1 | HOLD1).unwrap();
    assert_eq!(pcr(&device), 0);
}

#[test]
fn the_line_falls_with_its_last_reason() {
    let device = with(&Identity::T2, PIC0 | TOE0 | 1 << 5 | OV0 | OV1, 0);
    assert_eq!(device.trigger().rises(), 1);
    device.try_write(Asr::Pcr, TOE0 | 1 << 5 | HOLD1).unwrap();
    assert_eq!(device.trigger().falls(), 0);
    device.try_write(Asr::Pcr, HOLD0 | HOLD1).unwrap();
    assert_eq!(device.trigger().falls(), 1);
}

#[test]
fn t1_overflows_at_the_wrap_and_interrupts_once() {
    let device = with(&Identity::T1, 0x4, 0xFFFF_FFFE_0000_0000);
    instructions(&device, Mode::User, 1);
    assert_eq!((pcr(&device), device.trigger().rises()), (0x4, 0));
    instructions(&device, Mode::User, 2);
    assert_eq!((pic(&device), pcr(&device), device.trigger().rises()), (1 << 32, 0x204, 1));
    instructions(&device, Mode::User, 1);
    assert_eq!((pcr(&device), device.trigger().rises()), (0x204, 1));
    device.try_write(Asr::Pcr, 0x4).unwrap();
    assert_eq!(pcr(&device), 0x4);
}

#[test]
fn no_overflow_is_foretold_while_the_line_is_asserted_already() {
    let both = 0x2FD << 19 | 0x2FD << 6 | 0x4 | TOE0 | 1 << 5;
    let device = with(&Identity::T2, both | OV0, 0xFFFF_FF00_FFFF_0000);
    let step = Work::instructions(Mode::User, 1);
    assert_eq!(device.until_overflow(&step), None);
    device.try_write(Asr::Pcr, both | HOLD1).unwrap();
    assert_eq!(device.until_overflow(&step), Some(0xF1));
}

#[test]
fn no_overflow_is_foretold_that_would_not_interrupt() {
    assert_eq!(with(&Identity::T2, PIC0, 0).until_overflow(&Work::instructions(Mode::User, 1)), None);
    assert_eq!(with(&Identity::T2, PIC0 | TOE0, 0).until_overflow(&Work::instructions(Mode::Kernel, 1)), None);
}
