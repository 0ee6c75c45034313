//! The unit is found by the version register, and tried before it is believed.

use pmu::Error;
use pmu::arch::sparc::ultrasparc::{Identity, UltraSparc};
use pmu::arch::sparc::{Asr, Half, Ver};
use pmu::driver::Registers;

use crate::support::memory::Memory;
use crate::ultrasparc::device;

#[test]
fn a_unit_is_detected_and_left_as_it_was() {
    for identity in &Identity::ALL {
        let device = device(identity);
        device.write(Asr::Pcr, 0x5);
        let before = pmu::virt::Device::state(&device);
        let driver = UltraSparc::detect(identity.version(), &device).unwrap();
        assert_eq!(driver.capabilities().model, identity.capabilities().model);
        assert_eq!(pmu::virt::Device::state(&device), before, "{}", identity.name());
    }
}

#[test]
fn another_processor_has_no_unit_of_this_family() {
    let found = UltraSparc::detect(Ver::of(0x3E, 0x23, 2), device(&Identity::III));
    assert_eq!(found.err(), Some(Error::UnknownProcessor { family: 0x3E, model: 0x23 }));
}

/// They read as 0, as an incomplete emulator has them.
#[test]
fn a_register_that_swallows_what_is_written_is_named() {
    let found = UltraSparc::detect(Identity::III.version(), Memory::<Asr, Half>::that_swallows());
    assert!(matches!(found.err(), Some(Error::Swallowed { register: 16, read: 0, .. })));
}
