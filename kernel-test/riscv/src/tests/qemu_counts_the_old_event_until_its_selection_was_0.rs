//! A counter in QEMU that is given another event goes on with the one before, unless its selection was 0 in between: so a
//! counter has one event here.

use harness::place::OneCpu;
use pmu::arch::riscv::Csr;
use pmu::driver::Registers;

use crate::guest::code;
use crate::guest::registers::{self, hardware};

/// Data-TLB misses, of which there are none without translation; and instructions.
const MISSES: u64 = 0x1_0019;
const INSTRUCTIONS: u64 = 2;

pub fn test() {
    registers::set(4, 0, INSTRUCTIONS);
    hardware(OneCpu).write(Csr::select(4).expect("it is a counter's number"), MISSES);
    assert!(counts() >= 1000, "the old event is counted");
    registers::set(4, 0, MISSES);
    assert_eq!(counts(), 0, "the new event is counted");
}

fn counts() -> u64 {
    let before = registers::counted(4);
    registers::run(1 << 4);
    code::exactly(1000);
    registers::run(0);
    registers::counted(4) - before
}
