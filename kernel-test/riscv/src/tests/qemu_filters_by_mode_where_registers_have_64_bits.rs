//! A counter that leaves the kernel out does not count it, but with registers of 32 bits in QEMU it does.

use pmu::arch::riscv::hpm::Select;

use crate::csr::is_machine;
use crate::guest::{code, registers};
use harness::by_width;

const INSTRUCTIONS: u64 = 2;
const COUNTS_THE_KERNEL: bool = by_width!(false, true);

pub fn test() {
    let filter = if is_machine() { Select::NOT_MACHINE } else { Select::NOT_SUPERVISOR };
    registers::set(4, 0, filter.bits() | INSTRUCTIONS);
    registers::run(1 << 4);
    code::exactly(1000);
    registers::run(0);
    let counted = registers::counted(4);
    assert_eq!(counted >= 1000, COUNTS_THE_KERNEL, "{counted}");
    assert!(counted == 0 || counted >= 1000, "{counted}");
}
