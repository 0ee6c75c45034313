//! A counter of instructions counts each one between the write that starts it and the one that
//! stops it, and the latter.

use super::programs::{self, COUNTING};

/// Behind the loop: three moves, a shift, and the write that stops.
const TAIL: u64 = 5;

pub fn test() {
    for rounds in (1..100).chain([1000, 33_333, 1_000_000]) {
        programs::preset(0);
        programs::run(COUNTING, rounds);
        assert_eq!(programs::value(), 3 * rounds + TAIL, "{rounds} rounds");
    }
}
