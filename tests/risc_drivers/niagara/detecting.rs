//! The unit is found by the processor's name, and tried before it is believed.

use pmu::Error;
use pmu::arch::sparc::niagara::{Device, Identity, Niagara, Privilege};
use pmu::arch::sparc::{Asr, Half};
use pmu::driver::Registers;
use pmu::virt::{Kinds, Unconnected};

use crate::niagara::device;
use crate::support::memory::Memory;

#[test]
fn a_unit_is_detected_and_left_as_it_was() {
    for identity in &Identity::ALL {
        let device = device(identity);
        device.write(Asr::Pcr, 0x5);
        let before = pmu::virt::Device::state(&device);
        let driver = Niagara::detect(identity.compatible(), identity.capabilities().privilege, &device).unwrap();
        assert_eq!(driver.capabilities().model, identity.capabilities().model);
        assert_eq!(pmu::virt::Device::state(&device), before, "{}", identity.name());
    }
}

#[test]
fn another_processor_has_no_unit_of_this_family() {
    let found = Niagara::detect("SPARC-T4", Privilege::Kernel, device(&Identity::T2));
    assert!(matches!(found.err(), Some(Error::NoUnit { .. })));
}

/// They read as 0, as QEMU's T1 has them.
#[test]
fn a_register_that_swallows_what_is_written_is_named() {
    let found = Niagara::detect("SUNW,UltraSPARC-T1", Privilege::Kernel, Memory::<Asr, Half>::that_swallows());
    assert!(matches!(found.err(), Some(Error::Swallowed { register: 16, read: 0, .. })));
}

#[test]
fn a_right_to_count_in_the_hypervisor_that_the_processor_denies_is_found_out() {
    let device = Device::new(&Identity::T2, Kinds::CLOCK, Unconnected);
    let found = Niagara::detect("SUNW,UltraSPARC-T2", Privilege::Hypervisor, device);
    assert!(matches!(found.err(), Some(Error::Swallowed { register: 16, .. })));
}
