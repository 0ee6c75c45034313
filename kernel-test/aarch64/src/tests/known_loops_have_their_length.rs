//! The loops that other tests count have as many instructions as they are asked for, by the cycle counter itself.

use crate::kernel::instructions::{FEWEST, exactly};
use crate::system::{read, write};

/// PMCCFILTR_EL0.NSH: at EL2 too.
const EVERYWHERE: u64 = 1 << 27;
/// PMCR_EL0.E and LC.
const RUNS: u64 = 1 | 1 << 6;

pub fn test() {
    write!("pmccfiltr_el0", EVERYWHERE);
    write!("pmcntenset_el0", 1 << 31);
    write!("pmcr_el0", RUNS);
    let empty = around(FEWEST) - FEWEST;
    for length in (FEWEST..300).chain([1000, 4321, 65_536, 1_000_000]) {
        assert_eq!(around(length), empty + length);
    }
}

#[inline(never)]
fn around(length: u64) -> u64 {
    let before = read!("pmccntr_el0");
    exactly(length);
    read!("pmccntr_el0") - before
}
