//! Drivers of one generation of units: those they detect, and those they refuse.

use pmu::arch::x86::amd::{self, Amd};
use pmu::arch::x86::intel::{self, Intel};
use pmu::arch::x86::{Either, Global, Single, Unattached};
use pmu::virt::{Device as _, Kinds, Unconnected};
use pmu::{Error, Result};

const ONLY_SINGLE: Error = Error::OtherGeneration { driver: "Single", unit: "Global" };
const ONLY_GLOBAL: Error = Error::OtherGeneration { driver: "Global", unit: "Single" };

/// What detection says on a unit that has a global control register, and on one that has none: by a driver of units with
/// one, of units without, and of either.
fn expected(has_global: bool) -> [Result<()>; 3] {
    if has_global { [Ok(()), Err(ONLY_SINGLE), Ok(())] } else { [Err(ONLY_GLOBAL), Ok(()), Ok(())] }
}

fn intels(identity: &intel::Identity) -> [Result<()>; 3] {
    let device = &intel::Device::new(identity, Kinds::CLOCK, Unconnected);
    let before = device.state();
    let found = [
        Intel::<_, _, Global>::detect(identity, device, Unattached).map(drop),
        Intel::<_, _, Single>::detect(identity, device, Unattached).map(drop),
        Intel::<_, _, Either>::detect(identity, device, Unattached).map(drop),
    ];
    assert_eq!(device.state(), before);
    found
}

fn amds(identity: &amd::Identity) -> [Result<()>; 3] {
    let device = &amd::Device::new(identity, Kinds::CLOCK, Unconnected);
    let before = device.state();
    let found = [
        Amd::<_, _, Global>::detect(identity, device, Unattached).map(drop),
        Amd::<_, _, Single>::detect(identity, device, Unattached).map(drop),
        Amd::<_, _, Either>::detect(identity, device, Unattached).map(drop),
    ];
    assert_eq!(device.state(), before);
    found
}

#[test]
fn a_driver_of_one_generation_refuses_a_unit_of_the_other() {
    for identity in &intel::Identity::ALL {
        assert_eq!(intels(identity), expected(identity.capabilities().version >= 2), "{}", identity.name());
    }
    for identity in &amd::Identity::ALL {
        assert_eq!(amds(identity), expected(identity.capabilities().version >= 2), "{}", identity.name());
    }
}

#[test]
fn the_refusal_says_which_driver_to_name() {
    let message = ONLY_GLOBAL.to_string();
    assert!(message.contains("name Single in the driver's type, or Either"), "{message}");
}

#[test]
fn a_fixed_generation_takes_no_room_in_a_driver() {
    type Driver<G> = Intel<&'static intel::Device<Unconnected>, Unattached, G>;
    assert_eq!((size_of::<Global>(), size_of::<Single>()), (0, 0));
    assert!(size_of::<Driver<Global>>() <= size_of::<Driver<Either>>());
}
