//! Arm's tables, each by a core that has it.

use pmu::Backend;
use pmu::Mode;
use pmu::arch::aarch64::pmuv3::{Announced, Device, Facts, Identity, Pmuv3, Share};
use pmu::virt::{Kinds, Unconnected};

/// A driver of this unit, with what the processor says of itself changed.
fn driver(identity: Identity, change: impl Fn(Facts) -> Facts) -> impl Backend {
    let registers = Device::new(&identity, Kinds::CLOCK, Unconnected).driven_from(Mode::Kernel);
    let facts = change(Facts::discover(&registers).expect("the identity has a unit"));
    Pmuv3::new(registers, facts, Share::WHOLE)
}

/// Every common event is announced.
const ALL: Announced = Announced { low: u64::MAX, high: u64::MAX };

#[test]
fn the_cores_events_are_counted_and_come_back() {
    for identity in [Identity::CORTEX_A57, Identity::NEOVERSE_N1, Identity::NEOVERSE_V1] {
        crate::check(&driver(identity, |facts| facts));
    }
}

#[test]
fn the_events_of_their_relatives_are_too() {
    for (identity, processor) in
        [(Identity::CORTEX_A57, 0x410F_D034), (Identity::CORTEX_A57, 0x410F_D083), (Identity::NEOVERSE_N1, 0x414F_D0B1)]
    {
        crate::check(&driver(identity, |facts| Facts { processor, announced: ALL, ..facts }));
    }
}

/// Each by an identity that has the counters for it, which announces whatever there is.
#[test]
fn the_events_of_later_cores_are_too() {
    for processor in [0xD05, 0xD09, 0xD0A, 0xD0D, 0xD41, 0xD44, 0xD46, 0xD47, 0xD48, 0xD49, 0xD4A, 0xD4F] {
        let processor = 0x410F_0000 | processor << 4;
        crate::check(&driver(Identity::ARMV9_4, |facts| Facts { processor, announced: ALL, ..facts }));
    }
    crate::check(&driver(Identity::NEOVERSE_N2, |facts| facts));
}

#[test]
fn the_events_of_cores_since_armv9_1_are_too() {
    for processor in [0xD06, 0xD4D, 0xD4E, 0xD80, 0xD81, 0xD82, 0xD84, 0xD8E] {
        let processor = 0x410F_0000 | processor << 4;
        crate::check(&driver(Identity::ARMV9_4, |facts| Facts { processor, announced: ALL, ..facts }));
    }
}

#[test]
fn the_common_events_are_where_they_are_announced() {
    crate::check(&driver(Identity::ARMV9_4, |facts| Facts { announced: ALL, ..facts }));
}

#[test]
fn each_core_has_its_own_table() {
    let unit = |processor| driver(Identity::NEOVERSE_N1, |facts| Facts { processor, ..facts }).catalogue().unit;
    let units = [0x410F_D034, 0x411F_D070, 0x410F_D083, 0x414F_D0B1, 0x414F_D0C1, 0x411F_D402].map(unit);
    let all = ["ca53", "ca57", "ca72", "ca76", "neoverse-n1", "neoverse-v1"];
    assert_eq!(units, all.map(|core| format!("arm/armv8-{core}")));
    let later = [0x411F_D4D0, 0x410F_D4E0, 0x410F_D801, 0x410F_D811, 0x410F_D821, 0x410F_D840, 0x410F_D8E0].map(unit);
    let all = ["ca715", "cx3", "ca520", "ca720", "cx4", "neoverse-v3", "neoverse-n3"];
    assert_eq!(later, all.map(|core| format!("arm/armv9-{core}")));
    let relatives = [(0xD43, 0xD06), (0xD0E, 0xD0B), (0xD4B, 0xD41), (0xD4C, 0xD44), (0xD83, 0xD84)];
    assert!(relatives.iter().all(|&(one, other)| unit(0x410F_0000 | one << 4) == unit(0x410F_0000 | other << 4)));
    assert_eq!(unit(0x460F_0010), "arm/armv8-pmuv3");
}
