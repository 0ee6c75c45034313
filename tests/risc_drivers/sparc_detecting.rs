//! Which family's driver a SPARC processor gets, by its version register, and that it counts.

use pmu::arch::sparc::{Asr, Detected, Half, Ver, niagara, ultrasparc};
use pmu::driver::{Plan, Registers};
use pmu::virt::{Device, Kinds, Unconnected, Work};
use pmu::{Error, Event, Mode, Modes, Unit};

/// The contents of T1's and T2's version registers (QEMU, target/sparc/cpu.c).
const NIAGARAS: [(u16, niagara::Identity); 2] =
    [(0x23, niagara::Identity::T1), (0x24, niagara::Identity::T2_HYPERVISOR)];

fn count_of<D>(version: Ver, device: &D) -> u64
where
    D: Device + Registers<Address = Asr, Index = Half>,
{
    let unit = Unit::<Detected<&D>, 0>::new();
    let pmu = unit.claim(Detected::detect(version, device).unwrap()).unwrap();
    let work = || device.advance(&Work::instructions(Mode::Kernel, 1000));
    let ([count], ()) = pmu.count([Event::INSTRUCTIONS], work).unwrap();
    count
}

#[test]
fn each_version_gets_its_familys_driver_which_counts() {
    for identity in &ultrasparc::Identity::ALL {
        let device = ultrasparc::Device::new(identity, Kinds::CLOCK, Unconnected);
        assert!(
            matches!(Detected::detect(identity.version(), &device), Ok(Detected::UltraSparc(_))),
            "{}",
            identity.name()
        );
        assert_eq!(count_of(identity.version(), &device), 1000, "{}", identity.name());
    }
    for (implementation, identity) in &NIAGARAS {
        let (version, device) =
            (Ver::of(0x3E, *implementation, 2), niagara::Device::new(identity, Kinds::CLOCK, Unconnected));
        assert!(matches!(Detected::detect(version, &device), Ok(Detected::Niagara(_))), "{}", identity.name());
        assert_eq!(count_of(version, &device), 1000, "{}", identity.name());
    }
}

#[test]
fn who_can_read_t2s_version_can_count_in_the_hypervisor() {
    let device = niagara::Device::new(&niagara::Identity::T2_HYPERVISOR, Kinds::CLOCK, Unconnected);
    let driver = Detected::detect(Ver::of(0x3E, 0x24, 2), &device).unwrap();
    assert_eq!(driver.description().modes, Modes::ALL.and(Modes::HYPERVISOR));
}

#[test]
fn an_unknown_processor_is_named_and_its_unit_is_not_changed() {
    let device = ultrasparc::Device::new(&ultrasparc::Identity::III, Kinds::CLOCK, Unconnected);
    let before = device.state();
    let found = Detected::detect(Ver::of(0x04, 0x05, 0), &device).err();
    assert_eq!(found, Some(Error::UnknownProcessor { family: 0x04, model: 0x05 }), "SPARC64 V");
    assert_eq!(device.state(), before, "the unit is not changed");
}
