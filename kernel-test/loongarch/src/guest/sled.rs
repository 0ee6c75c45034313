//! A long row of instructions whose addresses tell them apart: what a sample's address is good for.

use core::arch::global_asm;

/// The row's length.
pub const LENGTH: u64 = 1024;

unsafe extern "C" {
    safe fn sled(rounds: u64);
    static sled_first: u8;
}

/// Retires the row `rounds` times, at least once.
pub fn run(rounds: u64) {
    sled(rounds);
}

/// Which instruction of the row is at this address, from 0; `None` if it is none of them.
pub fn of(address: u64) -> Option<u64> {
    let offset = address.checked_sub(&raw const sled_first as u64)? / 4;
    (offset < LENGTH).then_some(offset)
}

global_asm!(
    r#"
    .text
    .global sled
sled:
    move $r13, $a0
    .global sled_first
sled_first:
    .rept {nops}
    nop
    .endr
    addi.d $r13, $r13, -1
    bnez $r13, sled_first
    ret
    "#,
    nops = const LENGTH - 2,
);
