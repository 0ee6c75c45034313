//! Hostile guests: whatever they do, the unit stays within its bits and does not panic.

use proptest::prelude::*;

use super::accesses;

/// Marsaglia's xorshift: the same bytes in every run.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let step = |x: &u64| {
        let x = x ^ x << 13;
        let x = x ^ x >> 7;
        Some(x ^ x << 17)
    };
    std::iter::successors(Some(seed), step).flat_map(u64::to_le_bytes)
}

#[test]
fn a_million_random_accesses_do_what_the_manual_allows() {
    let mut accesses = 0;
    let mut bytes = noise(0x9E37_79B9_7F4A_7C15);
    while accesses < 1_000_000 {
        let guest: Vec<u8> = bytes.by_ref().take(4096).collect();
        accesses += accesses::run(&guest);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_short_guest_does_what_the_manual_allows(guest in prop::collection::vec(any::<u8>(), 0..600)) {
        accesses::run(&guest);
    }
}
