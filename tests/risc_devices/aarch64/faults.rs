//! The registers and bits of each version, and UNDEFINED accesses.

use pmu::Mode;
use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::Identity;
use pmu::virt::{Device as _, Fault};

use super::{counter, device, read, select, write};
use crate::support::line::Level;

/// What each identity, from PMUv3 to PMUv3p9, keeps of all bits.
fn kept(at: SystemRegister) -> [u64; 7] {
    Identity::ALL.map(|identity| {
        let line = Level::default();
        let device = device(&identity, &line);
        write(&device, at, u64::MAX);
        read(&device, at)
    })
}

/// What each identity answers to a read.
fn answers(at: SystemRegister) -> [Result<u64, Fault>; 7] {
    Identity::ALL.map(|identity| {
        let line = Level::default();
        device(&identity, &line).try_read(at)
    })
}

const ABSENT: Result<u64, Fault> = Err(Fault::Absent);

#[test]
fn reserved_bits_are_ignored_and_read_as_zero() {
    let levels = 0xFC00_0000;
    let secure_hypervisor = 1 << 24;
    let [a57, n1, v1, n2, armv8_7, armv8_8, armv9_4] = kept(select(0));
    assert_eq!([a57, n1, v1], [levels | 0x03FF, levels | 0xFFFF, levels | 0xFFFF]);
    let since_n2 = levels | secure_hypervisor | 0xFFFF;
    assert_eq!([n2, armv8_7], [since_n2; 2]);
    assert_eq!(armv8_8, since_n2 | 0b111 << 61 | 0xF << 32, "four bits of threshold");
    assert_eq!(armv9_4, since_n2 | 0b111 << 20 | 0b1111 << 60 | 0xFFF << 32, "realms, edges, twelve bits");
}

#[test]
fn the_cycle_filter_has_no_event() {
    let [a57, n1, .., armv9_4] = kept(SystemRegister::CYCLE_FILTER);
    assert_eq!([a57, n1, armv9_4], [0xFC00_0000, 0xFC00_0000, 0xFD70_0000]);
}

#[test]
fn the_instruction_filter_names_its_event() {
    let [.., armv9_4] = answers(SystemRegister::INSTRUCTION_FILTER);
    assert_eq!(armv9_4, Ok(0x0008));
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    write(&device, SystemRegister::INSTRUCTION_FILTER, 0x8000_0011);
    assert_eq!(read(&device, SystemRegister::INSTRUCTION_FILTER), 0x8000_0008);
}

#[test]
fn the_control_register_says_what_the_unit_is_and_keeps_what_its_version_has() {
    let identification = [0x4101_3000, 0x410C_3000, 0x4121_3000, 0x3000, 0xA000, 0xA000, 0xF800];
    let bits = [0x69, 0x69, 0x69, 0xE9, 0x2E1, 0x2E9, 0x2E1];
    let expected = [0, 1, 2, 3, 4, 5, 6].map(|at| identification[at] | bits[at]);
    assert_eq!(kept(SystemRegister::CONTROL), expected);
}

#[test]
fn long_cycles_are_optional_where_there_is_aarch32_and_always_elsewhere() {
    let long = answers(SystemRegister::CONTROL).map(|control| control.unwrap() >> 6 & 1);
    assert_eq!(long, [0, 0, 0, 0, 1, 0, 1]);
}

#[test]
fn dp_is_there_with_a_level_that_prohibits_counting() {
    let line = Level::default();
    let has_dp = |identity: Identity| {
        let device = device(&identity, &line);
        write(&device, SystemRegister::CONTROL, 1 << 5);
        read(&device, SystemRegister::CONTROL) >> 5 & 1 == 1
    };
    assert!(has_dp(Identity::CORTEX_A57) && has_dp(Identity::ARMV8_7.for_guest()));
    assert!(!has_dp(Identity::CORTEX_A57.for_guest()) && !has_dp(Identity::NEOVERSE_N2.for_guest()));
}

#[test]
fn user_enable_grew_with_v3p9() {
    assert_eq!(kept(SystemRegister::USER_ENABLE), [0xF, 0xF, 0xF, 0xF, 0xF, 0xF, 0x7F]);
}

#[test]
fn the_machine_register_came_with_v3p4() {
    let machine = [ABSENT, ABSENT, Ok(8), Ok(5), Ok(8), Ok(0x0040_0008), Ok(0x01C0_0008)];
    assert_eq!(answers(SystemRegister::MACHINE), machine);
}

#[test]
fn user_access_zeroing_and_the_instruction_counter_came_with_v3p9() {
    for at in [SystemRegister::USER_ACCESS, SystemRegister::INSTRUCTIONS] {
        assert_eq!(answers(at), [ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, ABSENT, Ok(0)], "{at:?}");
    }
    let line = Level::default();
    let zeroing = Identity::ALL.map(|identity| device(&identity, &line).try_write(SystemRegister::ZERO, 0));
    assert_eq!(zeroing.map(|outcome| outcome.is_ok()), [false, false, false, false, false, false, true]);
}

#[test]
fn common_events_from_4000_on_came_with_v3p1() {
    let [a57, n1, ..] = answers(SystemRegister::EVENTS_0);
    assert_eq!([a57, n1], [Ok(0x7FFF_0F3F), Ok(0xF_7FFF_0F3F)]);
    let [a57, n1, _, n2, ..] = answers(SystemRegister::EVENTS_1);
    assert_eq!([a57, n1, n2], [Ok(0), Ok(0x00F2_AE7F), Ok(0x77_FEF2_AE7F)]);
}

#[test]
fn what_is_read_only_cannot_be_written_and_what_is_write_only_not_read() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    let read_only = [
        SystemRegister::EVENTS_0,
        SystemRegister::EVENTS_1,
        SystemRegister::MACHINE,
        SystemRegister::PROCESSOR,
        SystemRegister::PROCESSOR_FEATURES,
        SystemRegister::DEBUG_FEATURES_0,
        SystemRegister::DEBUG_FEATURES_1,
        SystemRegister::LEVEL,
    ];
    assert!(read_only.into_iter().all(|at| device.try_write(at, 0) == Err(Fault::ReadOnly)));
    for at in [SystemRegister::SOFTWARE_INCREMENT, SystemRegister::ZERO] {
        assert_eq!(device.try_read(at), Err(Fault::WriteOnly), "{at:?}");
    }
}

#[test]
fn a_counter_that_is_not_implemented_is_undefined_by_its_number_and_by_the_selector() {
    for identity in Identity::ALL {
        let line = Level::default();
        let device = device(&identity, &line);
        let count = identity.control().counters();
        for number in 0..31 {
            let is_there = number < count;
            write(&device, SystemRegister::SELECTOR, number.into());
            for at in
                [counter(number), select(number), SystemRegister::SELECTED_COUNTER, SystemRegister::SELECTED_SELECT]
            {
                let outcomes = (device.try_read(at).is_ok(), device.try_write(at, 0).is_ok());
                assert_eq!(outcomes, (is_there, is_there), "{} {number} {at:?}", identity.name());
            }
        }
    }
}

#[test]
fn the_selector_keeps_five_bits_and_its_last_value_is_no_event_counter() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    write(&device, SystemRegister::SELECTOR, u64::MAX);
    assert_eq!(read(&device, SystemRegister::SELECTOR), 31);
    assert_eq!(device.try_read(SystemRegister::SELECTED_COUNTER), Err(Fault::Absent));
    assert_eq!(device.try_read(SystemRegister::SELECTED_SELECT), Ok(0), "the cycle counter's filter");
}

#[test]
fn what_is_el1s_is_undefined_at_el0() {
    let line = Level::default();
    let device = device(&Identity::ARMV9_4, &line);
    write(&device, SystemRegister::USER_ENABLE, 0x3F);
    let privileged = [
        SystemRegister::INTERRUPT_SET,
        SystemRegister::INTERRUPT_CLEAR,
        SystemRegister::USER_ACCESS,
        SystemRegister::MACHINE,
        SystemRegister::HYPERVISOR_CONTROL,
        SystemRegister::LEVEL,
    ];
    assert!(privileged.into_iter().all(|at| device.read_from(Mode::User, at) == Err(Fault::Absent)));
    assert_eq!(device.write_from(Mode::User, SystemRegister::USER_ENABLE, 1), Err(Fault::ReadOnly));
}

#[test]
fn a_fault_reads_as_a_sentence() {
    let sentences = [Fault::Absent, Fault::Trapped(Mode::Kernel), Fault::Trapped(Mode::Hypervisor)];
    let sentences = sentences.map(|fault| fault.to_string());
    let expected = ["the unit has no such register", "the access is trapped to the kernel"];
    assert_eq!(sentences[..2], expected);
    assert_eq!(sentences[2], "the access is trapped to the hypervisor");
}
