//! A long row of instructions whose addresses tell them apart: what a sample's address is good for.

use crate::assembly;

/// The row's length: `nop`s, then a branch back to the first and its delay slot.
pub const LENGTH: u64 = 1024;

unsafe extern "C" {
    safe fn sled(rounds: u64);
    static sled_first: u8;
}

/// Retires the row `rounds` times, at least once.
pub fn run(rounds: u64) {
    sled(rounds - 1);
}

/// Which instruction of the row is at this address, from 0; `None` if it is none of them.
pub fn of(address: u64) -> Option<u64> {
    let offset = address.checked_sub(&raw const sled_first as u64)? / 4;
    (offset < LENGTH).then_some(offset)
}

assembly!(
    r#"
    .text
    .global sled, sled_first
sled:
sled_first:
    .rept {nops}
    nop
    .endr
    brnz,pt %o0, sled_first
    sub %o0, 1, %o0
    retl
    nop
    "#,
    nops = const LENGTH - 2,
);
