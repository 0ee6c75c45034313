//! With registers of 32 bits QEMU works out each half of a running counter by itself: of one that wraps the upper half stays
//! behind until it is stopped. So the driver stops counters there while it reads them.

use crate::guest::{code, registers};

const INSTRUCTIONS: u64 = 2;

pub fn test() {
    registers::set(4, u64::MAX - 500, INSTRUCTIONS);
    registers::run(1 << 4);
    code::exactly(1000);
    let running = registers::counted(4);
    registers::run(0);
    let stopped = registers::counted(4);
    assert_eq!((running >> 32, stopped >> 32), (0xffff_ffff, 0), "{running:#x} {stopped:#x}");
}
