//! A hypervisor serves its guest's trapped accesses.

use pmu::Mode;
use pmu::arch::aarch64::pmuv3::Identity;
use pmu::arch::aarch64::{Direction, SystemRegister, TrappedAccess};
use pmu::virt::{Device as _, Fault};

use super::{counter, device, read, write};
use crate::support::line::Level;

/// The syndrome of `msr PMCNTENSET_EL0, x7`, as the manual's figure has its fields.
const MSR_ENABLE_SET_X7: u64 = 0x18 << 26 | 1 << 25 | 3 << 20 | 1 << 17 | 3 << 14 | 9 << 10 | 7 << 5 | 12 << 1;
/// The syndrome of `mrs x0, PMEVCNTR10_EL0`.
const MRS_COUNTER_10: u64 = 0x18 << 26 | 1 << 25 | 3 << 20 | 2 << 17 | 3 << 14 | 14 << 10 | 9 << 1 | 1;

#[test]
fn a_trapped_write_takes_its_value_from_the_guests_register() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    let access = TrappedAccess::from_syndrome(MSR_ENABLE_SET_X7).unwrap();
    let mut general = [0; 31];
    general[7] = 0b101;
    assert_eq!(device.answer(Mode::Kernel, access, &mut general), Ok(()));
    assert_eq!(read(&device, SystemRegister::ENABLE_SET), 0b101);
}

#[test]
fn a_trapped_read_leaves_its_value_in_the_guests_register() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    write(&device, counter(10), 77);
    let access = TrappedAccess::from_syndrome(MRS_COUNTER_10).unwrap();
    let mut general = [1; 31];
    assert_eq!(device.answer(Mode::Kernel, access, &mut general), Ok(()));
    assert_eq!((general[0], general[1]), (77, 1));
}

#[test]
fn a_refused_access_leaves_everything_as_it_was_and_says_who_has_to_hear_of_it() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    let access = TrappedAccess::from_syndrome(MRS_COUNTER_10).unwrap();
    let (before, mut general) = (device.state(), [5; 31]);
    assert_eq!(device.answer(Mode::Kernel, access, &mut general), Err(Fault::Absent), "there are six counters");
    let access = TrappedAccess::from_syndrome(MSR_ENABLE_SET_X7).unwrap();
    let outcome = device.answer(Mode::User, access, &mut general);
    assert_eq!(outcome, Err(Fault::Trapped(Mode::Kernel)));
    assert_eq!((access.syndrome(), general, device.state()), (MSR_ENABLE_SET_X7, [5; 31], before));
}

#[test]
fn an_access_of_the_zero_register_reads_nothing_and_writes_zero() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    write(&device, counter(0), 9);
    let zero = |direction| TrappedAccess::new(counter(0), direction, None);
    let mut general = [5; 31];
    assert_eq!(device.answer(Mode::Kernel, zero(Direction::Read), &mut general), Ok(()));
    assert_eq!(general, [5; 31]);
    assert_eq!(device.answer(Mode::Kernel, zero(Direction::Write), &mut general), Ok(()));
    assert_eq!(read(&device, counter(0)), 0);
}

#[test]
fn a_refusal_is_an_exception_of_the_level_that_hears_of_it() {
    let access = TrappedAccess::from_syndrome(MRS_COUNTER_10).unwrap();
    let undefined = 1 << 25;
    let of = |fault, mode| {
        let exception = access.exception(fault, mode);
        (exception.level, exception.syndrome)
    };
    assert_eq!(of(Fault::Absent, Mode::User), (Mode::Kernel, undefined));
    assert_eq!(of(Fault::ReadOnly, Mode::Kernel), (Mode::Kernel, undefined));
    assert_eq!(of(Fault::Absent, Mode::Hypervisor), (Mode::Hypervisor, undefined));
    assert_eq!(of(Fault::Trapped(Mode::Kernel), Mode::User), (Mode::Kernel, MRS_COUNTER_10));
    assert_eq!(of(Fault::Trapped(Mode::Hypervisor), Mode::User), (Mode::Hypervisor, MRS_COUNTER_10));
}
