//! Instructions by the clock, and a clock that stops the guest at its very instruction.
//!
//! QEMU is told to let an instruction take 16 nanoseconds (`-icount shift=4`), and Malta's processors have Count advance
//! with 160 MHz. So 25 instructions are 64 counts, and each has a count of its own.

/// QEMU's Count begins with this.
const BEGINNING: u32 = 1;
const INSTRUCTIONS: u64 = 25;
const COUNTS: u64 = 64;
/// Instructions until Count, of 32 bits, begins anew: a whole number.
const ROUND: u64 = (1 << 32) / COUNTS * INSTRUCTIONS;

/// The longest time, in instructions, that Compare can be ahead.
pub const LONGEST: u64 = ROUND / 4;

/// The instructions between two readings of Count.
pub const fn between(first: u32, second: u32) -> u64 {
    (instructions_at(second) + ROUND - instructions_at(first)) % ROUND
}

/// Instructions before Count read this.
const fn instructions_at(count: u32) -> u64 {
    (count.wrapping_sub(BEGINNING) as u64 * INSTRUCTIONS).div_ceil(COUNTS)
}

/// The counts that these instructions take: whole ones, and the twenty-fifths beyond them.
pub const fn counts(instructions: u64) -> [u32; 2] {
    let parts = instructions * COUNTS;
    [(parts / INSTRUCTIONS) as u32, (parts % INSTRUCTIONS) as u32]
}

/// For each end of Count (its remainder by 64), the twenty-fifths of a count that have passed when an instruction reads it.
pub const fn parts() -> [u8; COUNTS as usize] {
    let mut parts = [0; COUNTS as usize];
    let mut passed = 0;
    while passed < COUNTS {
        let count = passed as u32 + BEGINNING;
        parts[count as usize % parts.len()] = (instructions_at(count) * COUNTS - passed * INSTRUCTIONS) as u8;
        passed += 1;
    }
    parts
}
