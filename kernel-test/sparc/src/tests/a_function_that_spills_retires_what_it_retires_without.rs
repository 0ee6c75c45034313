//! How many instructions a function retires does not depend on how many register windows are free: those that spill and
//! fill them are not the guest's.

use harness::Guest;

use crate::guest::Here;

pub fn test() {
    let [(one, _), (two, _), (forty, sum)] = [1, 2, 40].map(descent);
    let each = two - one;
    assert_eq!(forty, one + 39 * each, "each call retires {each}");
    assert_eq!(sum, 40 * 41 / 2);
    assert_eq!(descent(40).0, forty, "whatever is spilled already");
}

/// How many instructions so many calls retire, and what they return.
#[inline(never)]
fn descent(depth: u64) -> (u64, u64) {
    let before = Here::retired();
    let depths = descend(depth);
    (Here::retired() - before, depths)
}

/// Calls itself so often; each call has a window of its own.
#[inline(never)]
fn descend(depth: u64) -> u64 {
    let depth = core::hint::black_box(depth);
    if depth == 0 { 0 } else { core::hint::black_box(descend(depth - 1)) + depth }
}
