//! The ID registers that a guest reads, and the capabilities that a driver finds in them.

use pmu::arch::aarch64::SystemRegister;
use pmu::arch::aarch64::pmuv3::{Announced, Capabilities, Identity, Pmuv3, Privilege};
use pmu::driver::Plan;
use pmu::request::Refusal;
use pmu::virt::Unconnected;
use pmu::{Event, Mode, Request};

use super::{counter, device, read};
use crate::support::line;

fn capabilities(identity: Identity, mode: Mode) -> Capabilities {
    let device = pmu::arch::aarch64::pmuv3::Device::new(&identity, pmu::virt::Kinds::CLOCK, Unconnected);
    Capabilities::discover(&device.driven_from(mode)).unwrap()
}

#[test]
fn each_identity_has_the_next_version() {
    let versions = Identity::ALL.map(|identity| capabilities(identity, Mode::Kernel).version);
    assert_eq!(versions, [0, 1, 4, 5, 7, 8, 9]);
}

#[test]
fn a_driver_finds_what_the_data_sheets_say() {
    let counters = Identity::ALL.map(|identity| capabilities(identity, Mode::Kernel).event_counters);
    assert_eq!(counters, [6, 6, 6, 6, 20, 20, 31]);
    let [.., armv8_8, armv9_4] = Identity::ALL.map(|identity| capabilities(identity, Mode::Kernel));
    assert_eq!((armv8_8.machine.threshold_bits(), armv8_8.may_lend_none), (4, true));
    assert_eq!((armv9_4.machine.threshold_bits(), armv9_4.machine.has_edges()), (12, true));
    assert!(armv9_4.has_instruction_counter && !armv8_8.has_instruction_counter);
}

#[test]
fn a_driver_at_el2_finds_itself_there() {
    for (mode, privilege) in [(Mode::Kernel, Privilege::El1), (Mode::Hypervisor, Privilege::El2)] {
        assert_eq!(capabilities(Identity::NEOVERSE_N2, mode).privilege, privilege);
    }
}

#[test]
fn a_guest_finds_neither_a_hypervisor_nor_a_monitor() {
    for identity in Identity::ALL {
        let (host, guest) = (capabilities(identity, Mode::Kernel), capabilities(identity.for_guest(), Mode::Kernel));
        assert_eq!((guest.has_hypervisor, guest.has_monitor), (false, false), "{}", identity.name());
        assert!(host.has_hypervisor, "{}", identity.name());
        assert_eq!((guest.announced, guest.version), (host.announced, host.version), "{}", identity.name());
    }
}

#[test]
fn a_guest_may_be_given_fewer_counters_and_more_than_31_do_not_exist() {
    let line = line::Level::default();
    for (asked, given) in [(0, 0), (1, 1), (30, 30), (31, 31), (200, 31)] {
        let device = device(&Identity::NEOVERSE_N1.with_event_counters(asked), &line);
        assert_eq!(read(&device, SystemRegister::CONTROL) >> 11 & 31, given);
        assert_eq!(read(&device, SystemRegister::CONTROL) & 0xFFFF_0000, 0x410C_0000);
    }
}

#[test]
fn a_guests_driver_refuses_what_its_host_does_not_announce() {
    const SPECULATIVE_AND_RETIRED_BRANCH_MISSES: u64 = 1 << 0x10 | 1 << 0x22;
    let hidden = Announced { low: SPECULATIVE_AND_RETIRED_BRANCH_MISSES, high: 0 };
    for identity in Identity::ALL.map(|identity| identity.without_events(hidden)) {
        let line = line::Level::default();
        let device = device(&identity, &line);
        let driver = Pmuv3::detect(&device).unwrap();
        let encode = |event| driver.encode(&Request::new(event)).map(|_| ());
        assert_eq!(encode(Event::BRANCH_MISSES), Err(Refusal::UnknownEvent), "{}", identity.name());
        assert_eq!(encode(Event::INSTRUCTIONS), Ok(()), "{}", identity.name());
    }
}

#[test]
fn a_unit_without_event_counters_still_counts_cycles() {
    use pmu::virt::{Device as _, Fault, Work};
    let line = line::Level::default();
    let device = device(&Identity::CORTEX_A57.with_event_counters(0), &line);
    super::write(&device, SystemRegister::ENABLE_SET, u64::MAX);
    super::write(&device, SystemRegister::CONTROL, 1);
    device.advance(&Work::instructions(Mode::Kernel, 5));
    assert_eq!(read(&device, SystemRegister::CYCLES), 5);
    assert_eq!(device.try_read(counter(0)), Err(Fault::Absent));
}

#[test]
fn neither_profiling_nor_traces_nor_branch_records_are_announced() {
    for identity in Identity::ALL {
        let debug = identity.register(SystemRegister::DEBUG_FEATURES_0, Mode::Kernel).unwrap();
        // BRBE, MTPMU, TraceBuffer, PMSVer, PMSS.
        for field in [52, 48, 44, 32, 16] {
            assert_eq!(debug >> field & 0xF, 0, "{} {field}", identity.name());
        }
        let more = identity.register(SystemRegister::DEBUG_FEATURES_1, Mode::Kernel).unwrap();
        assert_eq!(more & !(0xF << 36), 0, "only the instruction counter");
    }
}

#[test]
fn what_is_no_id_register_is_somebody_elses() {
    let register = |at| Identity::NEOVERSE_N1.register(at, Mode::Kernel);
    assert_eq!([SystemRegister::CONTROL, counter(0), SystemRegister::MACHINE].map(register), [None; 3]);
    assert_eq!(register(SystemRegister::LEVEL), Some(0b0100));
}
