//! A processor that no driver knows is refused by its manufacturer and its implementation.

use pmu::Error;
use pmu::arch::sparc::{Ver, detect};

use crate::guest::unit::{hardware, snapshot};

/// SPARC64 V (torvalds/linux arch/sparc/kernel/cpu.c).
const FOREIGN: Ver = Ver::of(0x04, 0x05, 0);

pub fn test() {
    let before = snapshot();
    let found = detect(FOREIGN, hardware()).err();
    assert_eq!(found, Some(Error::UnknownProcessor { family: 0x04, model: 0x05 }));
    assert_eq!(snapshot(), before, "the unit is not changed");
}
