//! The host counts by its clock what the guest retires, to the instruction: whatever the length, and wherever it traps or
//! stops the guest meanwhile.

use harness::Guest;

use crate::guest::instructions::{self, FEWEST};
use crate::guest::{self, Here};

/// Between one question and the next are the loop and what begins and ends it.
#[inline(never)]
fn length(count: u64) -> u64 {
    let (retired, ()) = guest::time(|| instructions::exactly(count));
    retired
}

pub fn test() {
    let around = length(FEWEST) - FEWEST;
    for count in (FEWEST..3000).chain([1 << 16, 1_000_001, 30_000_000]) {
        assert_eq!(length(count), count + around, "a loop of {count}");
    }
    // The host stops it once on the way, at each instruction.
    for stop in 1..500 {
        Here::hold_interrupts(stop);
        assert_eq!(length(1000), 1000 + around, "stopped after {stop}");
    }
}
