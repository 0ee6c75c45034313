//! Which recorder a processor has, and what is found of one that records.

use super::{ALL, EVERYTHING, jumps, recording, sources};
use pmu::arch::x86::guest::Identity;
use pmu::arch::x86::lbr::{Capabilities, Device, Lbr};
use pmu::arch::x86::{CpuIdResult, Msr, amd, intel};
use pmu::branches::Branches;
use pmu::driver::Registers;

#[test]
fn a_processor_is_asked_for_its_recorder() {
    let none = |_, _| CpuIdResult { eax: 0, ebx: 0, ecx: 0, edx: 0 };
    let found = |identity: &intel::Identity, format| Capabilities::discover(identity, || format);
    assert_eq!(found(&intel::Identity::CORE_2, 1), Some(Capabilities::CORE_2));
    assert_eq!(found(&intel::Identity::NEHALEM, 3), Some(Capabilities::NEHALEM));
    assert_eq!(found(&intel::Identity::SKYLAKE, 0x2005), Some(Capabilities::SKYLAKE));
    assert_eq!(found(&intel::Identity::SKYLAKE, 0), None, "a hypervisor hides it");
    assert_eq!(found(&intel::Identity::CORE_DUO, 0), None);
    assert_eq!(found(&intel::Identity::SAPPHIRE_RAPIDS, 0x3F), None, "nor is there leaf 1CH");
    assert_eq!(Capabilities::discover(&none, || 5), None);
    for (able, identity) in [
        (Capabilities::ARCHITECTURAL, Identity::Intel(intel::Identity::LION_COVE)),
        (Capabilities::ZEN_4, Identity::Amd(amd::Identity::ZEN_4)),
    ] {
        let shown = |leaf, subleaf| able.cpuid(leaf, subleaf, identity.cpuid(leaf, subleaf, &none));
        assert_eq!(Capabilities::discover(&shown, || 0), Some(able));
        assert_eq!(Capabilities::discover(&|leaf, subleaf| identity.cpuid(leaf, subleaf, &none), || 0), None);
    }
}

#[test]
fn a_host_shows_the_recorder_that_its_guests_model_has() {
    let intels = intel::Identity::ALL.map(|identity| Capabilities::of_model(&identity));
    let [core_duo, core_2, nehalem, skylake, sapphire_rapids, lion_cove] = intels;
    assert_eq!([core_duo, core_2, nehalem], [None, Some(Capabilities::CORE_2), Some(Capabilities::NEHALEM)]);
    assert_eq!(skylake, Some(Capabilities::SKYLAKE));
    assert_eq!([sapphire_rapids, lion_cove], [Some(Capabilities::ARCHITECTURAL); 2]);
    let amds = amd::Identity::ALL.map(|identity| Capabilities::of_model(&identity));
    assert!(amds.iter().rev().skip(1).all(Option::is_none) && amds[7] == Some(Capabilities::ZEN_4), "{amds:?}");
    for able in ALL {
        let shown = able.perf_capabilities(0x2000);
        assert_eq!(shown & !0x3F, 0x2000);
        assert_eq!(shown & 0x3F != 0, able != Capabilities::ZEN_4);
    }
}

#[test]
fn a_detection_keeps_the_branches_that_are_there_and_what_is_recorded() {
    for able in ALL {
        let device = Device::new(able);
        let before = recording(&device, &EVERYTHING);
        jumps(&device, [2, 4]);
        let after = Lbr::new(&device, able);
        assert_eq!((after.depth(), sources(&after)), (before.depth(), vec![4, 2]));
        jumps(&device, [6]);
        assert_eq!(sources(&after), [6, 4, 2]);
    }
    let device = Device::new(Capabilities::ARCHITECTURAL);
    device.write(Msr::from_address(0x14CF).unwrap(), 8);
    device.write(Msr::from_address(0x14CE).unwrap(), 0x7F_0007);
    jumps(&device, 1..40);
    assert_eq!(Lbr::new(&device, Capabilities::ARCHITECTURAL).depth(), 8, "whoever records has chosen");
    device.write(Msr::from_address(0x14CF).unwrap(), 8);
    assert_eq!(Lbr::new(&device, Capabilities::ARCHITECTURAL).depth(), 32);
}
