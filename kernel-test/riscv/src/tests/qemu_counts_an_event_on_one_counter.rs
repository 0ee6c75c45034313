//! Of two counters with the same event in QEMU the second stands still: the driver gives each event one counter.

use crate::guest::{code, registers};

const INSTRUCTIONS: u64 = 2;

pub fn test() {
    registers::set(4, 0, INSTRUCTIONS);
    registers::set(5, 0, INSTRUCTIONS);
    registers::run(1 << 4 | 1 << 5);
    code::exactly(1000);
    registers::run(0);
    let counted = [4, 5].map(registers::counted);
    assert!((1000..1050).contains(&counted[0]) && counted[1] == 0, "{counted:?}");
}
