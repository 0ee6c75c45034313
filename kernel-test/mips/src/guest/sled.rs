//! A long row of instructions whose addresses tell them apart: what a sample's address is good for.
//!
//! Many rows stand one behind the other, and only the last one ends in a branch: see [`super::position`].

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::assembly;

/// The row's length.
pub const LENGTH: u64 = 1024;
/// The rows up to the branch.
const ROWS: u64 = 256;

unsafe extern "C" {
    safe fn sled(from: usize, passes: usize);
    static sled_first: u8;
}

fn first() -> u64 {
    &raw const sled_first as u64
}

/// Retires the row `rounds` times, at least once.
pub fn run(rounds: u64) {
    let (passes, part) = ((rounds - 1) / ROWS, (rounds - 1) % ROWS + 1);
    let from = (first() + (ROWS - part) * LENGTH * 4) as usize;
    FROM.store(from, Relaxed);
    sled(from, passes as usize);
}

/// Where the last run began: behind a branch and its delay slot.
static FROM: AtomicUsize = AtomicUsize::new(0);

/// Which instruction of the row is at this address, from 0; `None` if it is none of them, or one behind a delay slot, where
/// an interrupt may be late by one.
pub fn of(address: u64) -> Option<u64> {
    let offset = address.checked_sub(first())? / 4;
    let is_behind_slot = [0, ROWS * LENGTH - 2].contains(&offset) || address as usize == FROM.load(Relaxed);
    (offset < ROWS * LENGTH && !is_behind_slot).then_some(offset % LENGTH)
}

assembly!(
    r#"
    .text
    .global sled
sled:
    move $9, $5
    jr $4
    nop
    .global sled_first
sled_first:
    .fill {nops}, 4, 0
    beqz $9, 1f
    addiu $9, $9, -1
    j sled_first                    # farther than a branch reaches
    nop
1:  nop
    nop
    jr $31
    nop
    "#,
    nops = const ROWS * LENGTH - 4,
);
