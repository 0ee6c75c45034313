//! A loop of which it is known what it executes.

use core::arch::global_asm;
use core::ops::Range;

/// What a turn of [`turns`] executes: instructions, loads, stores, and taken branches.
pub const INSTRUCTIONS: u64 = 5;
/// See [`INSTRUCTIONS`].
pub const LOADS: u64 = 2;
/// See [`INSTRUCTIONS`].
pub const STORES: u64 = 1;
/// See [`INSTRUCTIONS`].
pub const TAKEN_BRANCHES: u64 = 1;

// R3: the number of turns. R4: two words of 64 bits.
global_asm!(
    r#"
    .text
    .global turns_over
turns_over:
    mtctr 3
    .global turn_begin
turn_begin:
    ld 5, 0(4)
    ld 6, 8(4)
    std 5, 0(4)
    add 5, 5, 6
    bdnz turn_begin
    .global turn_end
turn_end:
    blr
    "#
);

unsafe extern "C" {
    fn turns_over(number: u64, words: *mut [u64; 2]);
    static turn_begin: u32;
    static turn_end: u32;
}

/// Executes so many turns, the last of which does not branch back.
pub fn turns(number: u64) {
    let mut words = [7; 2];
    // SAFETY: it accesses the two words, and registers that a call may change.
    unsafe { turns_over(number, &raw mut words) };
}

/// Returns the addresses of a turn's instructions.
pub fn turn() -> Range<u64> {
    (&raw const turn_begin) as u64..(&raw const turn_end) as u64
}
