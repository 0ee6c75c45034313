//! A long row of instructions whose addresses tell them apart: what a sample's address is good for.

use core::arch::naked_asm;

use super::instructions;
use crate::width::by_width;

/// The row's length: `nop`s, then `dec` and `jnz` back to the first.
pub const LENGTH: u64 = 4096;

/// The `nop`s among them, of one byte each.
const NOPS: u64 = LENGTH - 2;
/// The length of `dec edi`, in bytes.
const DEC: u64 = by_width!(2, 1);

/// Retires the row `rounds` times, at least once.
pub fn run(rounds: u64) {
    instructions::call(row, rounds);
}

/// Which instruction of the row is at this address, from 0; `None` if it is none of them.
pub fn of(address: u64) -> Option<u64> {
    match address.checked_sub(&raw const sled_first as u64)? {
        offset @ 0..=NOPS => Some(offset),
        offset if offset == NOPS + DEC => Some(NOPS + 1),
        _ => None,
    }
}

unsafe extern "C" {
    static sled_first: u8;
}

#[unsafe(naked)]
extern "C" fn row() {
    naked_asm!(
        ".global sled_first",
        "sled_first:",
        ".rept {nops}",
        "nop",
        ".endr",
        "dec edi",
        "jnz sled_first",
        "ret",
        nops = const NOPS,
    )
}
