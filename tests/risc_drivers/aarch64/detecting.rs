//! Detection: whether there is a unit, its capabilities, and whether it keeps what is written to it.

use pmu::arch::aarch64::pmuv3::{Announced, Pmuv3, Privilege};
use pmu::arch::aarch64::{Detected, SystemRegister};
use pmu::driver::{Overflow, Plan};
use pmu::{CounterSet, Error};

use crate::support::file::{File, plain, with};
use crate::support::registers::Altered;

/// A unit as its ID registers announce it.
fn announcing(debug_features: u64) -> &'static File {
    let file = File::new(plain());
    file.set(SystemRegister::PROCESSOR, 0x410F_D034);
    file.set(SystemRegister::DEBUG_FEATURES_0, debug_features);
    file.set(SystemRegister::LEVEL, 0b0100);
    file.set(SystemRegister::EVENTS_0, 0x0000_0001_0002_0900);
    file.set(SystemRegister::EVENTS_1, 0);
    file
}

#[test]
fn what_the_id_registers_announce_is_found() {
    let Ok(Detected::Pmuv3(driver)) = Detected::detect(announcing(1 << 8)) else { panic!("it is announced") };
    let capabilities = driver.capabilities();
    assert_eq!((capabilities.version, capabilities.event_counters, capabilities.privilege), (0, 6, Privilege::El1));
    assert_eq!(capabilities.announced, Announced { low: 0x0002_0900, high: 1 });
    assert!(!capabilities.has_hypervisor && !capabilities.has_monitor && !capabilities.has_instruction_counter);
}

#[test]
fn an_instruction_counter_is_looked_for_from_version_9_on() {
    for (field, expected) in [(8, false), (9, true)] {
        let file = announcing(field << 8);
        file.set(SystemRegister::DEBUG_FEATURES_1, 1 << 36);
        assert_eq!(Pmuv3::detect(file).unwrap().capabilities().has_instruction_counter, expected);
    }
}

#[test]
fn parameters_of_the_implementation_are_read_from_version_4_on() {
    for (field, slots) in [(4, 0), (5, 8)] {
        let file = announcing(field << 8);
        file.set(SystemRegister::MACHINE, 8);
        assert_eq!(Pmuv3::detect(file).unwrap().capabilities().machine.slots(), slots);
    }
}

#[test]
fn a_processor_without_a_unit_is_told_so() {
    assert_eq!(Pmuv3::detect(announcing(0)).unwrap_err(), Error::NoUnit { reason: "ID_AA64DFR0_EL1.PMUVer is 0" });
}

#[test]
fn a_unit_of_another_kind_is_not_taken_for_pmuv3() {
    let other = Error::UnknownProcessor { family: 0x41, model: 0xD03 };
    assert_eq!(Pmuv3::detect(announcing(0xF00)).unwrap_err(), other);
}

#[test]
fn detection_leaves_the_unit_as_it_was() {
    let file = announcing(1 << 8);
    let select = SystemRegister::select(0).unwrap();
    file.set(select, 0x8000_0011);
    Detected::detect(file).unwrap();
    assert_eq!(file.get(select), 0x8000_0011);
}

/// The registers announce a unit and keep nothing, as some emulators' do.
#[test]
fn a_unit_that_swallows_what_is_written_is_refused_by_the_registers_number() {
    let error = Detected::detect(Altered::new(announcing(1 << 8)).writing(|_, _, _| ())).err();
    let register = SystemRegister::select(0).unwrap().number().into();
    assert_eq!(error, Some(Error::Swallowed { register, wrote: 0xC000_0000, read: 0 }));
}

/// A hypervisor may leave its guest no event counter.
#[test]
fn a_unit_with_nothing_but_the_cycle_counter_is_one() {
    let capabilities = with(plain(), |it| it.event_counters = 0);
    let file = File::new(capabilities);
    file.set(SystemRegister::DEBUG_FEATURES_0, 1 << 8);
    let description = Pmuv3::detect(file).unwrap().description();
    assert_eq!((description.general, description.fixed), (CounterSet::EMPTY, CounterSet::from_bits(1 << 31)));
}

#[test]
fn a_unit_says_what_it_is() {
    let driver = Detected::detect(announcing(6 << 8)).unwrap();
    let description = driver.description();
    assert_eq!(description.to_string(), "Arm PMUv3 version 5: 6 general counters of 64 bits, 1 fixed of 64 bits");
    assert_eq!(description.overflow, Overflow::Identified);
}
