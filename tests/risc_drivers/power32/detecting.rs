//! Detection: by the processor version register, and by a register that keeps what is written to it.

use pmu::Error;
use pmu::arch::powerpc::classic::{Classic, Model};
use pmu::arch::powerpc::embedded::{self, Embedded};
use pmu::arch::powerpc::{Detected, Pmr, Pvr, Spr};
use pmu::driver::{Kind, Plan, Registers};

use crate::power32::names::{CLASSIC, EMBEDDED};
use crate::support::memory::Memory;

#[test]
fn a_processor_is_found_and_its_unit_left_as_it_was() {
    let memory = Memory::<Spr>::new();
    let mmcr0 = Spr::from_number(952).unwrap();
    memory.write(mmcr0, 0x1234);
    let driver = Classic::detect(Pvr::from_bits(0x0008_3100), &memory).unwrap();
    assert_eq!((driver.capabilities().model, memory.read(mmcr0)), (Model::P750, 0x1234));
}

#[test]
fn a_core_is_found_and_its_unit_left_as_it_was() {
    let memory = Memory::<Pmr>::new();
    let local = Pmr::local(0).unwrap();
    memory.write(local, 0x0402_0000);
    let driver = Embedded::detect(Pvr::from_bits(0x8021_0030), &memory).unwrap();
    assert_eq!((driver.capabilities().model, memory.read(local)), (embedded::Model::E500, 0x0402_0000));
}

#[test]
fn a_unit_that_keeps_nothing_is_not_taken_for_one() {
    let swallowed = Error::Swallowed { register: 952, wrote: 0x8000_003F, read: 0 };
    let memory = Memory::that_swallows();
    assert_eq!(Classic::detect(Pvr::from_bits(0x8000_0201), &memory).err(), Some(swallowed));
    let swallowed = Error::Swallowed { register: 144, wrote: 0x807F_0000, read: 0 };
    let memory = Memory::that_swallows();
    assert_eq!(Embedded::detect(Pvr::from_bits(0x8021_0030), &memory).err(), Some(swallowed));
}

#[test]
fn a_processor_without_a_unit_has_none_and_is_not_touched() {
    let memory = Memory::that_swallows();
    assert_eq!(
        Classic::detect(Pvr::from_bits(0x0006_0101), &memory).err(),
        Some(Error::NoUnit { reason: "PVR is that of a 601 or 603" })
    );
    let memory = Memory::that_swallows();
    assert_eq!(
        Embedded::detect(Pvr::from_bits(0x8084_0011), &memory).err(),
        Some(Error::NoUnit { reason: "PVR is that of an e300c1 or e300c2" })
    );
}

#[test]
fn whichever_unit_there_is_is_found_by_its_own_registers() {
    let found = |pvr| {
        let (sprs, pmrs) = (Memory::new(), Memory::new());
        Detected::detect(Pvr::from_bits(pvr), &sprs, &pmrs).map(|driver| driver.description().name)
    };
    assert_eq!(found(0x0008_3100), Ok("PowerPC 750"));
    assert_eq!(found(0x8023_0031), Ok("e500mc"));
    assert_eq!(
        [0x8083_0011, 0x0006_0101].map(found),
        [
            Err(Error::NoUnit { reason: "PVR is that of an e300c1 or e300c2" }),
            Err(Error::NoUnit { reason: "PVR is that of a 601 or 603" })
        ]
    );
    assert_eq!(found(0x8040_0120), Err(Error::UnknownProcessor { family: 0x8040, model: 0x0120 }));
}

#[test]
fn another_familys_processor_is_unknown() {
    let memory = Memory::new();
    let power8 = Error::UnknownProcessor { family: 0x004D, model: 0x0200 };
    assert_eq!(Classic::detect(Pvr::from_bits(0x004D_0200), &memory).err(), Some(power8));
}

/// A thread's placement is remembered for a kind of unit, and its codes are of one.
#[test]
fn processors_whose_events_or_counters_differ_are_of_different_kinds() {
    let kind = |pvr: &u32| {
        let (sprs, pmrs) = (Memory::new(), Memory::new());
        Detected::detect(Pvr::from_bits(*pvr), &sprs, &pmrs).expect("it has a unit").kind()
    };
    let kinds: Vec<Kind> = CLASSIC.iter().chain(&EMBEDDED).map(kind).collect();
    let others = |number: usize| kinds.iter().enumerate().filter(move |(other, _)| *other != number);
    assert!((0..kinds.len()).all(|number| others(number).all(|(_, kind)| *kind != kinds[number])));
    assert_eq!(kind(&0x0008_3100), kind(&0x0008_3100));
}
