//! When a counter overflows, and on which processors that interrupts.

use pmu::Mode;
use pmu::arch::sparc::ultrasparc::Identity;
use pmu::virt::{Device as _, Work};

use crate::ultrasparc::{instructions, interrupts, pic, with};

/// pic1 counts instructions in user programs, and pic0 is parked on SW_count_0.
const PIC1: u64 = 0x14 << 4 | 1 << 11 | 0x4;

#[test]
fn from_iii_on_a_wrap_interrupts_once() {
    for identity in &Identity::ALL[3..] {
        let device = with(identity, PIC1, 0xFFFF_FFFE_0000_0000);
        instructions(&device, Mode::User, 1);
        assert_eq!((pic(&device), interrupts(&device)), (0xFFFF_FFFF_0000_0000, 0), "{}", identity.name());
        instructions(&device, Mode::User, 2);
        assert_eq!((pic(&device), interrupts(&device)), (1 << 32, 1), "{}", identity.name());
        instructions(&device, Mode::User, 1);
        assert_eq!(interrupts(&device), 1, "{}", identity.name());
    }
}

#[test]
fn before_iii_a_wrap_interrupts_nobody() {
    for identity in &Identity::ALL[..3] {
        let device = with(identity, 1 << 4 | 1 << 11 | 0x4, u64::MAX);
        assert_eq!(device.until_overflow(&Work::instructions(Mode::User, 1)), None);
        instructions(&device, Mode::User, 3);
        assert_eq!((pic(&device), interrupts(&device)), (2 << 32 | 2, 0), "{}", identity.name());
    }
}

#[test]
fn no_overflow_is_foretold_in_a_mode_that_is_not_counted() {
    assert_eq!(with(&Identity::III, PIC1, 0).until_overflow(&Work::instructions(Mode::Kernel, 1)), None);
}
