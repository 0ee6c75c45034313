//! `instructions::exactly(n)` retires n instructions, by the host's count.

use crate::guest::{instructions, truth};

pub fn test() {
    let empty = by_truth(instructions::FEWEST) - instructions::FEWEST;
    for count in (instructions::FEWEST..300).chain([1000, 4321, 100_000]) {
        assert_eq!(by_truth(count) - empty, count, "by the host");
    }
}

#[inline(never)]
fn by_truth(count: u64) -> u64 {
    let before = truth::retired();
    instructions::exactly(count);
    truth::retired() - before
}
