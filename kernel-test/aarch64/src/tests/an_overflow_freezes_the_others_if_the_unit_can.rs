//! With PMCR_EL0.FZO, which PMUv3p7 brought, an overflow stops the event counters at its own instruction until it is
//! acknowledged, and the cycle counter goes on; before PMUv3p7 the bit is not kept and nothing stops.

use pmu::CounterId;
use pmu::arch::aarch64::SystemRegister;
use pmu::driver::Registers;

use super::clocked::CYCLES;
use crate::guest::instructions::exactly;
use crate::guest::unit;

/// PMCR_EL0.E, LC, and FZO.
const ENABLE: u64 = 1;
const LONG_CYCLES: u64 = 1 << 6;
const FREEZE: u64 = 1 << 9;
/// INST_RETIRED, at every level.
const INSTRUCTIONS: u64 = 0x08;
const BEFORE: u64 = 100;
const LENGTH: u64 = 1000;

pub fn test() {
    let hardware = unit::hardware();
    let freezes = unit::capabilities().version >= 7;
    let [first, second] = [0, 1].map(|number| CounterId::new(number).expect("there are six"));
    let read = |counter| hardware.read(SystemRegister::any_counter(counter)) & 0xffff_ffff;
    hardware.write(SystemRegister::CONTROL, ENABLE | LONG_CYCLES | FREEZE);
    assert_eq!(hardware.read(SystemRegister::CONTROL) & FREEZE != 0, freezes);
    for (counter, start) in [(first, BEFORE.wrapping_neg() & 0xffff_ffff), (second, 0), (CYCLES, 0)] {
        hardware.write(SystemRegister::any_counter(counter), start);
        hardware.write(SystemRegister::any_select(counter), if counter == CYCLES { 0 } else { INSTRUCTIONS });
    }
    hardware.write(SystemRegister::ENABLE_SET, 0b11 | CYCLES.only().bits());
    exactly(LENGTH);
    let counted = read(second);
    assert!(read(CYCLES) >= LENGTH, "the cycle counter stopped");
    assert_eq!(hardware.read(SystemRegister::OVERFLOW_SET) & 0b11, 0b01);
    if !freezes {
        return assert!(counted >= LENGTH, "it stopped after {counted}");
    }
    assert_eq!((read(first), counted), (0, BEFORE), "it did not stop at the overflow's instruction");

    hardware.write(SystemRegister::OVERFLOW_CLEAR, 0b01);
    exactly(LENGTH);
    let more = read(second) - BEFORE;
    assert!(more >= LENGTH && read(first) >= LENGTH, "{more} since it was acknowledged");
}
