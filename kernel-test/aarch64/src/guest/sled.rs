//! A long row of instructions whose addresses tell them apart: what a sample's address is good for.

use core::arch::naked_asm;

/// The row's length: `nop`s, then `subs` and `b.ne` back to the first.
pub const LENGTH: u64 = 4096;

/// Retires the row `rounds` times, at least once.
pub fn run(rounds: u64) {
    row(rounds);
}

/// Which instruction of the row is at this address, from 0; `None` if it is none of them.
pub fn of(address: u64) -> Option<u64> {
    let offset = address.checked_sub(&raw const sled_first as u64)? / 4;
    (offset < LENGTH).then_some(offset)
}

unsafe extern "C" {
    static sled_first: u8;
}

#[unsafe(naked)]
extern "C" fn row(rounds: u64) {
    naked_asm!(
        ".global sled_first",
        "sled_first:",
        ".rept {nops}",
        "nop",
        ".endr",
        "subs x0, x0, #1",
        "b.ne sled_first",
        "ret",
        nops = const LENGTH - 2,
    )
}
