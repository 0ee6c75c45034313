//! The access of user programs: PMUSERENR_EL0 permits it, PMUACR_EL1 selects the counters.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Device, Identity};
use pmu::virt::{Device as _, Fault};

use super::{C, CYCLES, ENABLE, F0, counter, device, read, select, start, write};
use crate::support::line::Level;

const EN: u64 = 1 << 0;
const SW: u64 = 1 << 1;
const CR: u64 = 1 << 2;
const ER: u64 = 1 << 3;
const UEN: u64 = 1 << 4;
const IR: u64 = 1 << 5;
const TID: u64 = 1 << 6;

const TRAPPED: Fault = Fault::Trapped(Mode::Kernel);

/// The registers that EL0 can name, by what PMUSERENR_EL0 says of them.
fn named() -> Vec<SystemRegister> {
    vec![
        SystemRegister::CONTROL,
        SystemRegister::ENABLE_SET,
        SystemRegister::ENABLE_CLEAR,
        SystemRegister::OVERFLOW_CLEAR,
        SystemRegister::OVERFLOW_SET,
        SystemRegister::SELECTOR,
        SystemRegister::SELECTED_SELECT,
        SystemRegister::SELECTED_COUNTER,
        SystemRegister::CYCLES,
        SystemRegister::CYCLE_FILTER,
        SystemRegister::EVENTS_0,
        SystemRegister::EVENTS_1,
        counter(0),
        select(0),
    ]
}

/// What EL0 can read with this PMUSERENR_EL0; every other access is trapped to EL1.
fn readable(identity: &Identity, user_enable: u64) -> Vec<SystemRegister> {
    let line = Level::default();
    let device = device(identity, &line);
    write(&device, SystemRegister::USER_ENABLE, user_enable);
    let outcome = |at: SystemRegister| device.read_from(Mode::User, at);
    assert!(named().into_iter().all(|at| matches!(outcome(at), Ok(_) | Err(TRAPPED))));
    named().into_iter().filter(|&at| outcome(at).is_ok()).collect()
}

/// What EL0 can write with this PMUSERENR_EL0.
fn writable(identity: &Identity, user_enable: u64) -> Vec<SystemRegister> {
    let line = Level::default();
    let device = device(identity, &line);
    write(&device, SystemRegister::USER_ENABLE, user_enable);
    let mut at = named();
    at.retain(|at| ![SystemRegister::EVENTS_0, SystemRegister::EVENTS_1].contains(at));
    at.push(SystemRegister::SOFTWARE_INCREMENT);
    at.retain(|&at| match device.write_from(Mode::User, at, 0) {
        Ok(()) => true,
        Err(TRAPPED) => false,
        other => panic!("{at:?}: {other:?}"),
    });
    at
}

#[test]
fn user_programs_can_do_nothing_until_they_are_let() {
    for identity in Identity::ALL {
        assert!(readable(&identity, 0).is_empty() && writable(&identity, 0).is_empty(), "{}", identity.name());
    }
}

#[test]
fn what_is_enabled_can_be_told_by_everybody() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    write(&device, SystemRegister::USER_ENABLE, ER);
    assert_eq!(device.read_from(Mode::User, SystemRegister::USER_ENABLE), Ok(ER));
}

#[test]
fn en_opens_everything_for_reading_and_writing() {
    for identity in Identity::ALL {
        assert_eq!(readable(&identity, EN), named(), "{}", identity.name());
        assert_eq!(writable(&identity, EN).len(), named().len() - 2 + 1, "{}", identity.name());
    }
}

#[test]
fn er_lets_event_counters_be_read_and_selected() {
    let expected = [SystemRegister::SELECTOR, SystemRegister::SELECTED_COUNTER, counter(0)];
    assert_eq!(readable(&Identity::CORTEX_A57, ER), expected);
    assert_eq!(writable(&Identity::CORTEX_A57, ER), [SystemRegister::SELECTOR]);
}

#[test]
fn cr_lets_cycles_be_read_and_sw_increments_be_made() {
    assert_eq!(readable(&Identity::CORTEX_A57, CR), [SystemRegister::CYCLES]);
    assert!(writable(&Identity::CORTEX_A57, CR).is_empty() && readable(&Identity::CORTEX_A57, SW).is_empty());
    assert_eq!(writable(&Identity::CORTEX_A57, SW), [SystemRegister::SOFTWARE_INCREMENT]);
}

#[test]
fn a_software_increment_by_a_user_program_counts_where_users_are_counted() {
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line);
    start(&device, 0, 0, 0);
    start(&device, 1, 1 << 30, 0);
    write(&device, SystemRegister::USER_ENABLE, SW);
    assert_eq!(device.write_from(Mode::User, SystemRegister::SOFTWARE_INCREMENT, 0b11), Ok(()));
    assert_eq!([read(&device, counter(0)), read(&device, counter(1))], [1, 0]);
}

#[test]
fn tid_traps_the_lists_of_events() {
    let events = [SystemRegister::EVENTS_0, SystemRegister::EVENTS_1];
    for open in [EN, UEN] {
        let left = readable(&Identity::ARMV9_4, open | TID);
        assert!(events.iter().all(|at| !left.contains(at)) && left.contains(&SystemRegister::CYCLES));
    }
}

/// Counters 0 and 1, cycles and instructions hold 9 and have overflowed; PMUACR_EL1 is `named`.
fn lent(line: &Level, user_enable: u64, named: u64) -> Device<&Level> {
    let device = device(&Identity::ARMV9_4, line);
    let at = [counter(0), counter(1), SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS];
    at.into_iter().for_each(|at| write(&device, at, 9));
    write(&device, SystemRegister::OVERFLOW_SET, 0b11 | C | F0);
    write(&device, SystemRegister::USER_ACCESS, named);
    write(&device, SystemRegister::USER_ENABLE, user_enable);
    device
}

fn read_as_user<const N: usize>(device: &Device<&Level>, at: [SystemRegister; N]) -> [Result<u64, Fault>; N] {
    at.map(|at| device.read_from(Mode::User, at))
}

#[test]
fn uen_shows_the_counters_that_are_named_and_zero_for_the_others() {
    let line = Level::default();
    let at = [counter(0), counter(1), SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS];
    let shown = |named| read_as_user(&lent(&line, UEN, named), at);
    assert_eq!(shown(0), [Ok(0); 4]);
    assert_eq!(shown(0b10 | C), [Ok(0), Ok(9), Ok(9), Ok(0)]);
    assert_eq!(shown(0b01 | F0), [Ok(9), Ok(0), Ok(0), Ok(9)]);
}

#[test]
fn uen_shows_the_named_counters_bits_of_every_kind() {
    let line = Level::default();
    let device = lent(&line, UEN, 0b10 | F0);
    let at = [SystemRegister::OVERFLOW_SET, SystemRegister::OVERFLOW_CLEAR];
    assert_eq!(read_as_user(&device, at), [Ok(0b10 | F0); 2]);
    assert_eq!(device.write_from(Mode::User, SystemRegister::OVERFLOW_CLEAR, u64::MAX), Ok(()));
    assert_eq!(read(&device, SystemRegister::OVERFLOW_SET), 0b01 | C);
    assert_eq!(device.write_from(Mode::User, SystemRegister::ENABLE_SET, u64::MAX), Ok(()));
    assert_eq!(read(&device, SystemRegister::ENABLE_SET), 0b10 | F0);
}

#[test]
fn with_uen_the_control_register_is_trapped_whatever_en_says() {
    let line = Level::default();
    let device = lent(&line, UEN | EN, 0);
    assert_eq!(read_as_user(&device, [SystemRegister::CONTROL]), [Err(TRAPPED)]);
    assert_eq!(device.write_from(Mode::User, SystemRegister::CONTROL, ENABLE), Err(TRAPPED));
}

#[test]
fn without_uen_the_instruction_counter_is_trapped_and_its_bits_are_hidden() {
    let line = Level::default();
    let device = lent(&line, EN, u64::MAX);
    let at = [SystemRegister::INSTRUCTIONS, SystemRegister::INSTRUCTION_FILTER];
    assert_eq!(read_as_user(&device, at), [Err(TRAPPED); 2]);
    assert_eq!(read_as_user(&device, [SystemRegister::OVERFLOW_SET]), [Ok(0b11 | C)]);
}

#[test]
fn with_uen_er_cr_and_ir_make_the_named_counters_read_only() {
    let at = [counter(0), SystemRegister::CYCLES, SystemRegister::INSTRUCTIONS];
    for (only_read, expected) in [(0, [5, 5, 5]), (ER, [9, 5, 5]), (CR, [5, 9, 5]), (IR, [5, 5, 9])] {
        let line = Level::default();
        let device = lent(&line, UEN | only_read, u64::MAX);
        at.into_iter().for_each(|at| assert_eq!(device.write_from(Mode::User, at, 5), Ok(())));
        assert_eq!(at.map(|at| read(&device, at)), expected, "{only_read:#x}");
        assert_eq!(device.write_from(Mode::User, SystemRegister::ZERO, u64::MAX), Ok(()));
        let zeroed = expected.map(|value| if value == 5 { 0 } else { 9 });
        assert_eq!(at.map(|at| read(&device, at)), zeroed, "{only_read:#x}");
    }
}

#[test]
fn what_is_not_named_is_not_written() {
    let line = Level::default();
    let device = lent(&line, UEN, 0b10);
    for at in [counter(0), select(0), SystemRegister::CYCLES, SystemRegister::INSTRUCTION_FILTER] {
        let before = read(&device, at);
        assert_eq!(device.write_from(Mode::User, at, 0x4000_0000), Ok(()));
        assert_eq!(read(&device, at), before, "{at:?}");
    }
    assert_eq!(device.write_from(Mode::User, select(1), CYCLES), Ok(()));
    assert_eq!(read(&device, select(1)), CYCLES);
}

#[test]
fn with_uen_increments_reach_named_counters_unless_sw_lets_them_reach_all() {
    for (sw, expected) in [(0, [0, 1]), (SW, [1, 1])] {
        let line = Level::default();
        let device = device(&Identity::ARMV9_4, &line);
        start(&device, 0, 0, 0);
        start(&device, 1, 0, 0);
        write(&device, SystemRegister::USER_ACCESS, 0b10);
        write(&device, SystemRegister::USER_ENABLE, UEN | sw);
        assert_eq!(device.write_from(Mode::User, SystemRegister::SOFTWARE_INCREMENT, 0b11), Ok(()));
        assert_eq!([counter(0), counter(1)].map(|at| read(&device, at)), expected);
    }
}

#[test]
fn a_user_program_leaks_nothing_through_the_selector() {
    let line = Level::default();
    let device = lent(&line, UEN, 0b10);
    for (selected, expected) in [(0, Ok(0)), (1, Ok(9)), (31, Err(Fault::Absent))] {
        assert_eq!(device.write_from(Mode::User, SystemRegister::SELECTOR, selected), Ok(()));
        assert_eq!(read_as_user(&device, [SystemRegister::SELECTED_COUNTER]), [expected], "{selected}");
    }
}

#[test]
fn a_fast_read_is_made_from_the_level_the_unit_is_driven_from() {
    use pmu::CounterId;
    use pmu::arch::aarch64::Index;
    let line = Level::default();
    let device = device(&Identity::CORTEX_A57, &line).driven_from(Mode::User);
    let read = |number| device.try_read_counter(Index::of(CounterId::new(number).unwrap()));
    assert_eq!(read(0), Err(TRAPPED));
    device.write_from(Mode::Kernel, SystemRegister::USER_ENABLE, CR).unwrap();
    assert_eq!([read(0), read(31), read(32), read(6)], [Err(TRAPPED), Ok(0), Err(Fault::Absent), Err(Fault::Absent)]);
}
