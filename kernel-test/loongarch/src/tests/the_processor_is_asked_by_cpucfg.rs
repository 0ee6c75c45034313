//! CPUCFG does not trap in QEMU, and still answers as the processor that is presented: its words are asked of the unit.

use pmu::arch::loongarch::Register;
use pmu::driver::Registers;

use crate::guest::unit;

pub fn test() {
    let words = [Register::PRID, Register::UNIT].map(|at| unit::hardware().read(at));
    assert_eq!(words, [0x14_c010, 0x7f33]);
    assert_eq!(unit::detect().capabilities().name(), "LA464");
}
